// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/host_causes.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "analysis/wall/overlays.h"
#include "analysis/wall/python_names.h"

namespace tfprof {
namespace {

// Operations that write or read checkpoints.
constexpr std::string_view kCheckpointOps[] = {"SaveV2", "MergeV2Checkpoints", "RestoreV2", "Save",
                                               "SaveSlices"};

// A shorter operation may be one that only describes its result, as views do. Chosen.
constexpr int64_t kHostOpPs = 1'000 * kPsPerUs;

// What is known of an event from those around it.
struct State {
  HostCause cause = HostCause::unrecorded;
  uint32_t named_by = kNoRow;
  uint32_t callee = kNoRow;
  uint32_t leaf = kNoRow;
  bool in_library = false;  // the innermost call of Python is a library's
  bool in_marked_op = false;
  bool calls_main = false;  // contains the call that drives the step: names nothing
  bool launches = false;    // contains a call of the device's runtime
};

class CauseReader {
 public:
  CauseReader(const Store& store, const DrivingThread& thread)
      : store_(store), thread_(thread), states_(thread.nesting.parent.size()) {
    const Process& process = store.processes[store.lanes[thread.lane.value].process.value];
    first_label_ = process.labels.first;
    for (const Label& label : store.LabelsOf(process)) {
      names_.push_back(PythonNameOf(store, label));
    }
    MarkCalls();
    MarkLaunches();
    if (thread.calls.empty()) {
      MarkDrivers();
      MarkCommonCallers();
      FindLaunchers();
    }
    MarkCheckpoints();
  }

  void Enter(uint32_t row) {
    const uint32_t parent = thread_.nesting.ParentOf(row);
    State state = parent == kNoRow ? State() : StateOf(parent);
    state.calls_main = StateOf(row).calls_main;
    state.launches = StateOf(row).launches;
    const HostCause forced = StateOf(row).cause;  // set before: compile, tracing, checkpoint
    if (thread_.columns.IsMarker(store_, row)) {
      state = {.calls_main = true, .launches = state.launches};
    } else if (forced != HostCause::unrecorded) {
      Set(forced, row, &state);
    } else if (NameOf(row).some()) {
      EnterPython(row, &state);
    } else {
      EnterEvent(row, &state);
    }
    StateOf(row) = state;
  }

  const State& Of(uint32_t row) const { return states_[row - thread_.nesting.first]; }
  const PythonName& NameOf(uint32_t row) const { return names_[LabelOf(row)]; }

 private:
  using FunctionNames = std::set<std::pair<std::string_view, std::string_view>>;

  uint32_t LabelOf(uint32_t row) const { return store_.events.label[row].value - first_label_; }
  State& StateOf(uint32_t row) { return states_[row - thread_.nesting.first]; }
  EventRole RoleOf(uint32_t row) const {
    return store_.labels[store_.events.label[row].value].role;
  }

  // The more special cause counts.
  static void Set(HostCause cause, uint32_t row, State* state) {
    if (cause >= state->cause) return;
    *state = {.cause = cause,
              .named_by = row,
              .leaf = row,
              .in_library = state->in_library,
              .in_marked_op = state->in_marked_op,
              .launches = state->launches};
  }

  void MarkCalls() {
    for (const ProgramCall& call : thread_.calls) {
      if (call.compiles || call.traces) {
        StateOf(call.row).cause = call.compiles ? HostCause::compile : HostCause::tracing;
      }
      if (!thread_.main_call.empty() && !thread_.IsMain(call)) continue;
      for (uint32_t row = call.row; row != kNoRow; row = thread_.nesting.ParentOf(row)) {
        if (StateOf(row).calls_main) break;
        StateOf(row).calls_main = true;
      }
    }
  }

  EventClass ClassOf(uint32_t row) const {
    return store_.labels[store_.events.label[row].value].of;
  }

  // Where only calls of the device's runtime say what the program starts, functions that start work
  // in one of their calls drive the steps. Only the innermost of them names its own time, and what
  // they call names itself. A recorder of nothing but stacks of such calls has no other functions,
  // and one of all calls has functions in C, too.
  void FindLaunchers() {
    FunctionNames launch, rest;
    for (const uint32_t row : thread_.nesting.order) {
      if (ClassOf(row) == EventClass::op || NameOf(row).kind == PythonKind::native) return;
      if (NameOf(row).some()) (StateOf(row).launches ? launch : rest).insert(FunctionOf(row));
    }
    const bool have_others = std::any_of(rest.begin(), rest.end(), [&](const auto& function) {
      return launch.find(function) == launch.end();
    });
    if (have_others) launchers_ = std::move(launch);
  }

  FunctionNames::value_type FunctionOf(uint32_t row) const {
    return {NameOf(row).module, NameOf(row).function};
  }
  bool IsLauncher(uint32_t row) const {
    return row != kNoRow && launchers_.find(FunctionOf(row)) != launchers_.end();
  }

  // Of a program that starts operations one by one, functions that contain markers, updates or all
  // operations drive the steps.
  void MarkDrivers() {
    uint32_t first = kNoRow, last = kNoRow;
    for (const uint32_t row : thread_.nesting.order) {
      if (ClassOf(row) != EventClass::op) continue;
      if (first == kNoRow) first = row;
      last = row;
    }
    if (first == kNoRow) return;
    const int64_t until_ps = store_.events.EndPs(last);
    for (uint32_t row = thread_.nesting.ParentOf(first); row != kNoRow;
         row = thread_.nesting.ParentOf(row)) {
      StateOf(row).calls_main |= store_.events.EndPs(row) >= until_ps;
    }
    for (const auto* anchors : {&thread_.markers, &thread_.updates}) {
      for (const uint32_t anchor : *anchors) MarkAround(anchor);
    }
    // A marker begins or ends in a function of the recorder.
    for (const uint32_t row : thread_.nesting.order) {
      if (NameOf(row).action == PythonAction::marks_step) MarkAround(row);
    }
  }

  // The i-th functions of stacks.
  struct StackLevel {
    std::vector<uint32_t> rows;
    std::set<uint32_t> stacks;  // by their outermost functions
    bool alike = true;
  };

  // A recorder that takes stacks at calls of the device has the functions that drive the steps
  // within the steps: they are what all stacks have in common, unless nothing else is in them.
  void MarkCommonCallers() {
    const std::vector<StackLevel> levels = ReadStacks();
    for (size_t i = 0; i + 1 < levels.size(); ++i) {
      if (!levels[i].alike || levels[i].stacks.size() < levels[0].stacks.size()) return;
      for (const uint32_t row : levels[i].rows) StateOf(row).calls_main = true;
    }
  }

  // Of the stacks in steps. None: functions contain markers or start no work of the device, as
  // where all calls are recorded.
  std::vector<StackLevel> ReadStacks() const {
    struct Place {
      bool in_step = false;
      uint32_t depth = 0, outermost = kNoRow;
    };
    std::vector<Place> places(states_.size());
    std::vector<StackLevel> levels;
    for (const uint32_t row : thread_.nesting.order) {
      const uint32_t parent = thread_.nesting.ParentOf(row);
      Place place = parent == kNoRow ? Place() : places[parent - thread_.nesting.first];
      if (thread_.columns.IsMarker(store_, row)) {
        if (place.outermost != kNoRow) return {};
        place.in_step = true;
      } else if (NameOf(row).some()) {
        if (place.outermost == kNoRow) place.outermost = row;
        if (place.in_step) {
          if (!states_[row - thread_.nesting.first].launches) return {};
          if (place.depth == levels.size()) levels.emplace_back();
          StackLevel& level = levels[place.depth++];
          level.alike =
              level.alike && (level.rows.empty() || IsSame(NameOf(level.rows[0]), NameOf(row)));
          level.rows.push_back(row);
          level.stacks.insert(place.outermost);
        }
      }
      places[row - thread_.nesting.first] = place;
    }
    return levels;
  }

  static bool IsSame(const PythonName& a, const PythonName& b) {
    return a.module == b.module && a.function == b.function;
  }

  void MarkAround(uint32_t row) {
    for (row = thread_.nesting.ParentOf(row); row != kNoRow; row = thread_.nesting.ParentOf(row)) {
      if (StateOf(row).calls_main) return;
      StateOf(row).calls_main = true;
    }
  }

  void MarkLaunches() {
    for (const uint32_t row : thread_.nesting.order) {
      if (ClassOf(row) != EventClass::runtime_call) continue;
      records_launches_ = true;
      for (uint32_t i = row; i != kNoRow && !StateOf(i).launches; i = thread_.nesting.ParentOf(i)) {
        StateOf(i).launches = true;
      }
    }
  }

  bool IsCheckpoint(uint32_t row) const {
    if (NameOf(row).action == PythonAction::saves) return true;
    if (RoleOf(row) != EventRole::eager_executor) return false;
    const std::string_view op = thread_.columns.EagerOp(row);
    return std::find(std::begin(kCheckpointOps), std::end(kCheckpointOps), op) !=
           std::end(kCheckpointOps);
  }

  // A checkpoint takes the whole function of the program that writes it.
  void MarkCheckpoints() {
    for (const uint32_t row : thread_.nesting.order) {
      if (!IsCheckpoint(row)) continue;
      uint32_t whole = row;
      for (uint32_t i = row; i != kNoRow; i = thread_.nesting.ParentOf(i)) {
        if (!StateOf(i).calls_main && NameOf(i).kind == PythonKind::user) whole = i;
      }
      StateOf(whole).cause = HostCause::checkpoint;
    }
  }

  void EnterPython(uint32_t row, State* state) {
    // Python in an operation that is a range says from where it was started.
    if (state->in_marked_op) return;
    const PythonName& name = NameOf(row);
    if (state->cause == HostCause::input) {
      if (state->callee == kNoRow && name.kind == PythonKind::user) state->callee = row;
      state->leaf = row;
      return;
    }
    const bool library = name.kind == PythonKind::library ||
                         (name.kind == PythonKind::ambiguous && state->in_library);
    switch (name.action) {
      case PythonAction::waits_for_queue: Set(HostCause::queue, row, state); break;
      case PythonAction::waits_for_lock: Set(HostCause::lock, row, state); break;
      case PythonAction::collects: Set(HostCause::collector, row, state); break;
      default: break;
    }
    if (state->cause == HostCause::checkpoint && name.action == PythonAction::saves) {
      state->callee = row;
    }
    const bool is_function = name.kind == PythonKind::user || name.kind == PythonKind::ambiguous;
    if (is_function && !library && state->cause == HostCause::python &&
        IsLauncher(state->named_by)) {
      state->cause = HostCause::unrecorded;
      state->named_by = state->callee = kNoRow;
    }
    const bool calls = state->cause == HostCause::python || state->cause == HostCause::library;
    if (calls && state->callee == kNoRow && name.kind != PythonKind::nameless && !IsWrapper(name)) {
      state->callee = row;
    }
    if (is_function && !library && !state->calls_main) Set(HostCause::python, row, state);
    const bool names = !state->calls_main && !state->in_library;
    if (name.copies) {
      Set(HostCause::copies, row, state);
    } else if ((library || (name.kind == PythonKind::native && names)) && !state->calls_main) {
      Set(HostCause::library, row, state);
    }
    state->leaf = row;
    if (name.kind != PythonKind::native) state->in_library = library;
  }

  // An operation that the program starts itself, or a call of the device's runtime in one.
  void EnterOperation(uint32_t row, State* state) {
    const EventRole role = RoleOf(row);
    if (state->cause == HostCause::python && role != EventRole::runtime_call) {  // names no work
      if (state->callee == kNoRow) state->callee = row;
      state->leaf = row;
    }
    state->in_marked_op |= store_.labels[store_.events.label[row].value].path.some();
    if (role == EventRole::compile) return Set(HostCause::compile, row, state);
    if (role == EventRole::device_memory) return Set(HostCause::device_memory, row, state);
    if (IsHostOp(row, *state)) return Set(HostCause::host_op, row, state);
    if (role == EventRole::read_result || WaitsForDevice(role))
      return Set(HostCause::waits, row, state);
    if (ClassOf(row) == EventClass::op) return Set(HostCause::eager, row, state);
    Set(HostCause::launch, kNoRow, state);
  }

  bool IsHostOp(uint32_t row, const State& state) const {
    return records_launches_ && !state.launches && ClassOf(row) == EventClass::op &&
           store_.events.duration_ps[row] >= kHostOpPs;
  }

  void EnterEvent(uint32_t row, State* state) {
    const EventClass of = ClassOf(row);
    if (of == EventClass::python_call) return;  // it names no function
    if (of == EventClass::op || of == EventClass::runtime_call) return EnterOperation(row, state);
    switch (RoleOf(row)) {
      case EventRole::root_iterator:
      case EventRole::input_fetch: return Set(HostCause::input, row, state);
      case EventRole::iterator_made: return Set(HostCause::iterator, row, state);
      case EventRole::copy_to_device:
      case EventRole::put_on_device: return Set(HostCause::copies, row, state);
      case EventRole::device_memory: return Set(HostCause::device_memory, row, state);
      case EventRole::read_result: return Set(HostCause::waits, row, state);
      case EventRole::program_call:
      case EventRole::graph_run: return Set(HostCause::launch, row, state);
      case EventRole::compile: return Set(HostCause::compile, row, state);
      case EventRole::kernel_run:
        if (state->cause == HostCause::eager) state->cause = HostCause::eager_run;
        return;
      case EventRole::eager_executor:
        if (state->cause == HostCause::checkpoint && IsCheckpoint(row)) state->callee = row;
        return Set(thread_.columns.IsEagerOp(store_, row) ? HostCause::eager : HostCause::launch,
                   row, state);
      default: break;
    }
    const DetailColumn& tracing = *thread_.columns.tracing;
    if (tracing.rows.count > 0 && tracing.Has(row)) return Set(HostCause::launch, row, state);
    // Names of the runtime's own functions are no regions of the program.
    const std::string_view name = store_.Text(store_.labels[store_.events.label[row].value].name);
    const bool region = RoleOf(row) == EventRole::none && name.find("::") == name.npos;
    Set(region ? HostCause::region : HostCause::launch, region ? row : kNoRow, state);
  }

  const Store& store_;
  const DrivingThread& thread_;
  uint32_t first_label_ = 0;
  std::vector<PythonName> names_;  // by label of the process, from first_label_ on
  std::vector<State> states_;      // by row of the thread
  FunctionNames launchers_;        // see FindLaunchers
  bool records_launches_ = false;  // the thread calls the device's runtime
};

}  // namespace

bool WaitsForDevice(EventRole role) {
  return role == EventRole::wait_for_device || role == EventRole::wait_for_stream ||
         role == EventRole::wait_for_event || role == EventRole::wait_for_copy;
}

std::vector<HostSegment> SegmentsOf(const Store& store, const DrivingThread& thread,
                                    Intervals fetching) {
  if (!thread.lane.some()) return {};
  CauseReader reader(store, thread);
  std::vector<HostSegment> segments;
  EachInnermost(
      store, thread.nesting, [&](uint32_t row) { reader.Enter(row); },
      [&](uint32_t row, int64_t start_ps, int64_t end_ps) {
        const State& state = reader.Of(row);
        AppendSegment({start_ps, end_ps, state.cause, state.named_by, state.callee, state.leaf},
                      &segments);
      });
  return WithContext(store, thread, fetching, segments);
}

}  // namespace tfprof
