// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/parts.h"

#include <algorithm>

#include "core/base/arith.h"
#include "core/base/units.h"
#include "emitters/printable.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

// One per part, distinguishable without color.
constexpr std::string_view kFills[] = {"█", "░", "╱", "▓", "▒", "▚", "▞", "·"};
constexpr std::string_view kAsciiFills[] = {"#", "-", "/", "=", "+", "%", "x", "."};
constexpr std::string_view kColors[] = {"\x1b[34m", "\x1b[36m", "\x1b[90m", "\x1b[33m",
                                        "\x1b[32m", "\x1b[35m", "\x1b[31m", "\x1b[2m"};
constexpr size_t kFillCount = 8;
constexpr std::string_view kHeights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::string_view kAsciiHeights[] = {"_", ".", ":", "-", "=", "+", "*", "#"};
constexpr size_t kHeightCount = 8;
constexpr size_t kWidestLabel = 24;
constexpr size_t kWidestBar = 120;

void AppendFill(size_t part, size_t cells, const Style& style, std::string* out) {
  const size_t at = part % kFillCount;
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
  const Picture& picture;
  size_t parts;
  size_t rows;
  int64_t longest = 0;  // sum of a row
  size_t label_width = 0;
  size_t number_width = 0;

  int64_t Value(size_t row, size_t part) const {
    return std::max<int64_t>(picture.values[row * parts + part], 0);  // kNoInt is the smallest
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

Bars MeasureBars(const Picture& picture) {
  Bars bars{picture, picture.parts.size(), picture.labels.size()};
  for (size_t row = 0; row < bars.rows; ++row) {
    bars.longest = std::max(bars.longest, bars.Sum(row));
    bars.label_width = std::max(bars.label_width, CellWidth(PrintableText(picture.labels[row])));
    bars.number_width = std::max(bars.number_width, Human(bars.Sum(row), picture.unit).size());
  }
  bars.label_width = std::min(bars.label_width, kWidestLabel);
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
    const std::string& name = bars.picture.parts[part];
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

void AppendBars(const Picture& picture, const Style& style, std::string* out) {
  const Bars bars = MeasureBars(picture);
  if (bars.rows == 0 || bars.longest == 0) return;
  const size_t columns = static_cast<size_t>(style.columns);
  const size_t before = bars.label_width + 2 + bars.number_width + 2;
  const size_t width = std::min(columns - std::min(columns - 1, before), kWidestBar);
  out->append(picture.title).push_back('\n');
  for (size_t row = 0; row < bars.rows; ++row) {
    AppendPadded(picture.labels[row], bars.label_width, style.utf8, false, out);
    out->append("  ");
    AppendPadded(Human(bars.Sum(row), picture.unit), bars.number_width, style.utf8, true, out);
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
size_t HeightOf(int64_t value, int64_t least, int64_t most) {
  if (most <= least) return kHeightCount / 2;
  if (value == kNoInt) return 0;
  const double share = static_cast<double>(value - least) / static_cast<double>(most - least);
  return std::min(kHeightCount - 1, static_cast<size_t>(share * kHeightCount));
}

// Returns "494 us to 595 us".
std::string RangeText(int64_t least, int64_t most, Unit unit) {
  const std::string from = Human(least, unit), to = Human(most, unit);
  return from == to ? to : from + " to " + to;
}

// Returns the value of a curve's lowest cell. A memory curve starts at 0: it shows how much was in
// use, of which the varying part may be tiny; so does a curve of percents, which ends at 100. A
// time curve starts at its min: it shows differences.
int64_t LowestOf(const Picture& picture, int64_t least) {
  const bool from_zero = picture.unit == Unit::bytes || picture.unit == Unit::percent;
  return from_zero ? std::min<int64_t>(least, 0) : least;
}

int64_t HighestOf(const Picture& picture, int64_t most) {
  return picture.unit == Unit::percent ? std::max<int64_t>(most, 100) : most;
}

// Appends one line: the title, `title_width` wide, the curve, and its range.
void AppendCurve(const Picture& picture, size_t title_width, const Style& style, std::string* out) {
  std::vector<int64_t> known = picture.values;
  std::erase(known, kNoInt);
  if (known.empty()) return;
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  const std::string range = RangeText(*least, *most, picture.unit);
  const size_t columns = static_cast<size_t>(style.columns);
  const size_t used = title_width + 2 + 2 + range.size();
  if (used >= columns) return;
  AppendPadded(picture.title, title_width, style.utf8, false, out);
  out->append("  ");
  for (const int64_t value : Squeeze(picture.values, std::min(columns - used, kWidestBar))) {
    const size_t height = HeightOf(value, LowestOf(picture, *least), HighestOf(picture, *most));
    out->append(style.utf8 ? kHeights[height] : kAsciiHeights[height]);
  }
  out->append("  ").append(range).push_back('\n');
}

bool IsCurve(const Picture& picture) { return picture.kind == Picture::Kind::curve; }

}  // namespace

void AppendPictures(const std::vector<Picture>& pictures, const Style& style, std::string* out) {
  if (style.columns < kNarrowestPicture) return;
  size_t title_width = 0;
  for (const Picture& picture : pictures) {
    if (IsCurve(picture)) title_width = std::max(title_width, CellWidth(picture.title));
  }
  for (size_t i = 0; i < pictures.size(); ++i) {
    const size_t before = out->size();
    if (IsCurve(pictures[i])) {
      AppendCurve(pictures[i], title_width, style, out);
    } else {
      AppendBars(pictures[i], style, out);
    }
    const bool goes_on =
        IsCurve(pictures[i]) && i + 1 < pictures.size() && IsCurve(pictures[i + 1]);
    if (out->size() > before && !goes_on) out->push_back('\n');
  }
}

}  // namespace tfprof
