// vouch whir sweep: commit, open and verify over a grid of configurations; every proof is verified.
#include "vouch/cli/whir_sweep.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <tuple>

#include "vouch/cli/memory.h"
#include "vouch/cli/whir_chart.h"
#include "vouch/cli/whir_options.h"
#include "vouch/core/mapped_file.h"
#include "vouch/formats/whir_case.h"
#include "vouch/whir/memory.h"

namespace vouch::cli {
namespace {

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const std::size_t n = x.size();
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

// "article", "full", or cells "20,4,1", each part a number or a range "18-22".
Result<std::vector<SweepCell>> parse_grid(const std::vector<std::string>& texts) {
  std::vector<SweepCell> cells;
  auto add = [&](std::vector<int> ns, std::vector<int> folds, std::vector<int> rates) {
    for (int n : ns)
      for (int f : folds)
        for (int r : rates) cells.push_back({n, f, r});
  };
  for (const std::string& text : texts) {
    if (text == "article") {
      add({20}, {1, 2, 4}, {1, 2, 3});
      add({22}, {1, 2, 3, 4, 6}, {1, 2, 3});
      add({24}, {1, 2, 3, 4, 6}, {1});
      continue;
    }
    if (text == "full") {
      add({16, 18, 20, 22, 24}, {1, 2, 3, 4, 6}, {1, 2, 3});
      continue;
    }
    std::vector<std::vector<int>> parts;
    std::stringstream in(text);
    for (std::string part; std::getline(in, part, ',');) {
      int low = 0, high = 0;
      char rest = 0;
      const int got = std::sscanf(part.c_str(), "%3d-%3d%c", &low, &high, &rest);
      const bool plain = got == 1 && part.find_first_not_of("0123456789") == std::string::npos;
      if (plain) high = low;
      if ((!plain && got != 2) || low < 1 || high < low || high > 40)
        return usage_error("--grid " + text + " is not article, full or n,fold,rate such as 18-22,4,1");
      parts.emplace_back();
      for (int x = low; x <= high; x++) parts.back().push_back(x);
    }
    if (parts.size() != 3)
      return usage_error("--grid " + text + " is not article, full or n,fold,rate such as 18-22,4,1");
    add(parts[0], parts[1], parts[2]);
  }
  return cells;
}

Result<whir::Setup> setup_of(const SweepArguments& a, const SweepCell& cell) {
  WhirParamOptions options = a.params;
  options.folding = std::to_string(cell.fold);
  options.rate = cell.rate;
  VOUCH_TRY(const whir::Params params, whir_params(options, cell.n));
  return whir::Setup::create({params, {{cell.n, 1}}, {{{{0}, {}}}}});
}

constexpr double much_more_than_loading = 10;  // seconds

// What a cell may take by those before it: as long for a permutation of its trees as the quickest of them, of
// which only those of at least a sixteenth of its size tell anything. 0: none does.
double foretold(const SweepArguments& a, std::uint64_t permutations, const SweepWay& way,
                const std::vector<Measured>& before) {
  double least = 0;
  for (const Measured& r : before)
    if (r.error.empty() && r.way.name == way.name && r.permutations >= permutations / 16) {
      const double once = r.prove() / double(r.permutations) * double(permutations);
      least = least > 0 ? std::min(least, once) : once;
    }
  return least * a.runs;
}

Status measure(const SweepArguments& a, const SweepCell& cell, const std::vector<Measured>& before,
               Context& context, Measured& r) {
  VOUCH_TRY(const whir::Setup setup, setup_of(a, cell));
  r.permutations = whir::tree_permutations(setup);
  if (const double seconds = foretold(a, r.permutations, r.way, before); a.limit > 0 && seconds > a.limit)
    return Error{Code::unsupported,
                 "left out: " + r.way.name + " would take about " + human_seconds(seconds)};
  std::uint64_t budget = 0;
  if (!a.memory.empty()) {
    VOUCH_TRY(budget, parse_bytes(a.memory));
  }
  r.predicted = whir::plan_memory(setup, budget).peak;
  whir::ProverOptions options = whir_prover_options(context, budget);
  options.backend = r.way.backend;
  options.device_mode = r.way.mode;
  options.warn = nullptr;  // what is timed is what is named
  std::vector<std::uint32_t> values(std::size_t(1) << cell.n);
  for (std::uint32_t i = 0; i < values.size(); i++)
    values[i] = formats::whir_case_value(0, 0, i, whir::modulus(setup.params().field));
  const whir::Table table = {values};
  const std::uint64_t used = anonymous_bytes_now();
  PeakMemory memory;
  std::vector<double> commits, opens, verifies;
  VOUCH_TRY(whir::Prover prover, whir::Prover::create(setup, options));
  // A device loads its kernels in the first proof, which is not counted unless loading is little of it.
  const bool on_device = r.way.backend != "auto" && r.way.backend != "cpu" && r.way.backend != "reference";
  for (int run = on_device ? -1 : 0; run < a.runs; run++) {
    if (run == 0 && commits.size() == 1 && commits[0] + opens[0] > much_more_than_loading && a.runs == 1)
      break;
    if (run == 0) commits.clear(), opens.clear(), verifies.clear();
    whir::Transcript t = setup.start();
    Stopwatch commit_clock;
    VOUCH_TRY(const whir::Cap cap, prover.commit({&table, 1}, t));
    commits.push_back(commit_clock.seconds());
    Stopwatch open_clock;
    VOUCH_TRY(const whir::Proof proof, prover.open(t));
    opens.push_back(open_clock.seconds());
    r.proof = whir::to_postcard(proof, {setup.params().field, setup.params().degree});
    Stopwatch verify_clock;
    VOUCH_TRY(const whir::Proof decoded,
              whir::proof_from_postcard(r.proof, {setup.params().field, setup.params().degree}));
    whir::Transcript v = setup.start();
    VOUCH_CHECK(whir::verify(setup, cap, decoded, v));
    verifies.push_back(verify_clock.seconds());
  }
  r.peak = memory.bytes() - std::min(used, memory.bytes());
  r.commit = median(commits), r.open = median(opens), r.verify = median(verifies);
  return ok();
}

std::string csv_text(const std::vector<Measured>& results) {
  std::string out =
      "n,fold,rate,backend,commit_ms,open_ms,verify_ms,bytes,peak_memory,predicted_memory,error\n";
  for (const Measured& r : results) {
    char line[256];
    std::snprintf(line, sizeof line, "%d,%d,%d,%s,%.3f,%.3f,%.3f,%llu,%llu,%llu,", r.cell.n, r.cell.fold,
                  r.cell.rate, r.way.name.c_str(), r.commit * 1e3, r.open * 1e3, r.verify * 1e3,
                  (unsigned long long)(r.proof.size()), (unsigned long long)(r.peak),
                  (unsigned long long)(r.predicted));
    std::string error = r.error;
    std::replace(error.begin(), error.end(), ',', ';');
    out += line + error + "\n";
  }
  return out;
}

using Key = std::tuple<int, int, int>;

// Seconds of commit + open per cell, from a CSV with the columns this command writes (others are ignored).
Result<std::map<Key, double>> read_against(const std::string& path) {
  VOUCH_TRY(const std::string text, read_text(path));
  std::map<Key, double> times;
  std::stringstream in(text);
  std::string line;
  std::map<std::string, std::size_t> column;
  for (std::size_t number = 1; std::getline(in, line); number++) {
    std::vector<std::string> cells;
    std::stringstream row(line);
    for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
    if (number == 1) {
      for (std::size_t i = 0; i < cells.size(); i++) column[cells[i]] = i;
      for (const char* name : {"n", "fold", "rate", "commit_ms", "open_ms"})
        if (!column.contains(name)) return Error{Code::malformed, path + ": has no column " + name};
      continue;
    }
    auto value = [&](const char* name) {
      const std::size_t i = column[name];
      return i < cells.size() ? std::strtod(cells[i].c_str(), nullptr) : 0.0;
    };
    const double ms = value("commit_ms") + value("open_ms");
    if (ms > 0) times[{int(value("n")), int(value("fold")), int(value("rate"))}] = ms / 1e3;
  }
  return times;
}

std::string chart(const SweepArguments& a, const std::vector<Measured>& results,
                  const std::map<Key, double>& against) {
  std::map<std::string, ChartSeries> series;
  std::map<Key, double> base = against;
  std::vector<ChartBar> bars;
  const std::string &first = results.front().way.name, &last = results.back().way.name;
  const bool several = first != last;
  for (const Measured& r : results) {
    if (!r.error.empty()) continue;
    std::string name = "fold " + std::to_string(r.cell.fold) + " rate " + std::to_string(r.cell.rate);
    if (several) name += " " + r.way.name;
    series[name].name = name;
    series[name].points.emplace_back(r.cell.n, r.prove() * 1e3);
    const Key key{r.cell.n, r.cell.fold, r.cell.rate};
    if (against.empty() && several && r.way.name == first) base[key] = r.prove();
  }
  for (const Measured& r : results) {
    const Key key{r.cell.n, r.cell.fold, r.cell.rate};
    if (r.error.empty() && r.way.name == last && base.contains(key))
      bars.push_back({cell_name(r.cell), base.at(key) / r.prove()});
  }
  std::vector<ChartSeries> list;
  for (auto& [name, s] : series) list.push_back(std::move(s));
  const std::string over = against.empty() ? first : a.against;
  return svg_chart("WHIR, " + a.params.field + " degree " + std::to_string(a.params.degree),
                   "n (log2 of the polynomial)", "commit + open, ms", list,
                   "Speed-up of " + last + " over " + over + " (n/fold/rate)", bars);
}

std::string table_row(const Measured& r) {
  char line[256];
  if (!r.error.empty()) {
    std::snprintf(line, sizeof line, "%4d %5d %5d %10s  %.160s", r.cell.n, r.cell.fold, r.cell.rate,
                  r.way.name.c_str(), r.error.c_str());
  } else {
    std::snprintf(line, sizeof line, "%4d %5d %5d %10s %11s %11s %11s %9llu %11s", r.cell.n, r.cell.fold,
                  r.cell.rate, r.way.name.c_str(), human_seconds(r.commit).c_str(),
                  human_seconds(r.open).c_str(), human_seconds(r.verify).c_str(),
                  (unsigned long long)(r.proof.size()), human_bytes(r.peak).c_str());
  }
  return line;
}

// Times as fast as what the sweep is set against, if it is.
std::string versus(const Measured& r, const std::map<Key, double>& against) {
  const auto found = against.find({r.cell.n, r.cell.fold, r.cell.rate});
  if (found == against.end() || !r.error.empty()) return "";
  char text[32];
  std::snprintf(text, sizeof text, "  %.2fx", found->second / r.prove());
  return text;
}

nlohmann::ordered_json row_json(const Measured& r) {
  nlohmann::ordered_json v = {
      {"n", r.cell.n}, {"fold", r.cell.fold}, {"rate", r.cell.rate}, {"backend", r.way.backend}};
  if (r.way.name != r.way.backend) v["mode"] = r.way.name;
  if (!r.error.empty()) {
    v["error"] = r.error;
    return v;
  }
  v["commit_seconds"] = r.commit, v["open_seconds"] = r.open, v["verify_seconds"] = r.verify;
  v["proof_bytes"] = r.proof.size(), v["peak_memory"] = r.peak, v["predicted_memory"] = r.predicted;
  return v;
}

// A configuration that cannot be had is part of the answer; a proof that fails is not.
bool part_of_the_answer(const Error& error) {
  return error.code == Code::invalid_argument || error.code == Code::unsupported ||
         error.code == Code::out_of_memory;
}

// One configuration in every way; all must give the same proof.
Result<std::vector<Measured>> measure_row(const SweepArguments& a, const SweepCell& cell,
                                          const std::vector<SweepWay>& ways,
                                          const std::vector<Measured>& before, Context& context) {
  std::vector<Measured> row;
  const Measured* made = nullptr;
  row.reserve(ways.size());
  for (const SweepWay& way : ways) {
    Measured& r = row.emplace_back();
    r.cell = cell, r.way = way;
    const Status s = measure(a, cell, before, context, r);
    if (!s.ok() && !part_of_the_answer(s.error())) return s.error();
    if (!s.ok()) {
      r.error = s.error().what;
      continue;
    }
    if (made && made->proof != r.proof)
      return Error{Code::internal, cell_name(cell) + ": the proof of " + way.name + " is not the one of " +
                                       made->way.name + ", please report it"};
    made = &r;
  }
  return row;
}

Status sweep(const SweepArguments& given, Context& context) {
  SweepArguments a = given;
  VOUCH_TRY(const std::vector<SweepCell> cells, parse_grid(a.grid));
  VOUCH_TRY(const std::vector<SweepWay> ways, sweep_ways(a, context.options.backend));
  if (std::find(a.grid.begin(), a.grid.end(), "article") != a.grid.end()) a.params.metal = true;
  std::map<Key, double> against;
  if (!a.against.empty()) {
    VOUCH_TRY(against, read_against(a.against));
  }
  const bool modes = !a.modes.empty();
  context.print(
      modes ? modes_heading(ways)
            : "   n  fold  rate    backend      commit        open      verify     bytes peak-memory");
  std::vector<Measured> results;
  for (std::size_t done = 0; done < cells.size(); done++) {
    VOUCH_TRY(const std::vector<Measured> row, measure_row(a, cells[done], ways, results, context));
    if (modes) context.print(modes_row(row));
    for (const Measured& r : row) {
      if (!modes) context.print(table_row(r) + versus(r, against));
      results.push_back(r);
    }
    std::fflush(stdout);  // a sweep takes long: what is cut off leaves its rows
    context.progress().advance(double(done + 1), double(cells.size()));
  }
  auto& list = context.report()["results"] = nlohmann::ordered_json::array();
  for (const Measured& r : results) list.push_back(row_json(r));
  std::vector<OutputFile> files;
  if (!a.csv.empty()) files.push_back({a.csv, csv_text(results)});
  if (!a.svg.empty())
    files.push_back({a.svg, modes ? modes_chart(a, ways, results) : chart(a, results, against)});
  if (files.empty()) return ok();
  return write_files(files);
}

}  // namespace

std::string cell_name(const SweepCell& c) {
  return std::to_string(c.n) + "/" + std::to_string(c.fold) + "/" + std::to_string(c.rate);
}

void add_whir_sweep_command(CLI::App& whir, Context& context) {
  const auto to = std::make_shared<SweepArguments>();
  CLI::App* command =
      context.add_command(whir, "sweep", "Time commit, open and verify over a grid; every proof is verified",
                          "vouch whir sweep --grid 16-20,4,1 --csv out.csv --svg out.svg",
                          [to, &context] { return sweep(*to, context); });
  command->add_option("--grid", to->grid,
                      "article (29 configurations, its rates), full, or n,fold,rate; repeatable [article]");
  command->add_option("--runs", to->runs, "Runs of each configuration; medians are shown [3]")
      ->check(CLI::Range(1, 1000));
  command
      ->add_option("--backends", to->backends,
                   "Backends to run one after the other; the speed-up is of the last over the first")
      ->delimiter(',');
  command
      ->add_option(
          "--modes", to->modes,
          "A column for each of cpu, gpu (a device, operation by operation), fused (few submissions), "
          "fused+grind (and proof of work there), on the device of --device or --backend [first GPU]")
      ->delimiter(',');
  command->add_option("--device", to->device, "The device of --modes")->type_name("NAME");
  command
      ->add_option("--limit", to->limit,
                   "Leave out what would take more seconds than this, by the times of those before it")
      ->check(CLI::PositiveNumber);
  command->add_option("--against", to->against, "Speed-up over the times in this CSV instead");
  command->add_option("--csv", to->csv, "Write the table as CSV");
  command->add_option("--svg", to->svg, "Write charts: time against n, speed-up per configuration");
  command->add_option("--memory", to->memory, "Stay within so many bytes (4G)");
  add_whir_param_options(*command, to->params);
  command->remove_option(command->get_option("--fold"));
  command->remove_option(command->get_option("--rate"));
  context.add_compute_options(*command);
}

}  // namespace vouch::cli
