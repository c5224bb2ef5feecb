// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/host_trace.h"

#include <algorithm>
#include <bit>
#include <string_view>

namespace tfprof::capture {
namespace {

// The names that the explorer and XProf know.
constexpr std::string_view kStepNumber = "step_num";
constexpr std::string_view kGroup = "group_id";
constexpr std::string_view kRoot = "_r";
constexpr std::string_view kCorrelation = "correlation_id";
constexpr std::string_view kUnfinished = "unfinished";

// XProf and the explorer take events for steps whose names begin so.
std::string StepName(const std::string& name) {
  constexpr std::string_view kMarker = "train";
  return name.starts_with(kMarker) ? name : std::string(kMarker) + " " + name;
}

// As XLA's own recorder names the execution of a program, "jit_step:XLA GPU module"; other work for
// a program is "XlaCompile jit_step".
std::string ActivityName(const NameFacts& name) {
  if (name.hlo_module.empty()) return name.base;
  return name.base == "XlaModule" ? name.hlo_module + ":XLA GPU module"
                                  : name.base + " " + name.hlo_module;
}

// CUpti_ActivityOverheadKind
std::string_view OverheadName(uint32_t kind) {
  switch (kind) {
    case 1: return "overhead: compiling in the driver";
    case 1 << 16: return "overhead: CUPTI buffer flush";
    case 2 << 16: return "overhead: CUPTI instrumentation";
    case 3 << 16: return "overhead: CUPTI resources";
    case 4 << 16: return "overhead: loading a module";
    case 5 << 16: return "overhead: loading a function";
    case 6 << 16: return "overhead: command buffer full";
    case 7 << 16: return "overhead: CUPTI buffer request";
    default: return "overhead";
  }
}

}  // namespace

HostTrace::HostTrace(const Definitions& definitions, XSpace* to, TensorflowExport* also_to,
                     TraceCounts* counts)
    : definitions_(definitions),
      to_(*to),
      also_to_(also_to),
      counts_(*counts),
      plane_(to->AddPlane("/host:CPU")),
      python_(definitions, to, plane_) {}

void HostTrace::Take(uint32_t thread, const RecordHead& head) {
  switch (head.kind) {
    case RecordKind::resume:
      if (const auto* resume = As<ResumeRecord>(head)) {
        if (ThreadOf(thread).resumption.Begin(definitions_, *resume)) EndOpen(thread, resume->time);
      }
      break;
    case RecordKind::push:
    case RecordKind::reopen:
    case RecordKind::pop:
    case RecordKind::mark:
    case RecordKind::range_start:
    case RecordKind::call:
      if (!definitions_.is_cut || !ThreadOf(thread).resumption.IsLost(definitions_)) {
        TakeOwn(thread, head);
      }
      break;
    case RecordKind::range_end:
      if (const auto* end = As<RangeEndRecord>(head)) TakeRangeEnd(*end);
      break;
    case RecordKind::api:
      if (const auto* api = As<ApiRecord>(head)) TakeApi(*api);
      break;
    case RecordKind::overhead:
      if (const auto* overhead = As<OverheadRecord>(head)) TakeOverhead(*overhead);
      break;
    default: break;
  }
}

void HostTrace::TakeOwn(uint32_t thread, const RecordHead& head) {
  switch (head.kind) {
    case RecordKind::push:
      if (const auto* push = As<PushRecord>(head)) TakePush(thread, *push);
      break;
    case RecordKind::reopen:
      if (const auto* reopen = As<PushRecord>(head)) TakeReopen(thread, *reopen);
      break;
    case RecordKind::pop:
      if (const auto* pop = As<PopRecord>(head)) TakePop(thread, *pop);
      break;
    case RecordKind::mark:
      if (const auto* mark = As<PushRecord>(head)) TakeMark(thread, *mark);
      break;
    case RecordKind::range_start:
      if (const auto* start = As<RangeStartRecord>(head)) started_[start->range] = {*start, thread};
      break;
    case RecordKind::call:
      if (const auto* call = As<CallRecord>(head)) TakeCall(thread, *call);
      break;
    default: break;
  }
}

HostTrace::Thread& HostTrace::ThreadOf(uint32_t thread) {
  const auto [found, is_new] = threads_.try_emplace(thread);
  if (is_new) {
    found->second.line = to_.AddLine(plane_, thread, NameOfThread(thread));
    to_.HoldEvents(found->second.line);
  }
  return found->second;
}

std::string HostTrace::NameOfThread(uint32_t thread) const {
  const auto named = definitions_.thread_names.find(thread);
  if (named != definitions_.thread_names.end()) return named->second;
  if (thread == 0) return "CUPTI";
  const std::string id = std::to_string(thread);
  return definitions_.Fact("pid") == id ? "main thread" : "thread " + id;
}

XSpace::LineId HostTrace::DomainLine(uint32_t thread, uint32_t domain) {
  const auto [found, is_new] = ThreadOf(thread).domain_lines.try_emplace(domain);
  if (is_new) {
    const std::string_view name = domain == 0 ? "ranges" : definitions_.DomainName(domain);
    found->second = to_.AddLine(plane_, thread, NameOfThread(thread) + ", " + std::string(name));
  }
  return found->second;
}

void HostTrace::TakeSamples(uint32_t thread, uint64_t until, uint64_t call_end) {
  const std::vector<PythonSample>& samples = definitions_.samples;
  if (next_sample_ == samples.size() || thread != definitions_.sampled_thread) return;
  Thread& in = ThreadOf(thread);
  for (; next_sample_ < samples.size() && samples[next_sample_].time <= until; ++next_sample_) {
    const PythonSample& sample = samples[next_sample_];
    python_.TakeSample(sample, std::max(sample.time, call_end), in.line, &in.python);
    if (call_end == 0) EndLongPython(sample.time, &in);
  }
}

// Events are held until those around them end, so that these must end now and then.
void HostTrace::EndLongPython(uint64_t time, Thread* in) {
  if (!PythonCalls::MustClose(in->python, time)) return;
  python_.CloseAt(time, in->line, &in->python);
  if (in->ranges.open.empty()) to_.Release(in->line);
}

void HostTrace::TakePush(uint32_t thread, const PushRecord& push) {
  TakeSamples(thread, push.time);
  Thread& in = ThreadOf(thread);
  python_.CloseAt(push.time, in.line, &in.python);
  Push(definitions_, &scopes_, thread, push, &in.ranges);
  history_.Enter(thread, push.time, in.ranges.scope());
}

void HostTrace::TakeReopen(uint32_t thread, const PushRecord& reopen) {
  PushPayloadRecord push;
  Thread& in = ThreadOf(thread);
  if (in.resumption.Take(reopen, &push)) TakePush(thread, push.push);
}

void HostTrace::EndOpen(uint32_t thread, uint64_t next) {
  Thread& in = ThreadOf(thread);
  const uint64_t end = std::min(definitions_.EndOfWindow(in.ranges.last_time), next);
  TakeSamples(thread, end);
  python_.Close(in.line, &in.python);
  while (!in.ranges.open.empty()) {
    PopRecord pop{.time = end};
    pop.head.id = in.ranges.open.back().domain;
    OpenRange closed;
    Pop(definitions_, &scopes_, pop, &in.ranges, &closed);
    AddRange(thread, closed, end, false);
    if (!definitions_.has_windows) ++counts_.unfinished;
  }
  history_.Enter(thread, end, kNoScope);
  to_.Release(in.line);
}

int32_t HostTrace::StepOf(const ThreadRanges& ranges, uint64_t time) const {
  if (ranges.step >= 0 || !definitions_.steps_are_windows) return ranges.step;
  return StepAt(definitions_, time);
}

// Other threads work for the steps meanwhile.
int32_t HostTrace::StepOfCall(const ThreadRanges& ranges, uint64_t time) const {
  if (ranges.step == kPartOfStep) return -1;
  return ranges.step >= 0 ? ranges.step : StepAt(definitions_, time);
}

// Lines of threads have the steps that are ranges.
void HostTrace::AddWindows() {
  if (!definitions_.steps_are_windows) return;
  constexpr int64_t kWindowsId = INT32_MAX;
  const XSpace::LineId line = to_.AddLine(plane_, kWindowsId, "windows");
  int32_t index = 0;
  for (const StepSpan& window : definitions_.steps) {
    const std::string name = "window " + std::to_string(window.number);
    to_.Begin(line, to_.EventName(plane_, StepName(name), name), window.start, window.end);
    to_.Integer(kStepNumber, window.number);
    to_.Integer(kRoot, 1);
    AddStep(index++);
    to_.End();
  }
}

void HostTrace::TakePop(uint32_t thread, const PopRecord& pop) {
  OpenRange closed;
  TakeSamples(thread, pop.time);
  Thread& in = ThreadOf(thread);
  python_.CloseAt(pop.time, in.line, &in.python);
  if (Pop(definitions_, &scopes_, pop, &in.ranges, &closed)) {
    AddRange(thread, closed, pop.time, true);
    history_.Enter(thread, pop.time, in.ranges.scope());
    if (in.ranges.open.empty()) to_.Release(in.line);
  } else {
    ++counts_.unmatched;
  }
}

ScopeId HostTrace::ScopeOf(const Launch& launch) const {
  if (launch.scope != kNoScope) return launch.scope;
  const bool has_ranges = definitions_.threads_with_ranges.contains(launch.thread);
  return has_ranges ? kNoScope : history_.At(launch.start);
}

void HostTrace::TakeMark(uint32_t thread, const PushRecord& mark) {
  to_.Begin(DomainLine(thread, mark.domain),
            to_.EventName(plane_, DisplayName(mark.domain, mark.head.id)), mark.time, mark.time);
  if (const auto* with = As<PushPayloadRecord>(mark.head)) {
    AddPayload(mark.payload_type, with->payload);
  }
  to_.End();
}

void HostTrace::TakeRangeEnd(const RangeEndRecord& end) {
  const auto start = started_.find(end.range);
  if (start == started_.end()) {
    ++counts_.unmatched;
    return;
  }
  AddFreeRange(start->second.thread, start->second.record, end.time);
  started_.erase(start);
}

// Such ranges overlap those of the thread, so they have a line of their own.
void HostTrace::AddFreeRange(uint32_t thread, const RangeStartRecord& start, uint64_t end) {
  const PushRecord& push = start.start.push;
  to_.Begin(DomainLine(thread, push.domain),
            to_.EventName(plane_, DisplayName(push.domain, push.head.id)), push.time, end);
  AddPayload(push.payload_type, start.start.payload);
  AddCategory(push.domain, push.category);
  to_.End();
}

void HostTrace::AddRange(uint32_t thread, const OpenRange& range, uint64_t end, bool is_whole) {
  const NameFacts& name = definitions_.Name(range.name);
  Thread& in = ThreadOf(thread);
  const RangeRole role = RoleOf(definitions_, range);
  switch (role) {
    case RangeRole::step:
      to_.Begin(in.line, to_.EventName(plane_, StepName(name.base), name.base), range.start, end);
      to_.Integer(kStepNumber, definitions_.steps[static_cast<size_t>(range.step)].number);
      to_.Integer(kRoot, 1);
      break;
    case RangeRole::scope:
    case RangeRole::operation:
      to_.Begin(in.line,
                to_.EventName(plane_, scopes_.OpOf(range.scope), name.base,
                              scopes_.RangesOf(range.scope)),
                range.start, end);
      break;
    case RangeRole::activity:
      to_.Begin(in.line, to_.EventName(plane_, ActivityName(name), name.base), range.start, end);
      break;
    case RangeRole::foreign:
      to_.Begin(DomainLine(thread, range.domain),
                to_.EventName(plane_, DisplayName(range.domain, range.name)), range.start, end);
      break;
  }
  const int32_t step = range.step >= 0 ? range.step : StepOf(in.ranges, range.start);
  AddStep(step);
  AddPayload(range.payload_type, range.payload);
  AddCategory(range.domain, range.category);
  if (!is_whole) to_.Integer(kUnfinished, 1);
  to_.End();
  if (HasScope(role) && also_to_ != nullptr) {
    const std::string& path = scopes_.PathOf(range.scope);
    const uint64_t whole_ns = end - std::min(end, range.start);
    also_to_->AddRange(step, path, TypeOf(path.substr(path.rfind('/') + 1)), thread, range.start,
                       whole_ns - std::min(whole_ns, range.inner_ns));
  }
}

void HostTrace::AddStep(int32_t step) {
  if (step < 0) return;
  const bool has_number = definitions_.step_numbers_differ;
  to_.Integer(kGroup, has_number ? definitions_.steps[static_cast<size_t>(step)].number : step);
}

void HostTrace::AddPayload(PayloadType type, uint64_t payload) {
  switch (type) {
    case PayloadType::none: return;
    case PayloadType::sequence: return to_.Integer("sequence", static_cast<int64_t>(payload));
    case PayloadType::uint64:
    case PayloadType::int64: return to_.Integer("payload", static_cast<int64_t>(payload));
    case PayloadType::uint32: return to_.Integer("payload", static_cast<uint32_t>(payload));
    case PayloadType::int32: return to_.Integer("payload", static_cast<int32_t>(payload));
    case PayloadType::real64: return to_.Real("payload", std::bit_cast<double>(payload));
    case PayloadType::real32:
      return to_.Real("payload", std::bit_cast<float>(static_cast<uint32_t>(payload)));
  }
}

void HostTrace::AddCategory(uint32_t domain, uint32_t category) {
  if (category == 0) return;
  const auto named = definitions_.categories.find({domain, category});
  if (named == definitions_.categories.end()) return to_.Integer("category", category);
  to_.Text("category", definitions_.Name(named->second).base);
}

std::string HostTrace::DisplayName(uint32_t domain, uint32_t name) const {
  const std::string& base = definitions_.Name(name).base;
  return domain == 0 ? base : std::string(definitions_.DomainName(domain)) + ": " + base;
}

uint32_t HostTrace::InnermostWith(std::string NameFacts::*attribute,
                                  const ThreadRanges& ranges) const {
  for (size_t i = ranges.open.size(); i > 0; --i) {
    const uint32_t name = ranges.open[i - 1].name;
    if (!(definitions_.Name(name).*attribute).empty()) return name;
  }
  return 0;
}

void HostTrace::TakeCall(uint32_t thread, const CallRecord& call) {
  TakeSamples(thread, call.start);
  Thread& in = ThreadOf(thread);
  ThreadRanges& ranges = in.ranges;
  EndLongPython(call.start, &in);
  const auto* with_stack = As<CallStackRecord>(call.head);
  const uint32_t stack = with_stack != nullptr ? with_stack->stack : 0;
  const uint32_t function = static_cast<uint32_t>(call.domain) << 24 | call.callback;
  const int32_t step = StepOfCall(ranges, call.start);
  launches_.Add({.correlation = call.head.id,
                 .scope = ranges.scope(),
                 .step = step,
                 .thread = thread,
                 .start = call.start,
                 .end = call.end,
                 .instruction = InnermostWith(&NameFacts::hlo_op, ranges),
                 .program = InnermostWith(&NameFacts::hlo_module, ranges),
                 .stack = stack,
                 .function = function});
  if (!ranges.open.empty()) {
    ranges.open.back().inner_ns += call.end - std::min(call.end, call.start);
  }
  ranges.last_time = std::max(ranges.last_time, call.end);
  AddCall(thread, function, call.start, call.end, call.head.id);
  TakeSamples(thread, call.end, call.end);
  if (stack == 0 && thread == definitions_.sampled_thread) {
    ++in.python.calls;  // it is in the functions of samples
    return;
  }
  const bool is_gradient = with_stack != nullptr && with_stack->is_gradient != 0;
  python_.Take({stack, is_gradient}, call.start, call.end, in.line, &in.python);
}

void HostTrace::TakeApi(const ApiRecord& api) {
  if (!definitions_.IsInWindow(api.start)) return;
  const uint32_t function = static_cast<uint32_t>(api.domain) << 24 | api.callback;
  // What is recorded as a call, too, is among the ranges and Python functions of its thread.
  const Launch* launch = launches_.Find(api.head.id);
  if (launch != nullptr && launch->function == function) return;
  AddCall(api.thread, function, api.start, api.end, api.head.id);
}

void HostTrace::AddCall(uint32_t thread, uint32_t domain_and_callback, uint64_t start, uint64_t end,
                        uint32_t correlation) {
  const auto [name, is_new] = call_names_.try_emplace(domain_and_callback);
  if (is_new) {
    const auto known = definitions_.call_names.find(domain_and_callback);
    const std::string text = known != definitions_.call_names.end()
                                 ? known->second
                                 : "call " + std::to_string(domain_and_callback & 0xFFFFFF);
    name->second = to_.EventName(plane_, text);
  }
  Thread& in = ThreadOf(thread);
  to_.Begin(in.line, name->second, start, end);
  to_.Integer(kCorrelation, correlation);
  if (const auto wait = definitions_.waits.find(correlation); wait != definitions_.waits.end()) {
    if (wait->second.stream != UINT32_MAX) to_.Integer("stream_id", wait->second.stream);
    if (wait->second.event != UINT32_MAX) to_.Integer("event_id", wait->second.event);
  }
  AddStep(StepOfCall(in.ranges, start));
  to_.End();
}

void HostTrace::TakeOverhead(const OverheadRecord& overhead) {
  if (overhead.start == 0 || !definitions_.IsInWindow(overhead.start)) return;
  to_.Begin(DomainLine(overhead.thread, UINT32_MAX),
            to_.EventName(plane_, OverheadName(overhead.head.id)), overhead.start, overhead.end);
  to_.End();
}

void HostTrace::Finish() {
  TakeSamples(definitions_.sampled_thread, UINT64_MAX);
  for (const auto& [id, thread] : threads_) EndOpen(id, UINT64_MAX);
  for (const auto& [range, start] : started_) {
    const uint64_t began = start.record.start.push.time;
    AddFreeRange(start.thread, start.record, definitions_.EndOfWindow(began));
    if (!definitions_.has_windows) ++counts_.unfinished;
  }
  AddWindows();
}

}  // namespace tfprof::capture
