// The modes of vouch whir sweep --modes: one proof made by the processor, by a device operation by operation,
// with operations fused into submissions, and with the search for proof of work there, too.
#include <algorithm>
#include <cstdio>
#include <map>

#include "vouch/backend/gpu/choose.h"
#include "vouch/cli/whir_chart.h"
#include "vouch/cli/whir_sweep.h"

namespace vouch::cli {
namespace {

constexpr std::pair<const char*, DeviceMode> device_modes[] = {
    {"gpu", DeviceMode::operations}, {"fused", DeviceMode::fused}, {"fused+grind", DeviceMode::fused_grind}};

}  // namespace

Result<std::vector<SweepWay>> sweep_ways(const SweepArguments& a, const std::string& backend) {
  std::vector<SweepWay> ways;
  if (a.modes.empty()) {
    for (const std::string& name : a.backends.empty() ? std::vector{backend} : a.backends)
      ways.push_back({name, name});
    return ways;
  }
  if (!a.backends.empty()) return usage_error("--modes and --backends exclude each other");
  std::string device = a.device.empty() ? backend : a.device;
  for (const std::string& name : a.modes) {
    if (name == "cpu") {
      ways.push_back({name, name});
      continue;
    }
    const auto mode = std::find_if(std::begin(device_modes), std::end(device_modes),
                                   [&](const auto& m) { return m.first == name; });
    if (mode == std::end(device_modes))
      return usage_error("--modes " + name + " is not cpu, gpu, fused or fused+grind");
    if (device == "cpu" || device == "reference")
      return usage_error("--modes " + name + " needs a device, and --backend " + device + " is none");
    if (device == "auto") {
      const auto found = gpu::first_gpu();
      if (!found)
        return Error{
            Code::unsupported,
            "--modes: no GPU is here that a driver of vouch can use; --device takes any device that vouch "
            "devices lists"};
      device = found->id;
    }
    ways.push_back({name, device, mode->second});
  }
  return ways;
}

std::string modes_heading(const std::vector<SweepWay>& ways) {
  std::string line = "   n  fold  rate";
  char text[64];
  for (const SweepWay& way : ways) {
    std::snprintf(text, sizeof text, " %12s", way.name.c_str());
    line += text;
  }
  for (std::size_t i = 1; i < ways.size(); i++) {
    std::snprintf(text, sizeof text, " %12s", (ways[i].name + "/" + ways[0].name).c_str());
    line += i == 1 ? "  " + std::string(text) : text;
  }
  return line;
}

std::string modes_row(std::span<const Measured> row) {
  char text[64];
  std::snprintf(text, sizeof text, "%4d %5d %5d", row[0].cell.n, row[0].cell.fold, row[0].cell.rate);
  std::string line = text, error;
  for (const Measured& r : row) {
    std::snprintf(text, sizeof text, " %12s", r.error.empty() ? human_seconds(r.prove()).c_str() : "-");
    line += text;
    if (error.empty()) error = r.error;
  }
  for (std::size_t i = 1; i < row.size(); i++) {
    const bool both = row[0].error.empty() && row[i].error.empty();
    if (both)
      std::snprintf(text, sizeof text, " %11.2fx", row[0].prove() / row[i].prove());
    else
      std::snprintf(text, sizeof text, " %12s", "-");
    line += i == 1 ? "  " + std::string(text) : text;
  }
  return error.empty() ? line : line + "  " + error.substr(0, 160);
}

// Lines: the fold and rate measured at most sizes, a line for each mode. Bars: speed-ups, a bar for each
// mode.
std::string modes_chart(const SweepArguments& a, const std::vector<SweepWay>& ways,
                        const std::vector<Measured>& results) {
  std::map<std::pair<int, int>, int> sizes;
  for (const Measured& r : results) sizes[{r.cell.fold, r.cell.rate}] += r.error.empty();
  const auto most = std::max_element(sizes.begin(), sizes.end(),
                                     [](const auto& x, const auto& y) { return x.second <= y.second; });
  std::vector<ChartSeries> lines;
  std::vector<std::string> kinds;
  for (const SweepWay& way : ways) kinds.push_back(way.name), lines.push_back({way.name, {}});
  std::vector<ChartBar> bars;
  for (std::size_t i = 0; i + ways.size() <= results.size(); i += ways.size()) {
    const Measured& base = results[i];
    bool named = false;
    for (std::size_t k = 0; k < ways.size(); k++) {
      const Measured& r = results[i + k];
      if (!r.error.empty()) continue;
      if (std::pair(r.cell.fold, r.cell.rate) == most->first)
        lines[k].points.emplace_back(r.cell.n, r.prove() * 1e3);
      if (k == 0 || !base.error.empty()) continue;
      bars.push_back({named ? "" : cell_name(r.cell), base.prove() / r.prove(), k});
      named = true;
    }
  }
  const std::string device = ways.back().backend;
  return svg_chart("WHIR, " + a.params.field + " degree " + std::to_string(a.params.degree) + " on " + device,
                   "n (log2 of the polynomial), fold " + std::to_string(most->first.first) + ", rate " +
                       std::to_string(most->first.second),
                   "commit + open, ms", lines, "Speed-up over " + ways.front().name + " (n/fold/rate)", bars,
                   kinds);
}

}  // namespace vouch::cli
