// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/parts.h"

#include <algorithm>
#include <utility>

#include "core/base/arith.h"
#include "core/text/units.h"
#include "emitters/printable.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

// One per part, distinguishable without color.
constexpr std::string_view kFills[] = {"█", "░", "╱", "▓", "▒", "▚", "▞", "·"};
constexpr std::string_view kAsciiFills[] = {"#", "-", "/", "=", "+", "%", "x", "."};
constexpr std::string_view kColors[] = {"\x1b[34m", "\x1b[36m", "\x1b[90m", "\x1b[33m",
                                        "\x1b[32m", "\x1b[35m", "\x1b[31m", "\x1b[2m"};
constexpr std::string_view kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kAsciiHeights[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
constexpr size_t kMaxLabelWidth = 24;
constexpr size_t kMaxBarWidth = 120;

void AppendFill(size_t part, size_t cells, const Style& style, std::string* out) {
  const size_t at = part % std::size(kFills);
  std::string fill;
  for (size_t i = 0; i < cells; ++i) fill.append(style.utf8 ? kFills[at] : kAsciiFills[at]);
  AppendPainted(fill, kColors[at], style, out);
}

// Pads to `width` cells; cuts wider text.
void AppendPadded(std::string_view text, size_t width, bool utf8, bool right, std::string* out) {
  std::string cut;
  const size_t taken = AppendCut(PrintableText(text, utf8), width, utf8, &cut);
  const size_t pad = width - std::min(width, taken);
  if (right) out->append(pad, ' ');
  out->append(cut);
  if (!right) out->append(pad, ' ');
}

// ---- bars --------------------------------------------------------------------------------------

struct Bars {
  const Chart& chart;
  size_t parts;
  size_t rows;
  int64_t longest = 0;  // sum of a row
  size_t label_width = 0;
  size_t number_width = 0;

  int64_t Value(size_t row, size_t part) const {
    return std::max<int64_t>(chart.values[row * parts + part], 0);  // kNoInt is the smallest
  }
  int64_t Sum(size_t row) const {
    int64_t sum = 0;
    for (size_t part = 0; part < parts; ++part) sum = SaturatingAdd(sum, Value(row, part));
    return sum;
  }
  bool IsShown(size_t part) const {
    for (size_t row = 0; row < rows; ++row) {
      if (Value(row, part) > 0) return true;
    }
    return false;
  }
};

Bars MeasureBars(const Chart& chart) {
  Bars bars{chart, chart.parts.size(), chart.labels.size()};
  for (size_t row = 0; row < bars.rows; ++row) {
    bars.longest = std::max(bars.longest, bars.Sum(row));
    bars.label_width = std::max(bars.label_width, CellWidth(PrintableText(chart.labels[row])));
    bars.number_width = std::max(bars.number_width, Human(bars.Sum(row), chart.unit).size());
  }
  bars.label_width = std::min(bars.label_width, kMaxLabelWidth);
  return bars;
}

// Returns the cells up to the end of a value, rounded so that parts with equal ends end in the same
// cell.
size_t CellsTo(int64_t value, const Bars& bars, size_t width) {
  const double share = static_cast<double>(value) / static_cast<double>(bars.longest);
  return std::min(width, static_cast<size_t>(share * static_cast<double>(width) + 0.5));
}

void AppendBar(const Bars& bars, size_t row, size_t width, const Style& style, std::string* out) {
  int64_t until = 0;
  size_t drawn = 0;
  for (size_t part = 0; part < bars.parts; ++part) {
    until = SaturatingAdd(until, bars.Value(row, part));
    const size_t end = CellsTo(until, bars, width);
    AppendFill(part, end - drawn, style, out);
    drawn = end;
  }
}

void AppendLegend(const Bars& bars, const Style& style, std::string* out) {
  size_t used = 0;
  for (size_t part = 0; part < bars.parts; ++part) {
    if (!bars.IsShown(part)) continue;
    const std::string& name = bars.chart.parts[part];
    const size_t wanted = CellWidth(name) + 2;
    if (used > 0 && used + 2 + wanted > static_cast<size_t>(style.columns)) {
      out->push_back('\n');
      used = 0;
    }
    if (used > 0) out->append("  ");
    used += (used > 0 ? 2 : 0) + wanted;
    AppendFill(part, 1, style, out);
    out->append(" ").append(name);
  }
  out->push_back('\n');
}

void AppendBars(const Chart& chart, const Style& style, std::string* out) {
  const Bars bars = MeasureBars(chart);
  if (bars.rows == 0 || bars.longest == 0) return;
  const size_t columns = static_cast<size_t>(style.columns);
  const size_t before = bars.label_width + 2 + bars.number_width + 2;
  const size_t width = std::min(columns - std::min(columns - 1, before), kMaxBarWidth);
  out->append(chart.title).push_back('\n');
  for (size_t row = 0; row < bars.rows; ++row) {
    AppendPadded(chart.labels[row], bars.label_width, style.utf8, false, out);
    out->append("  ");
    AppendPadded(Human(bars.Sum(row), chart.unit), bars.number_width, style.utf8, true, out);
    out->append("  ");
    AppendBar(bars, row, width, style, out);
    out->push_back('\n');
  }
  AppendLegend(bars, style, out);
}

// ---- curves ------------------------------------------------------------------------------------

// Returns at most `width` values; values that share a cell become their maximum.
std::vector<int64_t> Squeeze(const std::vector<int64_t>& values, size_t width) {
  if (values.size() <= width) return values;
  std::vector<int64_t> squeezed(width, kNoInt);
  for (size_t i = 0; i < values.size(); ++i) {
    int64_t& cell = squeezed[i * width / values.size()];
    cell = std::max(cell, values[i]);
  }
  return squeezed;
}

// Returns the height between min and max. Values that were not measured get the lowest.
size_t HeightOf(int64_t value, int64_t min, int64_t max) {
  if (max <= min) return std::size(kHeights) / 2;
  if (value == kNoInt) return 0;
  const double share = static_cast<double>(value - min) / static_cast<double>(max - min);
  return std::min(std::size(kHeights) - 1, static_cast<size_t>(share * std::size(kHeights)));
}

// Returns the value of a curve's lowest cell. A memory curve starts at 0: it shows how much was in
// use, of which the varying part may be tiny; so does a curve of percents, which ends at 100. A
// time curve starts at its min: it shows differences.
int64_t LowestOf(const Chart& chart, int64_t min) {
  const bool from_zero = chart.unit == Unit::bytes || chart.unit == Unit::percent;
  return from_zero ? std::min<int64_t>(min, 0) : min;
}

int64_t HighestOf(const Chart& chart, int64_t max) {
  return chart.unit == Unit::percent ? std::max<int64_t>(max, 100) : max;
}

// Appends one line: the title, `title_width` wide, the curve, and its range.
void AppendCurve(const Chart& chart, size_t title_width, const Style& style, std::string* out) {
  std::vector<int64_t> known = chart.values;
  std::erase(known, kNoInt);
  if (known.empty()) return;
  const auto [min, max] = std::minmax_element(known.begin(), known.end());
  const std::string from = Human(*min, chart.unit), to = Human(*max, chart.unit);
  const std::string range = from == to ? to : from + " to " + to;
  const size_t columns = static_cast<size_t>(style.columns);
  const size_t used = title_width + 2 + 2 + range.size();
  if (used >= columns) return;
  AppendPadded(chart.title, title_width, style.utf8, false, out);
  out->append("  ");
  for (const int64_t value : Squeeze(chart.values, std::min(columns - used, kMaxBarWidth))) {
    const size_t height = HeightOf(value, LowestOf(chart, *min), HighestOf(chart, *max));
    out->append(style.utf8 ? kHeights[height] : kAsciiHeights[height]);
  }
  out->append("  ").append(range).push_back('\n');
}

bool IsCurve(const Chart& chart) { return chart.kind == Chart::Kind::curve; }

}  // namespace

void AppendCharts(const std::vector<Chart>& charts, const Style& style, std::string* out) {
  if (style.columns < kMinChartWidth) return;
  size_t title_width = 0;
  for (const Chart& chart : charts) {
    if (IsCurve(chart)) title_width = std::max(title_width, CellWidth(chart.title));
  }
  bool is_drawn = false;  // of the list of curves, or the chart
  for (size_t i = 0; i < charts.size(); ++i) {
    const size_t before = out->size();
    if (IsCurve(charts[i])) {
      AppendCurve(charts[i], title_width, style, out);
    } else {
      AppendBars(charts[i], style, out);
    }
    const bool continues_list =
        IsCurve(charts[i]) && i + 1 < charts.size() && IsCurve(charts[i + 1]);
    is_drawn |= out->size() > before;
    if (continues_list) continue;
    if (std::exchange(is_drawn, false)) out->push_back('\n');
  }
}

}  // namespace tfprof
