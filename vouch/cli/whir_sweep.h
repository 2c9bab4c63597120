// What a sweep measures, shared by its two tables: whir_sweep.cc (a row for each backend), whir_modes.cc (a
// column for each mode).
#pragma once

#include <string>
#include <vector>

#include "vouch/cli/whir_options.h"

namespace vouch::cli {

struct SweepCell {
  int n, fold, rate;
};

// Where and how a proof is made.
struct SweepWay {
  std::string name;  // in tables
  std::string backend;
  DeviceMode mode = DeviceMode::fused_grind;
};

struct SweepArguments {
  std::vector<std::string> grid = {"article"};
  WhirParamOptions params;
  std::vector<std::string> backends, modes;
  std::string device;  // of modes
  std::string csv, svg, against, memory;
  int runs = 3;
  double limit = 0;  // seconds for one configuration in one way; 0: none
};

struct Measured {
  SweepCell cell;
  SweepWay way;
  double commit = 0, open = 0, verify = 0;  // seconds, medians
  std::vector<std::uint8_t> proof;
  std::uint64_t peak = 0, predicted = 0;
  std::uint64_t permutations = 0;  // of its trees, by which the time of larger ones is foretold
  std::string error;               // set: not run

  double prove() const { return commit + open; }
};

std::string cell_name(const SweepCell& c);

// "cpu", "gpu", "fused", "fused+grind" on the device that the arguments name, or the first GPU.
Result<std::vector<SweepWay>> sweep_ways(const SweepArguments& a, const std::string& backend);
std::string modes_heading(const std::vector<SweepWay>& ways);
// One configuration: its time in each way, and how many times as fast as the first.
std::string modes_row(std::span<const Measured> row);
std::string modes_chart(const SweepArguments& a, const std::vector<SweepWay>& ways,
                        const std::vector<Measured>& results);

}  // namespace vouch::cli
