// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "analysis/intervals/interval_set.h"
#include "analysis/steps/classes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/base/context.h"

// Facts that the events of one host record about its steps: their durations, and the active classes
// over time. Parts of MeasureSteps.

namespace tfprof {

class Indexes;

// The time from the start to the end of a step; end < start: none.
struct StepWindow {
  int64_t start_ps = 0;
  int64_t end_ps = -1;
  uint32_t row = 0;  // row of the marker or, if derived from events, of one of them
  bool some() const { return end_ps >= start_ps; }
};

// Of an event.
StepWindow WindowOf(const Store& store, uint32_t row);

// Extends the hull, which may be none yet, to the window.
void Enclose(const StepWindow& window, StepWindow* extent);

// Where a host marks steps by time, a step of a device lasts from the marker, or from `until_ps` if
// the device works for others until then, to the end of its own work or of the marker.
StepWindow StepOfWork(const StepWindow& marker, const StepWindow& work, int64_t until_ps);
// Returns the end of the last of `others` that starts before the work, at most the start of the
// work; kMinPs: none. `others`: by start.
int64_t EndOfOthers(Intervals others, const StepWindow& work);

// Keeps, for each group, the longest event on the lines Steps that the recorder wrote for a
// process, not on lines derived from its events; `longest`: by group.
void KeepStepLines(const Store& store, const EventGroups& groups, const Process& process,
                   std::vector<StepWindow>* longest);

// A span of one group. Nearly every event of a device has one.
struct GroupedSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t group = 0;
  StepClass of = StepClass::host_compute;
};

// The spans of one lane, which arrive in order of start, except spans that are added at their end.
struct LaneSpans {
  std::vector<GroupedSpan> spans;
  std::array<size_t, kStepClasses> last{};  // by class: 1 + index of its last span

  void Add(uint32_t group, StepClass of, int64_t start_ps, int64_t end_ps) {
    size_t& last_of = last[static_cast<size_t>(of)];
    if (last_of > 0) {
      GroupedSpan& before = spans[last_of - 1];
      // A span without duration counts only if nothing else runs, so only enclosed ones can be
      // dropped.
      const bool joins =
          start_ps < before.end_ps || (start_ps == before.end_ps && end_ps > start_ps);
      if (before.group == group && joins) {
        before.start_ps = std::min(before.start_ps, start_ps);
        before.end_ps = std::max(before.end_ps, end_ps);
        return;
      }
    }
    spans.push_back({start_ps, end_ps, group, of});
    last_of = spans.size();
  }
  void Clear() {
    spans.clear();
    last.fill(0);
  }
};

// For each group in [first, end), the union of its spans by class.
class GroupUnions {
 public:
  void Reset(uint32_t first, uint32_t end);
  void Add(const GroupedSpan& span) {
    const size_t group = span.group - first_;
    uint32_t& at = set_of_[group * kStepClasses + static_cast<size_t>(span.of)];
    if (at == kNone) at = Make();
    sets_[at].Add(span.start_ps, span.end_ps);
  }
  // Returns the spans of a group, class by class; valid until the next call.
  std::span<ClassSpan> Of(uint32_t group);

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  uint32_t Make();

  uint32_t first_ = 0;
  std::vector<uint32_t> set_of_;  // by group and class
  std::vector<IntervalSet> sets_;
  std::vector<ClassSpan> spans_;
};

// The subject of the functions below: processes of one host and kind.
struct StepSources {
  const Store& store;
  const Indexes& indexes;
  const EventGroups& groups;
  std::vector<ProcessId> processes = {};
  bool are_steps = false;  // all groups are steps, also those without compute
};

struct StepLane {
  ProcessId process;
  LaneId lane;
};
std::vector<StepLane> LanesOf(const StepSources& of, Measures measures);

inline uint32_t FirstPlaced(const Lane& lane) { return lane.rows.first + lane.unplaced; }
inline uint32_t EndOf(const Lane& lane) { return lane.rows.first + lane.rows.count; }
inline int64_t EndPs(const Events& events, uint32_t row) {
  return SaturatingAdd(events.start_ps[row], events.duration_ps[row]);
}

// By label of a process.
std::vector<HostText> HostTextsOf(const Store& store, const Process& process);

// Returns true if a host event marks its group; `step_name`: the column of that key.
bool IsMarker(const StepSources& of, HostText text, const DetailColumn& step_name, uint32_t row);

// Return the longest marker of each group, by index into EventGroups::groups. Error: cancelled.
Result<std::vector<StepWindow>> GpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> TpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> HostWindows(const StepSources& of, Context& context);

// The class of a TPU operation, by label; its category is the same each time it runs.
struct TpuOp {
  StepClass of = StepClass::compute_32;
  bool is_async_done = false;  // analysis/ops/async_done.h; collectives may be async-done, too
};
// Error: cancelled.
Result<std::vector<TpuOp>> OpsOfTpu(const Store& store, const Indexes& indexes, ProcessId id,
                                    Context& context);

// Groups [first, end) of EventGroups::groups with the spans of their events, lane after lane,
// otherwise unordered. Touching spans of one class and lane are merged.
struct SpansOfGroups {
  uint32_t first = 0;
  uint32_t end = 0;
  std::span<const LaneSpans> lanes;
};
using TakeSpans = std::function<Result<void>(const SpansOfGroups&)>;

// Call take(spans) until each group that has a window was passed completely and once. Spans of
// GPUs, the most frequent, are passed for some groups at a time. Errors: cancelled, those of
// `take`.
Result<void> GpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take);
Result<void> TpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take);
Result<void> HostSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                       Context& context, const TakeSpans& take);

}  // namespace tfprof
