// SVG by hand: rectangles, lines and text, readable without any program but a browser.
#include "vouch/cli/whir_chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace vouch::cli {
namespace {

constexpr double width = 900, left = 70, right = 210, line_height = 380, top = 50;
constexpr std::array colours = {"#1b6ca8", "#d1495b", "#2e8b57", "#b8860b", "#6a4c93", "#00798c",
                                "#8b5e34", "#5b6770", "#c0589f", "#7a9e00", "#e07a5f", "#3d405b"};

std::string number(double x) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(),
                x >= 100 || x == std::floor(x) ? "%.0f"
                : x >= 1                       ? "%.1f"
                                               : "%.3g",
                x);
  return text.data();
}

std::string escape(const std::string& s) {
  std::string out;
  for (char c : s) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '&') {
      out += "&amp;";
    } else {
      out += c;
    }
  }
  return out;
}

class Svg {
 public:
  void text(double x, double y, const std::string& s, const char* anchor = "start", int size = 12) {
    body_ += "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" font-size=\"" + std::to_string(size) +
             "\" text-anchor=\"" + anchor + "\">" + escape(s) + "</text>\n";
  }
  void line(double x1, double y1, double x2, double y2, const char* colour, double w = 1) {
    body_ += "<line x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) + "\" y2=\"" +
             number(y2) + "\" stroke=\"" + colour + "\" stroke-width=\"" + number(w) + "\"/>\n";
  }
  void dot(double x, double y, const char* colour) {
    body_ += "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"3\" fill=\"" + colour + "\"/>\n";
  }
  void bar(double x, double y, double w, double h, const char* colour) {
    body_ += "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" + number(w) + "\" height=\"" +
             number(h) + "\" fill=\"" + colour + "\"/>\n";
  }
  std::string finish(double height) const {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(width) + " " + number(height) +
           "\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n" + body_ +
           "</svg>\n";
  }

 private:
  std::string body_;
};

void draw_lines(Svg& svg, const std::string& x_label, const std::string& y_label,
                const std::vector<ChartSeries>& series) {
  double x0 = 1e300, x1 = -1e300, y0 = 1e300, y1 = -1e300;
  for (const auto& s : series)
    for (const auto& [x, y] : s.points)
      x0 = std::min(x0, x), x1 = std::max(x1, x), y0 = std::min(y0, std::log10(y)),
      y1 = std::max(y1, std::log10(y));
  y0 = std::floor(y0), y1 = std::max(std::ceil(y1), y0 + 1);
  if (x1 == x0) x0 -= 1, x1 += 1;
  const auto px = [&](double x) { return left + (x - x0) / (x1 - x0) * (width - left - right); };
  const auto py = [&](double log_y) { return top + (y1 - log_y) / (y1 - y0) * line_height; };
  for (double d = y0; d <= y1; d++) {
    svg.line(left, py(d), width - right, py(d), "#ccc");
    svg.text(left - 6, py(d) + 4, number(std::pow(10, d)), "end");
  }
  for (double x = std::ceil(x0); x <= x1; x++) svg.text(px(x), top + line_height + 18, number(x), "middle");
  svg.text(left + (width - left - right) / 2, top + line_height + 38, x_label, "middle");
  svg.text(left, top - 10, y_label);
  for (std::size_t i = 0; i < series.size(); i++) {
    const char* colour = colours[i % colours.size()];
    auto points = series[i].points;
    std::sort(points.begin(), points.end());
    for (std::size_t j = 0; j < points.size(); j++) {
      const double x = px(points[j].first), y = py(std::log10(points[j].second));
      if (j > 0) svg.line(px(points[j - 1].first), py(std::log10(points[j - 1].second)), x, y, colour, 2);
      svg.dot(x, y, colour);
    }
    const double legend = top + 16 * double(i);
    svg.dot(width - right + 16, legend - 4, colour);
    svg.text(width - right + 24, legend, series[i].name);
  }
}

void draw_bars(Svg& svg, double from, const std::string& title, const std::vector<ChartBar>& bars,
               const std::vector<std::string>& kinds) {
  svg.text(left, from, title, "start", 14);
  double most = 1;
  for (const ChartBar& b : bars) most = std::max(most, b.value);
  const double room = width - left - right - 60;
  for (std::size_t i = 0; i < bars.size(); i++) {
    const double y = from + 14 + 20 * double(i);
    svg.text(left + 86, y + 12, bars[i].name, "end");
    const std::size_t colour = kinds.empty() ? (bars[i].value >= 1 ? 0 : 1) : bars[i].kind;
    svg.bar(left + 92, y, std::max(1.0, bars[i].value / most * room), 14, colours[colour % colours.size()]);
    svg.text(left + 98 + bars[i].value / most * room, y + 12, number(bars[i].value) + "x");
  }
  for (std::size_t i = 0; i < kinds.size(); i++) {
    const double legend = from + 26 + 16 * double(i);
    svg.dot(width - right + 16, legend - 4, colours[i % colours.size()]);
    svg.text(width - right + 24, legend, kinds[i]);
  }
  const double one = left + 92 + room / most;
  svg.line(one, from + 8, one, from + 14 + 20 * double(bars.size()), "#333");
}

}  // namespace

std::string svg_chart(const std::string& title, const std::string& x_label, const std::string& y_label,
                      const std::vector<ChartSeries>& series, const std::string& bars_title,
                      const std::vector<ChartBar>& bars, const std::vector<std::string>& bar_kinds) {
  Svg svg;
  svg.text(left, 22, title, "start", 16);
  double height = top;
  const bool measured =
      std::any_of(series.begin(), series.end(), [](const auto& s) { return !s.points.empty(); });
  if (!measured && bars.empty()) svg.text(left, height, "Nothing was measured.");
  if (measured) {
    draw_lines(svg, x_label, y_label, series);
    height += std::max(line_height + 50, 16.0 * double(series.size()));
  }
  if (!bars.empty()) {
    draw_bars(svg, height + 30, bars_title, bars, bar_kinds);
    height += 60 + 20 * double(bars.size());
  }
  return svg.finish(height + 20);
}

}  // namespace vouch::cli
