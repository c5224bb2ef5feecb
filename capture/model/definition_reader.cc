// SPDX-License-Identifier: Apache-2.0
#include "capture/model/definition_reader.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "capture/model/texts.h"

namespace tfprof::capture {
namespace {

constexpr size_t kMostWaits = size_t{1} << 20;

}  // namespace

void DefinitionReader::Take(uint32_t thread, const RecordHead& head) {
  if (is_left_out_) {
    is_left_out_ = to_->is_cut = false;
    to_->kept_from = 0;
  }
  ++to_->counts[head.kind];
  switch (head.kind) {
    case RecordKind::push:
      if (const auto* push = As<PushRecord>(head)) TakePush(thread, *push);
      break;
    case RecordKind::pop:
      if (const auto* pop = As<PopRecord>(head)) steps_.Pop(thread, *pop), Time(pop->time);
      break;
    case RecordKind::call:
      if (const auto* call = As<CallRecord>(head)) Time(call->start), Time(call->end);
      break;
    case RecordKind::kernel:
    case RecordKind::copy:
    case RecordKind::fill:
    case RecordKind::graph:
      if (const auto* work = As<WorkRecord>(head)) Time(work->end);
      break;
    case RecordKind::memory:
      if (const auto* memory = As<MemoryRecord>(head)) TakeMemory(*memory);
      break;
    case RecordKind::resume:
      if (const auto* resume = As<ResumeRecord>(head)) steps_.Resume(thread, *resume);
      break;
    case RecordKind::reopen:
      if (const auto* push = As<PushRecord>(head)) steps_.Reopen(thread, *push);
      break;
    case RecordKind::range_start:
    case RecordKind::range_end:
    case RecordKind::mark:
      if (const auto* at = As<PopRecord>(head)) Time(at->time);  // all begin with a time
      break;
    case RecordKind::name: TakeName(head); break;
    default: TakeRare(head);
  }
}

void DefinitionReader::TakePush(uint32_t thread, const PushRecord& push) {
  steps_.Push(thread, push);
  Time(push.time);
  if (std::exchange(last_pusher_, thread) != thread) to_->threads_with_ranges.insert(thread);
}

void DefinitionReader::TakeName(const RecordHead& head) {
  NameFacts& name = to_->names[head.id] = ReadName(ValidUtf8(TextOf(head)));
  if (pattern_.is_set()) name.is_step = pattern_.Matches(name.base);
}

void DefinitionReader::TakeRare(const RecordHead& head) {
  switch (head.kind) {
    case RecordKind::info: TakeFact(ValidUtf8(TextOf(head))); break;
    case RecordKind::thread_name: to_->thread_names[head.id] = ValidUtf8(TextOf(head)); break;
    case RecordKind::api_name: to_->call_names[head.id] = CallName(TextOf(head)); break;
    case RecordKind::domain:
      if (const auto* of = As<DomainRecord>(head)) to_->domain_names[head.id] = of->name;
      break;
    case RecordKind::category:
      if (const auto* of = As<CategoryRecord>(head)) {
        to_->categories[{of->domain, head.id}] = of->name;
      }
      break;
    case RecordKind::lane:
      if (const auto* lane = As<LaneRecord>(head)) to_->lanes[head.id] = *lane;
      break;
    case RecordKind::kernel_shape:
      if (const auto* of = As<KernelShapeRecord>(head)) to_->shapes[head.id] = *of;
      break;
    case RecordKind::device:
      if (const auto* device = As<DeviceRecord>(head)) to_->devices[head.id] = *device;
      break;
    case RecordKind::frame:
      if (const auto* frame = As<FrameRecord>(head)) TakeFrame(*frame);
      break;
    case RecordKind::stack:
      if (const auto* stack = As<StackRecord>(head)) TakeStack(*stack);
      break;
    case RecordKind::sample:
      if (const auto* sample = As<SampleRecord>(head)) TakeSample(*sample);
      break;
    case RecordKind::dropped:
      if (const auto* of = As<DroppedRecord>(head)) to_->dropped[head.id] = of->count;
      break;
    case RecordKind::wait:
      if (const auto* wait = As<WaitRecord>(head); wait && to_->waits.size() < kMostWaits) {
        to_->waits.try_emplace(head.id, *wait);
      }
      break;
    case RecordKind::clock:
      if (const auto* clock = As<ClockRecord>(head)) TakeClock(*clock);
      break;
    case RecordKind::window:
      if (const auto* window = As<WindowRecord>(head)) to_->window_records[head.id] = *window;
      break;
    case RecordKind::segment:
      if (const auto* segment = As<SegmentRecord>(head)) TakeSegment(*segment);
      break;
    case RecordKind::end: to_->has_end = true; break;
    default: break;
  }
}

void DefinitionReader::TakeMemory(const MemoryRecord& memory) {
  const auto lane = to_->lanes.find(memory.head.id);
  if (lane == to_->lanes.end() || !IsDeviceMemory(memory.kind)) return;
  const auto bytes = static_cast<int64_t>(memory.bytes);
  to_->memory[lane->second.device].push_back(
      {.time = memory.time, .change_bytes = memory.is_release ? -bytes : bytes});
}

void DefinitionReader::TakeStack(const StackRecord& stack) {
  if (stack.count > kMostStackFrames || stack.head.bytes < StackRecordBytes(stack.count)) return;
  const auto* frames = reinterpret_cast<const uint32_t*>(&stack + 1);
  std::vector<uint32_t>& of = to_->stacks[stack.head.id];
  for (uint32_t i = 0; i < stack.count; ++i) {
    const auto known = line_of_frame_.find(frames[i]);
    of.push_back(known != line_of_frame_.end() ? known->second : 0);
  }
}

void DefinitionReader::TakeSample(const SampleRecord& sample) {
  const uint64_t last = to_->samples.empty() ? 1 : to_->samples.back().time;
  if (sample.since == 0 || sample.time < last) return;  // damaged, or the clock was set
  to_->sampled_thread = sample.thread;
  to_->samples.push_back({std::min(sample.since, sample.time), sample.time, sample.head.id});
  Time(to_->samples.back().since);
  Time(sample.time);
}

// Samples say how long functions take. Only calls of CUDA say from which line.
void DefinitionReader::TakeFrame(FrameRecord frame) {
  if (!to_->Fact("python.samples").empty() && to_->Fact("python.stacks").empty()) {
    frame.line = frame.first_line;
  }
  const auto [line, is_new] =
      lines_.try_emplace({frame.file, frame.function, frame.line, frame.first_line});
  if (is_new) {
    line->second = frame.head.id;
    to_->frames[frame.head.id] = frame;
  }
  line_of_frame_[frame.head.id] = line->second;
}

// The first one that there is.
void DefinitionReader::TakeSegment(const SegmentRecord& segment) {
  if (to_->kept_from != 0) return;
  to_->kept_from = segment.time;
  to_->is_cut = segment.head.id > 1;
}

void DefinitionReader::TakeFact(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return;
  const auto fact = to_->facts.emplace(text.substr(0, equals), text.substr(equals + 1));
  // It is written before names.
  if (fact->first == kStepRangeFact) pattern_.Compile(fact->second.c_str());
}

void DefinitionReader::Time(uint64_t time) {
  if (time == 0) return;
  if (to_->first_time == 0 || time < to_->first_time) to_->first_time = time;
  to_->last_time = std::max(to_->last_time, time);
}

void DefinitionReader::TakeClock(const ClockRecord& clock) {
  if (to_->clocks.size() == 2) to_->clocks.pop_back();
  to_->clocks.push_back(clock);
}

uint64_t DefinitionReader::LastStart(uint64_t from, uint64_t to) const {
  uint64_t last = 0;
  const auto take = [&](uint64_t start) {
    if (start >= from && start <= to) last = std::max(last, start);
  };
  for (const StepSpan& step : steps_.Steps()) take(step.start);
  if (steps_.has_steps()) return last;
  for (const auto& [id, window] : to_->window_records) take(window.start);
  return last;
}

void DefinitionReader::DropBefore(uint64_t time) {
  steps_.DropBefore(time);
  std::erase_if(to_->samples, [&](const PythonSample& sample) { return sample.time < time; });
  std::erase_if(to_->waits, [&](const auto& wait) { return wait.second.end < time; });
  for (auto& [device, levels] : to_->memory) {
    const auto kept =
        std::ranges::find_if(levels, [&](const MemoryLevel& level) { return level.time >= time; });
    if (kept != levels.begin()) memory_before_[device] = *std::prev(kept);
    levels.erase(levels.begin(), kept);
  }
  auto& windows = to_->window_records;
  for (auto window = windows.begin(); window != windows.end();) {
    const bool is_over = window->second.end != 0 && window->second.end <= time;
    if (is_over && window->second.cause != WindowCause::ring) ++dropped_windows_;
    window = is_over ? windows.erase(window) : std::next(window);
  }
}

// Records are not in order of time: those of several threads come in several buffers.
void DefinitionReader::AddUpMemory() {
  for (auto& [device, levels] : to_->memory) {
    std::stable_sort(levels.begin(), levels.end(),
                     [](const MemoryLevel& a, const MemoryLevel& b) { return a.time < b.time; });
    MemoryLevel before = memory_before_[device];
    for (MemoryLevel& level : levels) {
      level.live_bytes = before.live_bytes + level.change_bytes;
      level.peak_bytes = std::max(before.peak_bytes, level.live_bytes);
      before = level;
    }
  }
}

void DefinitionReader::MergeWindows() {
  to_->has_windows |= !to_->window_records.empty() || !to_->Fact(kPausedFact).empty();
  to_->windows.clear();
  for (const auto& [id, record] : to_->window_records) {
    WindowRecord window = record;
    if (window.end == 0) window.end = std::max(to_->last_time, window.start);
    if (to_->is_cut) {
      if (window.end <= to_->kept_from) continue;
      window.start = std::max(window.start, to_->kept_from);
    }
    if (to_->ContinuesWindow(id) && !to_->windows.empty()) {
      to_->windows.back().end = window.end;
    } else {
      to_->windows.push_back(window);
    }
  }
}

// If nothing else says what a step is, each window is one.
void DefinitionReader::MakeStepsOfWindows() {
  const auto& windows = to_->windows;
  if (steps_.has_steps() || windows.empty()) return;
  const WindowCause cause = windows[0].cause;
  const bool is_all = cause == WindowCause::start || cause == WindowCause::ring;
  if (dropped_windows_ == 0 && windows.size() == 1 && is_all) return;
  to_->steps_are_windows = true;
  for (const WindowRecord& window : windows) {
    const auto number = static_cast<int64_t>(to_->steps.size()) + dropped_windows_;
    to_->steps.push_back({window.start, window.end, number, 0});
  }
}

void DefinitionReader::AddSteps() {
  to_->steps = steps_.Steps();
  if (is_left_out_) {
    std::erase_if(to_->steps, [&](const StepSpan& step) { return step.start < to_->kept_from; });
  }
  for (StepSpan& step : to_->steps) {
    if (step.end == 0) step.end = to_->EndOfWindow(step.start);
  }
  MakeStepsOfWindows();
  std::stable_sort(to_->steps.begin(), to_->steps.end(),
                   [](const StepSpan& a, const StepSpan& b) { return a.start < b.start; });
  to_->step_numbers_differ = true;
  std::set<int64_t> numbers;
  for (const StepSpan& step : to_->steps) {
    to_->step_numbers_differ &= step.number >= 0 && numbers.insert(step.number).second;
  }
}

void DefinitionReader::Finish(uint64_t from) {
  AddUpMemory();
  if (from != 0) {
    DropBefore(from);
    is_left_out_ = to_->is_cut = true;
    to_->kept_from = from;
  }
  MergeWindows();
  AddSteps();
}

Definitions ReadDefinitions(SpoolReader* reader) {
  Definitions definitions;
  DefinitionReader take(&definitions);
  reader->Rewind();
  Block block;
  while (reader->Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) { take.Take(block.thread, head); });
  }
  definitions.damage = reader->damage();
  take.Finish();
  return definitions;
}

}  // namespace tfprof::capture
