// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/small_ops.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/intervals/interval_set.h"
#include "analysis/wall/python_names.h"
#include "core/base/arith.h"

namespace tfprof {
namespace {

class SmallOpsCounting {
 public:
  SmallOpsCounting(const Store& store, const HostWall& wall)
      : store_(store), wall_(wall), states_(wall.thread.nesting.parent.size()) {
    found_.are_launches = wall.has_devices && wall.thread.calls.empty() &&
                          std::ranges::none_of(wall.thread.nesting.order, [&](uint32_t row) {
                            return LabelOf(row).of == EventClass::op;
                          });
  }

  void Run() {
    for (const uint32_t row : wall_.thread.nesting.order) Enter(row);
    for (const uint32_t row : wall_.thread.nesting.order) {
      const State& state = StateOf(row);
      if (Starts(LabelOf(row)) && !state.excluded && !state.encloses) {
        AddInnermost(row, state.place);
      }
    }
  }

  SmallOps Finish() {
    found_.places = LargestFirst(places_);
    found_.ops = LargestFirst(ops_);
    if (!wall_.has_devices) return std::move(found_);
    found_.ps = SaturatingAdd(wall_.PartPs(WallKind::eager), wall_.PartPs(WallKind::launch));
    AddInParts();
    return std::move(found_);
  }

 private:
  struct State {
    bool excluded = false;    // compiles, or makes input
    bool encloses = false;    // an operation
    uint32_t op = kNoRow;     // the innermost operation: around the event, or itself
    uint32_t place = kNoRow;  // the innermost function or region of the program
  };
  State& StateOf(uint32_t row) { return states_[row - wall_.thread.nesting.first]; }

  const Label& LabelOf(uint32_t row) const { return store_.labels[store_.events.label[row].value]; }

  bool Starts(const Label& label) const {
    if (!found_.are_launches) return label.of == EventClass::op;
    return label.of == EventClass::runtime_call && label.role == EventRole::runtime_call;
  }

  void Enter(uint32_t row) {
    const uint32_t parent = wall_.thread.nesting.ParentOf(row);
    State state = parent == kNoRow ? State() : StateOf(parent);
    state.encloses = false;
    const Label& label = LabelOf(row);
    state.excluded |= label.role == EventRole::compile || label.role == EventRole::input_fetch;
    if (Starts(label)) {
      if (state.op != kNoRow) {
        StateOf(state.op).encloses = true;
      } else if (!state.excluded) {
        AddStarting(row);
      }
      state.op = row;
    }
    if (IsPlace(row, label)) state.place = row;
    StateOf(row) = state;
  }

  // Adds the time of an operation, and of a short gap before it.
  void AddStarting(uint32_t row) {
    const int64_t start_ps = store_.events.start_ps[row], end_ps = store_.events.EndPs(row);
    const bool follows = started_ps_ != kNoTime && start_ps - started_ps_ < kStartingPs;
    starting_.Add(follows ? started_ps_ : start_ps, end_ps);
    started_ps_ = end_ps;
  }

  bool MayStart(WallKind kind) const {
    return kind == WallKind::python || (found_.are_launches && kind == WallKind::unrecorded);
  }

  void AddInParts() {
    found_.in_parts.resize(wall_.parts.size(), 0);
    const Intervals starting = starting_.Parts();
    for (const WallSegment& segment : wall_.segments) {
      if (segment.part >= wall_.parts.size()) continue;
      if (!MayStart(wall_.parts[segment.part].kind)) continue;
      int64_t& ps = found_.in_parts[segment.part];
      EachWithin(starting, segment.start_ps, segment.end_ps,
                 [&](int64_t start, int64_t end) { ps = SaturatingAdd(ps, end - start); });
    }
    for (const int64_t ps : found_.in_parts) found_.ps = SaturatingAdd(found_.ps, ps);
  }

  bool IsPlace(uint32_t row, const Label& label) const {
    if (label.of == EventClass::annotation) return label.role != EventRole::root_step_marker;
    return PythonNameOfEvent(store_, row).kind == PythonKind::user;
  }

  void AddInnermost(uint32_t row, uint32_t place) {
    const int64_t start_ps = store_.events.start_ps[row], end_ps = store_.events.EndPs(row);
    const Interval& window = wall_.steps.window;
    if (start_ps < window.start_ps || start_ps >= window.end_ps) return;
    const bool is_small = end_ps - start_ps < kStartingPs;
    if (is_small || wall_.has_devices) {
      ++found_.count;
      ++ops_[std::string(store_.Text(LabelOf(row).name))];
      if (place != kNoRow) ++places_[NameOfEvent(store_, wall_.thread.columns, place)];
    }
    if (is_small) {
      const bool follows = last_end_ps_ != kNoTime && start_ps - last_end_ps_ < kStartingPs;
      found_.ps = SaturatingAdd(found_.ps, end_ps - (follows ? last_end_ps_ : start_ps));
    }
    last_end_ps_ = is_small ? end_ps : kNoTime;
  }

  const Store& store_;
  const HostWall& wall_;
  std::vector<State> states_;  // by row of the thread
  std::map<std::string, int64_t> places_, ops_;
  int64_t last_end_ps_ = kNoTime;  // of the operation before, if it was small
  int64_t started_ps_ = kNoTime;   // end of the outermost operation before
  IntervalSet starting_;           // outermost operations, and short gaps between them
  SmallOps found_;
};

}  // namespace

SmallOps SmallOpsOf(const Store& store, const HostWall& wall) {
  if (!wall.thread.lane.some()) return {};
  SmallOpsCounting counting(store, wall);
  counting.Run();
  return counting.Finish();
}

}  // namespace tfprof
