// vouch devices: where proofs can be computed on this machine, and whether what is there computes rightly.
#include "vouch/backend/cpu/instructions.h"
#include "vouch/backend/gpu/device.h"
#include "vouch/backend/known_answers.h"
#include "vouch/cli/app.h"
#include "vouch/core/cpu_features.h"
#include "vouch/core/parallel.h"

namespace vouch::cli {
namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// "passed", or what went wrong.
struct Checked {
  std::string proof_system;
  Status status;
};

// Sums as they are by default, of constant work, and with tables.
Status check_sums_of(const std::string& id, bool constant_work, bool tables) {
  VOUCH_TRY(const auto backend, open_backend(id, {.device_tables = tables, .constant_work = constant_work}));
  return check_known_answers(*backend);
}
Checked check_groth16(const std::string& id) {
  Status status = check_sums_of(id, false, false);
  if (status.ok()) status = check_sums_of(id, true, false);
  if (status.ok()) status = check_sums_of(id, false, true);
  return {"groth16", status};
}

template <class F, int D>
Status check_field(const std::string& id, SelfTest extent) {
  VOUCH_TRY(const auto ops, (open_poly<F, D>(id)));
  return check_known_answers(*ops, extent);
}

Checked check_whir(const std::string& id, SelfTest extent) {
  Status status = check_field<BabyBear, 4>(id, extent);
  if (status.ok()) status = check_field<BabyBear, 5>(id, extent);
  if (status.ok()) status = check_field<KoalaBear, 4>(id, extent);
  if (status.ok()) status = check_field<KoalaBear, 5>(id, extent);
  return {"whir", status};
}

// Runs the self-tests of one place; returns whether all passed.
bool check(const std::string& id, const std::vector<std::string>& systems, SelfTest extent, Context& context,
           nlohmann::ordered_json& entry) {
  bool all = true;
  for (const std::string& system : systems) {
    context.progress().stage("checking " + id);
    const Checked checked = system == "whir" ? check_whir(id, extent) : check_groth16(id);
    all = all && checked.status.ok();
    nlohmann::ordered_json result = {{"passed", checked.status.ok()}};
    if (!checked.status.ok()) result["error"] = checked.status.error().what;
    entry["check"][system] = result;
    context.print("    " + system + ": " +
                  (checked.status.ok() ? "passed" : "FAILED: " + checked.status.error().what));
  }
  return all;
}

void describe_processor(Context& context) {
  const int threads = Threads().count();
  const auto groth16 = groth16_instructions(), whir = poly_instructions();
  context.print("cpu        " + cpu_name() + ", " + std::to_string(threads) + " threads");
  context.print("    instructions: groth16 " + joined(groth16) + "; whir " + joined(whir));
  context.report()["processor"] = {{"id", "cpu"},
                                   {"name", cpu_name()},
                                   {"threads", threads},
                                   {"instructions", {{"groth16", groth16}, {"whir", whir}}}};
}

void describe(const gpu::DeviceInfo& d, const std::vector<std::string>& systems, Context& context) {
  char line[512];
  std::snprintf(line, sizeof line, "%-10s %s", d.id.c_str(), d.name.c_str());
  context.print(line);
  context.print("    " + std::string(d.gpu ? "GPU" : "not a GPU") + "; " + d.driver + "; memory " +
                human_bytes(d.memory) + ", largest buffer " + human_bytes(d.largest_buffer) + "; " +
                std::to_string(d.units) + (d.units == 1 ? " unit" : " units") + "; for " + joined(systems));
}

Status devices(bool checking, Context& context) {
  const std::vector<std::string> systems = gpu::proof_systems();
  describe_processor(context);
  bool all = true;
  if (checking)
    all = check("cpu", {"groth16", "whir"}, SelfTest::every_kernel, context, context.report()["processor"]);
  auto& list = context.report()["devices"] = nlohmann::ordered_json::array();
  for (const gpu::DeviceDriver& driver : gpu::drivers())
    for (const gpu::DeviceInfo& d : driver.list()) {
      describe(d, systems, context);
      nlohmann::ordered_json entry = {
          {"id", d.id},       {"name", d.name},           {"driver", d.driver},
          {"gpu", d.gpu},     {"memory_bytes", d.memory}, {"largest_buffer_bytes", d.largest_buffer},
          {"units", d.units}, {"proof_systems", systems}};
      if (checking)
        all = check(d.id, systems, d.gpu ? SelfTest::every_kernel : SelfTest::brief, context, entry) && all;
      list.push_back(std::move(entry));
    }
  bool any = false;
  for (const auto& entry : list) any = any || entry["gpu"] == true;
  if (!any) context.print("No GPU is here that a driver of vouch can use.");
  if (all) return ok();
  return Error{Code::device, "a self-test failed"};
}

}  // namespace

void add_devices_command(CLI::App& root, Context& context) {
  const auto checking = std::make_shared<bool>(false);
  CLI::App* command = context.add_command(
      root, "devices", "List where proofs can be computed: processor and devices", "vouch devices --check",
      [checking, &context] { return devices(*checking, context); });
  command->add_flag("--check", *checking,
                    "Run a short self-test on each and compare with the processor; exit code 1 if one fails");
  context.add_output_options(*command);
}

}  // namespace vouch::cli
