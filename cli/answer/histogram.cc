// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/histogram.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/sorting.h"
#include "core/text/units.h"
#include "emitters/table/facts.h"

namespace tfprof {
namespace {

constexpr size_t kBins = 16;
constexpr size_t kHistogramCells = 40;

std::string Shown(const ColumnSpec& spec, double value) {
  std::string text;
  if (spec.type == CellType::real) {
    AppendHumanReal(value, spec.unit, &text);
  } else {
    AppendHuman(static_cast<int64_t>(std::llround(value)), spec.unit, &text, spec.divisor);
  }
  return text;
}

bool IsLog(const std::vector<double>& values, BinScale scale) {
  const double min = values.front(), max = values.back();
  if (scale == BinScale::linear || max <= 0) return false;
  const bool crowded = max > min && Median(values) <= min + (max - min) / kBins;
  return scale == BinScale::log || crowded;
}

// kBins + 1 bounds, equally far apart.
std::vector<double> LinearBounds(double min, double max) {
  if (min == max) return {min, max};
  std::vector<double> bounds;
  for (size_t i = 0; i < kBins; ++i) {
    bounds.push_back(min + (max - min) * static_cast<double>(i) / kBins);
  }
  bounds.push_back(max);
  return bounds;
}

// Powers of a power of two, from below `min` to above `max`.
std::vector<double> BinaryBounds(double min, double max) {
  const double octaves = std::ceil(std::log2(max)) - std::floor(std::log2(min));
  const double factor = std::exp2(std::max(1.0, std::ceil(octaves / kBins)));
  std::vector<double> bounds = {std::exp2(std::floor(std::log2(min)))};
  while (bounds.size() < 2 || bounds.back() < max) bounds.push_back(bounds.back() * factor);
  return bounds;
}

// 1, 2 and 5 times powers of ten, or only these if they would be too many, or every third.
std::vector<double> DecimalBounds(double min, double max) {
  const double first = std::floor(std::log10(min)), decades = std::ceil(std::log10(max)) - first;
  const bool fine = decades * 3 <= kBins;
  const double exponents = decades <= kBins ? 1 : 3;
  std::vector<double> bounds;
  for (double exponent = first; bounds.size() < 2 || bounds.back() < max; exponent += exponents) {
    for (const double times : {1.0, 2.0, 5.0}) {
      const double bound = times * std::pow(10, exponent);
      if (times > 1 && !fine) continue;
      if (bounds.size() == 1 && bound <= min) bounds.clear();
      if (bounds.size() < 2 || bounds.back() < max) bounds.push_back(bound);
    }
  }
  return bounds;
}

// The bounds of bins of positive values, in the unit of the cells, which may be sums over steps.
std::vector<double> LogBounds(const ColumnSpec& spec, double min, double max) {
  const auto divisor = static_cast<double>(spec.type == CellType::real ? 1 : spec.divisor);
  const bool binary = spec.unit == Unit::bytes;
  std::vector<double> bounds = binary ? BinaryBounds(min / divisor, max / divisor)
                                      : DecimalBounds(min / divisor, max / divisor);
  for (double& bound : bounds) bound *= divisor;
  return bounds;
}

struct Bin {
  double from = 0;
  double to = 0;
  size_t count = 0;
};

std::vector<Bin> BinsOf(const ColumnSpec& spec, const std::vector<double>& values, BinScale scale) {
  std::vector<Bin> bins;
  std::vector<double> bounds;
  auto from = values.begin();
  if (IsLog(values, scale)) {
    from = std::upper_bound(values.begin(), values.end(), 0.0);
    const auto count = static_cast<size_t>(from - values.begin());
    if (count > 0) bins.push_back({values.front(), 0, count});
    bounds = LogBounds(spec, *from, values.back());
  } else {
    bounds = LinearBounds(values.front(), values.back());
  }
  for (size_t i = 1; i < bounds.size(); ++i) {
    const bool last = i + 1 == bounds.size();
    const auto to = last ? values.end() : std::upper_bound(from, values.end(), bounds[i]);
    bins.push_back({bounds[i - 1], bounds[i], static_cast<size_t>(to - from)});
    from = to;
  }
  return bins;
}

void AppendBins(const ColumnSpec& spec, const std::vector<Bin>& bins, Sink& out) {
  const auto fewer = [](const Bin& a, const Bin& b) { return a.count < b.count; };
  const size_t max = std::max_element(bins.begin(), bins.end(), fewer)->count;
  for (const Bin& bin : bins) {
    const size_t cells = (bin.count * kHistogramCells + max - 1) / max;
    const std::string bar = bin.count == 0 ? "" : "  " + std::string(cells, '#');
    out.Append(bin.from == bin.to
                   ? fmt::format("{:>12} {:<15} {:>9}{}\n", Shown(spec, bin.to), "", bin.count, bar)
                   : fmt::format("{:>12} .. {:<12} {:>9}{}\n", Shown(spec, bin.from),
                                 Shown(spec, bin.to), bin.count, bar));
  }
}

void AppendQuantiles(const ColumnSpec& spec, const ColumnValues& found, size_t columns, Sink& out) {
  std::vector<double> values = found.values;
  const auto at = [&](unsigned percent) {
    return Shown(spec, Percentile(std::span(values), percent));
  };
  std::vector<std::string> facts = {
      fmt::format("{} of {} rows: min {}", spec.title, values.size(), at(0)),
      "10% " + at(10),
      "median " + at(50),
      "90% " + at(90),
      "99% " + at(99),
      "max " + at(100)};
  if (found.absent > 0) facts.push_back(fmt::format("{} rows without a value", found.absent));
  for (const std::string& line : SideBySide(facts, columns)) out.Append(line + "\n");
}

}  // namespace

void AppendHistogram(const ColumnSpec& spec, const ColumnValues& found, BinScale scale,
                     size_t columns, Sink& out) {
  AppendBins(spec, BinsOf(spec, found.values, scale), out);
  AppendQuantiles(spec, found, columns, out);
}

}  // namespace tfprof
