// Charts of a sweep as one SVG file: time against n, and speed-up per configuration.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace vouch::cli {

struct ChartSeries {
  std::string name;
  std::vector<std::pair<double, double>> points;  // x, y > 0
};
struct ChartBar {
  std::string name;  // empty: the bar belongs to the name above it
  double value;
  std::size_t kind = 0;  // into bar_kinds
};

// Lines on a logarithmic y axis above, bars below. Either part is left out when it has no points or bars.
// bar_kinds: names for a legend, where bars are of several kinds.
std::string svg_chart(const std::string& title, const std::string& x_label, const std::string& y_label,
                      const std::vector<ChartSeries>& series, const std::string& bars_title,
                      const std::vector<ChartBar>& bars, const std::vector<std::string>& bar_kinds = {});

}  // namespace vouch::cli
