// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "analysis/intervals/interval_set.h"
#include "analysis/steps/classes.h"
#include "analysis/steps/event_groups.h"
#include "core/base/context.h"

// What the events of one host say of its steps: how long those are, and which classes are active
// when. The pieces of MeasureSteps.

namespace tfprof {

class Indexes;

// From the start to the end of a step; end < start: none.
struct StepWindow {
  int64_t start_ps = 0;
  int64_t end_ps = -1;
  uint32_t row = 0;  // of the marker; of a hull, of one event in it
  bool some() const { return end_ps >= start_ps; }
};

// Of an event.
StepWindow WindowOf(const Store& store, uint32_t row);

// Extends the hull, which may be none yet, to the window.
void Enclose(const StepWindow& window, StepWindow* hull);

// Keeps of each group the longest event of the lines Steps that the recorder wrote of a process,
// not of those worked out from its events; `longest`: by group.
void KeepStepLines(const Store& store, const EventGroups& groups, const Process& process,
                   std::vector<StepWindow>* longest);

// There is one for nearly every event of a device.
struct GroupedSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  uint32_t group = 0;
  StepClass of = StepClass::host_compute;
};

// The spans of one lane, which arrive by start, but for those that are told when they end.
struct LaneSpans {
  std::vector<GroupedSpan> spans;
  std::array<size_t, kStepClasses> last{};  // of each class: 1 + its last span

  void Add(uint32_t group, StepClass of, int64_t start_ps, int64_t end_ps) {
    size_t& last_of = last[static_cast<size_t>(of)];
    if (last_of > 0) {
      GroupedSpan& before = spans[last_of - 1];
      // What takes no time counts where nothing else runs, so only one within goes.
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

// The union of the spans of each class of groups [first, end).
class GroupUnions {
 public:
  void Reset(uint32_t first, uint32_t end);
  void Add(const GroupedSpan& span) {
    const size_t group = span.group - first_;
    uint32_t& at = set_of_[group * kStepClasses + static_cast<size_t>(span.of)];
    if (at == kNone) at = Make();
    sets_[at].Add(span.start_ps, span.end_ps);
  }
  // The spans of a group, class by class; valid until the next call.
  std::span<ClassSpan> Of(uint32_t group);

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  uint32_t Make();

  uint32_t first_ = 0;
  std::vector<uint32_t> set_of_;  // by group and class
  std::vector<IntervalSet> sets_;
  std::vector<ClassSpan> spans_;
};

// What is asked about: processes of one host and kind.
struct StepSources {
  const Store& store;
  const Indexes& indexes;
  const EventGroups& groups;
  std::vector<ProcessId> processes = {};
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

// Whether an event of a host marks its group; `step_name`: the column of that key.
bool IsMarker(const StepSources& of, HostText text, const DetailColumn& step_name, uint32_t row);

// The longest marker of each group, by index of EventGroups::groups. Error: cancelled.
Result<std::vector<StepWindow>> GpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> TpuWindows(const StepSources& of, Context& context);
Result<std::vector<StepWindow>> HostWindows(const StepSources& of, Context& context);

// What an operation of a TPU is, by label; its category is the same each time it runs.
struct TpuOp {
  StepClass of = StepClass::compute_32;
  bool awaits = false;  // analysis/ops/async_done.h; some of these are collectives
};
// Error: cancelled.
Result<std::vector<TpuOp>> OpsOfTpu(const Store& store, const Indexes& indexes, ProcessId id,
                                    Context& context);

// Groups [first, end) of EventGroups::groups, and the spans of their events in no order, but each
// lane's together; those of one class and lane that touch are one.
struct SpansOfGroups {
  uint32_t first = 0;
  uint32_t end = 0;
  std::span<const LaneSpans> lanes;
};
using TakeSpans = std::function<Result<void>(const SpansOfGroups&)>;

// Calls take(spans) until all groups that have a window have come, each whole and once. Spans of
// GPUs, which are the most, come for some groups at a time. Errors: cancelled, those of `take`.
Result<void> GpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take);
Result<void> TpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take);
Result<void> HostSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                       Context& context, const TakeSpans& take);

}  // namespace tfprof
