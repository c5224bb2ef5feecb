// SPDX-License-Identifier: Apache-2.0
#include "emitters/flame/frames.h"

#include <algorithm>
#include <functional>

#include "emitters/cells.h"

namespace tfprof {
namespace {

// Returns the first selected measure that was recorded, else the first selected one.
const ReportColumn* TotalsOf(const Report& report) {
  const ReportColumn* first = nullptr;
  for (const ReportColumn& column : report.tables[0].columns) {
    if (column.spec.role != ColumnRole::total || !column.spec.shown) continue;
    if (TotalOf(report, MeasureId(column)) != kNoInt) return &column;
    if (first == nullptr) first = &column;
  }
  return first;
}

// Returns each row's total, or more if its non-negative children need more.
std::vector<int64_t> Widths(const Table& table, const ReportColumn& totals, Flame* flame) {
  std::vector<int64_t> own(table.rows), width(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const int64_t total = totals.Integer(row);
    if (total == kNoInt) continue;
    own[row] = WrapAdd(own[row], total);
    const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
    if (has_parent) own[table.parent[row]] = WrapAdd(own[table.parent[row]], -total);
  }
  for (size_t row = table.rows; row-- > 0;) {
    if (own[row] < 0) ++flame->negative;
    width[row] = SaturatingAdd(width[row], std::max<int64_t>(own[row], 0));
    const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
    if (has_parent) {
      int64_t& above = width[table.parent[row]];
      above = SaturatingAdd(above, width[row]);
    }
  }
  return width;
}

// Closes the frames that are open from `depth` on: the next frame is not below them.
void Close(uint32_t depth, std::vector<uint32_t>* open, Flame* flame) {
  const auto next = static_cast<uint32_t>(flame->frames.size());
  for (; open->size() > depth; open->pop_back()) flame->frames[open->back()].end = next;
}

// The parts of the total that no row covers. In a list they are self value of the whole; in code,
// untraced is a frame of its own.
struct Outside {
  int64_t rows = 0;
  int64_t untraced = 0;
};

Result<void> AddFrames(const Table& table, const std::vector<int64_t>& width,
                       const Outside& outside, Flame* flame, Context& context) {
  std::vector<uint32_t> open;
  // The rows of a list are children of a frame for the whole.
  const uint32_t shift = table.tree ? 0 : 1;
  if (!table.tree || table.PrintedRows() == 0) {
    int64_t sum = outside.rows;
    for (const int64_t one : width) sum = SaturatingAdd(sum, one);
    flame->frames.push_back({.total = sum});
    open.push_back(0);
  }
  for (uint32_t row = 0; row < table.PrintedRows(); ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    const uint32_t depth = (table.tree ? table.depth[row] : 0) + shift;
    if (width[row] == 0 && depth > 0) continue;  // so are all rows below it
    Close(depth, &open, flame);
    open.push_back(static_cast<uint32_t>(flame->frames.size()));
    flame->frames.push_back({.row = row, .depth = depth, .total = width[row]});
  }
  FlameFrame& whole = flame->frames.front();
  whole.total = SaturatingAdd(whole.total, outside.untraced);
  Close(1, &open, flame);
  if (outside.untraced > 0) {
    open.push_back(static_cast<uint32_t>(flame->frames.size()));
    flame->frames.push_back({.depth = 1, .total = outside.untraced});
  }
  Close(0, &open, flame);
  return {};
}

// Children follow their parents and end where the next one begins.
void SetSelf(Flame* flame) {
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < flame->frames.size(); ++i) {
    FlameFrame& frame = flame->frames[i];
    frame.self = frame.total;
    path.resize(frame.depth);
    if (!path.empty()) {
      int64_t& above = flame->frames[path.back()].self;
      above = std::max<int64_t>(SaturatingAdd(above, -frame.total), 0);
    }
    path.push_back(i);
  }
}

}  // namespace

Result<Flame> FlameOf(const Report& report, Context& context) {
  const ReportColumn* totals = TotalsOf(report);
  if (totals == nullptr) {
    return UsageError("-select: a flame graph needs a measure", Remedy::select_measure);
  }
  Flame flame;
  for (const MeasureInfo& info : AllMeasures()) {
    if (info.id != MeasureId(*totals)) continue;
    flame.measure = info.measure;
    flame.title = info.title;
  }
  flame.unit = totals->spec.unit;
  flame.divisor = totals->spec.divisor;
  const Table& table = report.tables[0];
  const std::string_view id = MeasureId(*totals);
  const Outside outside{std::max<int64_t>(OutsideRows(report, id), 0),
                        std::max<int64_t>(Untraced(report, id), 0)};
  TFPROF_TRY(AddFrames(table, Widths(table, *totals, &flame), outside, &flame, context));
  SetSelf(&flame);
  if (report.base != nullptr) TFPROF_TRY(AddBase(report, &flame, context));
  return flame;
}

int64_t MinToKeep(const Flame& flame, size_t max) {
  if (flame.frames.size() <= max) return 0;
  std::vector<int64_t> totals;
  for (const FlameFrame& frame : flame.frames) totals.push_back(frame.total);
  const auto last = totals.begin() + static_cast<ptrdiff_t>(max);
  std::nth_element(totals.begin(), last, totals.end(), std::greater<>());
  return SaturatingAdd(*last, 1);
}

size_t CutSmall(int64_t min, Flame* flame) {
  const std::vector<FlameFrame> all = std::move(flame->frames);
  flame->frames.clear();
  std::vector<uint32_t> open;             // kept frames
  std::vector<FlameFrame> merged_frames;  // by open frame: the children removed below it
  size_t merged = 0;
  const auto close = [&](uint32_t depth) {
    for (; open.size() > depth; open.pop_back(), merged_frames.pop_back()) {
      if (merged_frames.back().small > 0) flame->frames.push_back(merged_frames.back());
      const auto next = static_cast<uint32_t>(flame->frames.size());
      flame->frames[open.back()].end = next;
      if (merged_frames.back().small > 0) flame->frames.back().end = next;
    }
  };
  for (uint32_t i = 0; i < all.size(); ++i) {
    const FlameFrame& frame = all[i];
    close(frame.depth);
    if (frame.depth > 0 && frame.total < min) {
      FlameFrame& small = merged_frames.back();
      small.depth = frame.depth;
      small.total = small.self = SaturatingAdd(small.total, frame.total);
      small.small += frame.end - i;
      small.base_total += frame.base_total;
      small.base_self += frame.base_total;
      merged += frame.end - i;
      i = frame.end - 1;
      continue;
    }
    open.push_back(static_cast<uint32_t>(flame->frames.size()));
    merged_frames.emplace_back();
    flame->frames.push_back(frame);
  }
  close(0);
  return merged;
}

}  // namespace tfprof
