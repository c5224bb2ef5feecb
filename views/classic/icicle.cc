// SPDX-License-Identifier: Apache-2.0
#include "views/classic/icicle.h"

#include <algorithm>

#include "core/store/store.h"

namespace tfprof {
namespace {

struct FramePosition {
  std::vector<TraceSpan> spans;
  size_t next = 0;
};

size_t Next(FramePosition& at, std::span<TraceSpan> out) {
  const size_t count = std::min(out.size(), at.spans.size() - at.next);
  std::copy_n(at.spans.begin() + static_cast<ptrdiff_t>(at.next), count, out.begin());
  at.next += count;
  return count;
}

int64_t TotalPs(const MeasureScale& scale, const Table& table, size_t row) {
  const int64_t time = At(table.total_values[row], Measure::micros);
  if (time == kNoInt || time <= 0) return 0;
  bool clamped = false;
  return SaturatingMul(time, kPsPerUs / scale.TimesPerUs(), &clamped) / scale.divisor;
}

// Lays out each row within its parent. next_start: start of a row's next child; kNoTime: the row is
// not exported.
std::vector<TraceSpan> Divide(const MeasureScale& scale, const Table& table) {
  const ReportColumn& names = *table.Find("name");
  std::vector<int64_t> next_start(table.rows, kNoTime);
  std::vector<TraceSpan> spans;
  for (size_t row = 0; row < table.rows; ++row) {
    const uint32_t parent = table.parent[row];
    const int64_t total_ps = TotalPs(scale, table, row);
    int64_t start_ps = 0;
    if (parent != Table::kNoRow) {
      if (total_ps == 0 || next_start[parent] == kNoTime) continue;
      start_ps = next_start[parent];
      next_start[parent] = WrapAdd(start_ps, total_ps);
    }
    next_start[row] = start_ps;
    spans.push_back({start_ps, total_ps, names.texts[row], table.depth[row]});
  }
  return spans;
}

Result<Trace> ExportIcicle(const Report& report, Context&) {
  auto position = std::make_shared<FramePosition>();
  position->spans = Divide(report.scale, report.tables[0]);
  Trace trace;
  uint32_t deepest = 0;
  for (const TraceSpan& span : position->spans) deepest = std::max(deepest, span.track);
  for (uint32_t depth = 0; depth <= deepest; ++depth) {
    trace.groups.push_back({"Scope:" + std::to_string(depth)});
    trace.tracks.push_back({depth, ""});
  }
  trace.spans = CursorFrom<TraceSpan>(std::move(position), Next);
  return trace;
}

}  // namespace

TraceExport IcicleExport() { return ExportIcicle; }

}  // namespace tfprof
