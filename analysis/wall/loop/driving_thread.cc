// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/driving_thread.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/intervals/lane_times.h"
#include "analysis/wall/python_names.h"
#include "core/base/ascii.h"

namespace tfprof {
namespace {

EventRole RoleOf(const Store& store, uint32_t row) {
  return store.labels[store.events.label[row].value].role;
}

int64_t EndPs(const Store& store, uint32_t row) { return store.events.EndPs(row); }

bool CallsProgram(EventRole role) {
  return role == EventRole::program_call || role == EventRole::eager_executor ||
         role == EventRole::graph_run || role == EventRole::function_run;
}

// Markers, calls, time: the thread with the largest drives the steps.
using Score = std::tuple<int64_t, int64_t, int64_t>;

Score ScoreOf(const Store& store, const Lane& lane, const ThreadColumns& columns) {
  int64_t markers = 0, calls = 0, until_ps = kMinPs, busy_ps = 0;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    markers += columns.IsMarker(store, row);
    calls += CallsProgram(RoleOf(store, row));
    ExtendUnion(store.events.start_ps[row], EndPs(store, row), &until_ps, &busy_ps);
  }
  return {markers, calls, busy_ps};
}

LaneId LargestThread(const Store& store, const Process& process, const ThreadColumns& columns) {
  LaneId largest;
  Score max{};
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.derived || lane.measures != Measures::host_time) continue;
    if (lane.role == LaneRole::input_thread || lane.rows.count == lane.unplaced) continue;
    const Score score = ScoreOf(store, lane, columns);
    if (largest.some() && score <= max) continue;
    largest = LaneId(i);
    max = score;
  }
  return largest;
}

// Returns the name of what an event calls; empty: it calls nothing.
std::string_view CalledBy(const Store& store, const ThreadColumns& columns, uint32_t row) {
  if (RoleOf(store, row) == EventRole::program_call) return CalledName(store, row);
  if (columns.tracing->rows.count > 0 && columns.tracing->Has(row)) {
    return store.Text(store.labels[store.events.label[row].value].name);
  }
  return columns.IsFunctionCall(store, row) ? columns.EagerOp(row) : std::string_view();
}

// Returns the letters and digits.
std::string LettersOf(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) letters += c;
  }
  return letters;
}

struct Repeated {
  int64_t count = 0;
  int64_t ps = 0;
};
using ByName = std::map<std::string_view, Repeated>;

// An evaluation repeats every few steps, but it is not a step.
bool IsEvaluation(std::string_view name) {
  return ContainsAnyCase(name, "eval") || ContainsAnyCase(name, "validat");
}

// Returns the name with the most time; an evaluation only if nothing else takes a tenth of the
// time. A name that runs far less often is preferred if it takes a tenth of the time: it is the
// step, and the other one is a part of it.
std::string_view MainOf(const ByName& names) {
  constexpr int64_t kMinRuns = 3, kFarLess = 10, kMinShare = 10;
  int64_t all_ps = 0;
  for (const auto& [name, of] : names) all_ps = SaturatingAdd(all_ps, of.ps);
  auto main = names.end();
  const auto precedes = [&](const ByName::value_type& a, const ByName::value_type& b) {
    const bool a_trains = !IsEvaluation(a.first) && a.second.ps >= all_ps / kMinShare;
    const bool b_trains = !IsEvaluation(b.first) && b.second.ps >= all_ps / kMinShare;
    return a_trains != b_trains ? a_trains : a.second.ps > b.second.ps;
  };
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (name->second.count < 2) continue;
    if (main == names.end() || precedes(*name, *main)) main = name;
  }
  if (main == names.end()) return {};
  for (auto name = names.begin(); name != names.end(); ++name) {
    const Repeated& of = name->second;
    if (of.count < kMinRuns || of.count * kFarLess > main->second.count) continue;
    if (IsEvaluation(name->first)) continue;
    if (of.ps >= all_ps / kMinShare) main = name;
  }
  return main->first;
}

// Keras 3 names its train function for its iterator; earlier ones have the name of a marker.
bool IsKeras(const Store& store, const ProgramCall& call) {
  return call.name.find("step_on_iterator") != call.name.npos ||
         (call.name.ends_with("_function") && RoleOf(store, call.row) == EventRole::step_marker);
}

void SetMain(const Store& store, const HostExecutions& executions, std::string_view device_program,
             DrivingThread* thread) {
  ByName programs, calls;
  for (const HostExecution& run : executions.executions) {
    Repeated& of = programs[run.program];
    ++of.count;
    of.ps = SaturatingAdd(of.ps, SpanOf(run.start_ps, run.end_ps));
  }
  for (const ProgramCall& call : thread->calls) {
    Repeated& of = calls[call.name];
    ++of.count;
    of.ps = SaturatingAdd(of.ps, SpanOf(call.start_ps, call.end_ps));
  }
  thread->main_program = programs.empty() ? device_program : MainOf(programs);
  thread->main_call = MainOf(calls);
  for (const ProgramCall& call : thread->calls) {
    if (call.name == thread->main_call) thread->is_keras |= IsKeras(store, call);
  }
  for (const auto& [name, of] : calls) {
    if (IsProgramOf(thread->main_program, name)) thread->main_call = name;
  }
}

}  // namespace

std::string_view CalledName(const Store& store, uint32_t row) {
  const Label& label = store.labels[store.events.label[row].value];
  std::string_view name = store.Text(label.name);
  name.remove_prefix(label.prefix);
  name.remove_suffix(label.suffix);
  return name;
}

bool IsProgramOf(std::string_view program, std::string_view function) {
  const std::string letters = LettersOf(function), compiled = LettersOf(program);
  return !letters.empty() &&
         (compiled == letters || compiled == "jit" + letters || compiled == "pmap" + letters);
}

Result<ThreadColumns> ThreadColumns::Read(const Indexes& indexes, ProcessId process,
                                          Context& context) {
  constexpr DetailKey kKeys[] = {AttributeKey::step_number, AttributeKey::function_tracing,
                                 AttributeKey::function_call, AttributeKey::eager_op};
  TFPROF_ASSIGN(auto read, indexes.Details(process, kKeys, context));
  return ThreadColumns{std::move(read[0]), std::move(read[1]), std::move(read[2]),
                       std::move(read[3])};
}

bool ThreadColumns::IsMarker(const Store& store, uint32_t row) const {
  if (step_number->rows.count > 0 && step_number->Has(row)) return true;
  return RoleOf(store, row) == EventRole::root_step_marker;
}

bool ThreadColumns::IsTraced(uint32_t row) const {
  return tracing->rows.count > 0 && tracing->Text(row).starts_with("traced");
}

bool ThreadColumns::IsEagerOp(const Store& store, uint32_t row) const {
  return RoleOf(store, row) == EventRole::eager_executor && is_function->rows.count > 0 &&
         is_function->Integer(row) == 0;
}

bool ThreadColumns::IsFunctionCall(const Store& store, uint32_t row) const {
  return RoleOf(store, row) == EventRole::eager_executor && is_function->rows.count > 0 &&
         is_function->Integer(row) > 0;
}

ThreadCalls CallsOn(const Store& store, const LaneNesting& nesting, const ThreadColumns& columns) {
  ThreadCalls found{{}, std::vector<uint32_t>(nesting.parent.size(), kNoRow)};
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    uint32_t& call = found.call_of[row - nesting.first];
    if (parent != kNoRow) call = found.call_of[parent - nesting.first];
    const std::string_view called = CalledBy(store, columns, row);
    if (!called.empty() && call == kNoRow) {
      call = static_cast<uint32_t>(found.calls.size());
      found.calls.push_back({row, called, store.events.start_ps[row], EndPs(store, row)});
    }
    if (call == kNoRow) continue;
    found.calls[call].compiles |= RoleOf(store, row) == EventRole::compile;
    found.calls[call].traces |= columns.IsTraced(row);
  }
  return found;
}

std::string_view ThreadColumns::EagerOp(uint32_t row) const { return eager_op->TextIfRead(row); }

Result<DrivingThread> FindDrivingThread(const Store& store, const Indexes& indexes, ProcessId id,
                                        const HostExecutions& executions,
                                        std::string_view device_program, Context& context) {
  DrivingThread thread;
  TFPROF_ASSIGN(thread.columns, ThreadColumns::Read(indexes, id, context));
  const Process& process = store.processes[id.value];
  thread.lane = LargestThread(store, process, thread.columns);
  if (!thread.lane.some()) return thread;
  TFPROF_TRY(Poll(context));
  NestEvents(store, store.lanes[thread.lane.value], &thread.nesting);
  thread.calls = CallsOn(store, thread.nesting, thread.columns).calls;
  for (const uint32_t row : thread.nesting.order) {
    if (thread.columns.IsMarker(store, row)) thread.markers.push_back(row);
    if (RoleOf(store, row) == EventRole::update) thread.updates.push_back(row);
  }
  SetMain(store, executions, device_program, &thread);
  for (uint32_t i = process.labels.first; i < process.labels.first + process.labels.count; ++i) {
    const PythonKind kind = PythonNameOf(store, store.labels[i]).kind;
    thread.records_python |= kind == PythonKind::native || kind == PythonKind::user;
  }
  return thread;
}

}  // namespace tfprof
