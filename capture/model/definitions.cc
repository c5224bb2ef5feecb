// SPDX-License-Identifier: Apache-2.0
#include "capture/model/definitions.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>

#include "capture/model/step_finder.h"
#include "capture/spool/step_names.h"

namespace tfprof::capture {
namespace {

constexpr size_t kMostWaits = size_t{1} << 20;

class DefinitionReader {
 public:
  explicit DefinitionReader(Definitions* to) : to_(to), steps_(to) {}

  void Take(uint32_t thread, const RecordHead& head) {
    ++to_->counts[head.kind];
    switch (head.kind) {
      case RecordKind::push:
        if (const auto* push = As<PushRecord>(head)) steps_.Push(thread, *push), Time(push->time);
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
      case RecordKind::name: TakeName(head); break;
      default: TakeRare(head);
    }
  }

 private:
  void TakeName(const RecordHead& head) {
    NameFacts& name = to_->names[head.id] = ReadName(TextOf(head));
    if (pattern_.is_set()) name.is_step = pattern_.Matches(name.base);
  }

  void TakeRare(const RecordHead& head) {
    switch (head.kind) {
      case RecordKind::info: TakeFact(TextOf(head)); break;
      case RecordKind::thread_name: to_->thread_names[head.id] = TextOf(head); break;
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
        if (const auto* clock = As<ClockRecord>(head)) to_->clocks.push_back(*clock);
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

  void TakeMemory(const MemoryRecord& memory) {
    const auto lane = to_->lanes.find(memory.head.id);
    if (lane == to_->lanes.end() || !IsDeviceMemory(memory.kind)) return;
    const auto bytes = static_cast<int64_t>(memory.bytes);
    to_->memory[lane->second.device].push_back(
        {memory.time, memory.is_release ? -bytes : bytes, 0});
  }

  void TakeStack(const StackRecord& stack) {
    if (stack.count > kMostStackFrames || stack.head.bytes < StackRecordBytes(stack.count)) return;
    const auto* frames = reinterpret_cast<const uint32_t*>(&stack + 1);
    std::vector<uint32_t>& of = to_->stacks[stack.head.id];
    for (uint32_t i = 0; i < stack.count; ++i) {
      const auto known = line_of_frame_.find(frames[i]);
      of.push_back(known != line_of_frame_.end() ? known->second : 0);
    }
  }

  void TakeSample(const SampleRecord& sample) {
    const uint64_t last = to_->samples.empty() ? 1 : to_->samples.back().time;
    if (sample.since == 0 || sample.time < last) return;  // damaged, or the clock was set
    to_->sampled_thread = sample.thread;
    to_->samples.push_back({std::min(sample.since, sample.time), sample.time, sample.head.id});
    Time(to_->samples.back().since);
    Time(sample.time);
  }

  // Samples say how long functions take. Only calls of CUDA say from which line.
  void TakeFrame(FrameRecord frame) {
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
  void TakeSegment(const SegmentRecord& segment) {
    if (to_->kept_from != 0) return;
    to_->kept_from = segment.time;
    to_->is_cut = segment.head.id > 1;
  }

  void TakeFact(std::string_view text) {
    const size_t equals = text.find('=');
    if (equals == text.npos) return;
    const auto fact = to_->facts.emplace(text.substr(0, equals), text.substr(equals + 1));
    // It is written before names.
    if (fact->first == kStepRangeFact) pattern_.Compile(fact->second.c_str());
  }

  void Time(uint64_t time) {
    if (time == 0) return;
    if (to_->first_time == 0 || time < to_->first_time) to_->first_time = time;
    to_->last_time = std::max(to_->last_time, time);
  }

  Definitions* to_;
  StepFinder steps_;
  StepPattern pattern_;
  std::map<std::array<uint32_t, 4>, uint32_t> lines_;  // frames by what they say
  std::unordered_map<uint32_t, uint32_t> line_of_frame_;
};

// Records are not in order of time: those of several threads come in several buffers.
void AddUpMemory(Definitions* definitions) {
  for (auto& [device, levels] : definitions->memory) {
    std::stable_sort(levels.begin(), levels.end(),
                     [](const MemoryLevel& a, const MemoryLevel& b) { return a.time < b.time; });
    MemoryLevel before;
    for (MemoryLevel& level : levels) {
      level.live_bytes += before.live_bytes;
      level.peak_bytes = std::max(before.peak_bytes, level.live_bytes);
      before = level;
    }
  }
}

void MergeWindows(Definitions* definitions) {
  definitions->has_windows =
      !definitions->window_records.empty() || !definitions->Fact(kPausedFact).empty();
  for (const auto& [id, record] : definitions->window_records) {
    WindowRecord window = record;
    if (window.end == 0) window.end = std::max(definitions->last_time, window.start);
    if (definitions->is_cut) {
      if (window.end <= definitions->kept_from) continue;
      window.start = std::max(window.start, definitions->kept_from);
    }
    if (definitions->ContinuesWindow(id) && !definitions->windows.empty()) {
      definitions->windows.back().end = window.end;
    } else {
      definitions->windows.push_back(window);
    }
  }
}

// If nothing else says what a step is, each window is one.
void MakeStepsOfWindows(Definitions* definitions) {
  const auto& windows = definitions->windows;
  if (!definitions->steps.empty() || windows.empty()) return;
  const WindowCause cause = windows[0].cause;
  const bool is_all = cause == WindowCause::start || cause == WindowCause::ring;
  if (windows.size() == 1 && is_all) return;
  definitions->steps_are_windows = true;
  for (const WindowRecord& window : windows) {
    const auto number = static_cast<int64_t>(definitions->steps.size());
    definitions->steps.push_back({window.start, window.end, number, 0});
  }
}

}  // namespace

const NameFacts& Definitions::Name(uint32_t id) const {
  static const NameFacts kNone;
  const auto found = names.find(id);
  return found != names.end() ? found->second : kNone;
}

std::string_view Definitions::DomainName(uint32_t domain) const {
  const auto found = domain_names.find(domain);
  return found != domain_names.end() ? std::string_view(Name(found->second).base)
                                     : std::string_view();
}

std::string_view Definitions::Fact(const std::string& key) const {
  const auto found = facts.lower_bound(key);
  return found != facts.end() && found->first == key ? std::string_view(found->second)
                                                     : std::string_view();
}

bool Definitions::ContinuesWindow(uint32_t id) const {
  const auto found = window_records.find(id);
  return found != window_records.end() && found->second.cause == WindowCause::ring;
}

MemoryLevel Definitions::MemoryAt(uint32_t device, uint64_t time) const {
  const auto found = memory.find(device);
  if (found == memory.end()) return {};
  const auto after =
      std::upper_bound(found->second.begin(), found->second.end(), time,
                       [](uint64_t t, const MemoryLevel& level) { return t < level.time; });
  return after == found->second.begin() ? MemoryLevel() : *std::prev(after);
}

const WindowRecord* Definitions::WindowAt(uint64_t time) const {
  for (auto at = window_records.rbegin(); at != window_records.rend(); ++at) {
    if (at->second.start <= time) return &at->second;
  }
  return nullptr;
}

bool Definitions::IsInWindow(uint64_t time) const {
  const auto after =
      std::upper_bound(windows.begin(), windows.end(), time,
                       [](uint64_t t, const WindowRecord& window) { return t < window.start; });
  return !has_windows || (after != windows.begin() && time <= std::prev(after)->end);
}

uint64_t Definitions::EndOfWindow(uint64_t time) const {
  const auto after =
      std::upper_bound(windows.begin(), windows.end(), time,
                       [](uint64_t t, const WindowRecord& window) { return t < window.start; });
  return after == windows.begin() ? last_time : std::max(time, std::prev(after)->end);
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
  AddUpMemory(&definitions);
  MergeWindows(&definitions);
  for (StepSpan& step : definitions.steps) {
    if (step.end == 0) step.end = definitions.EndOfWindow(step.start);
  }
  MakeStepsOfWindows(&definitions);
  std::stable_sort(definitions.steps.begin(), definitions.steps.end(),
                   [](const StepSpan& a, const StepSpan& b) { return a.start < b.start; });
  std::set<int64_t> numbers;
  for (const StepSpan& step : definitions.steps) {
    definitions.step_numbers_differ &= step.number >= 0 && numbers.insert(step.number).second;
  }
  return definitions;
}

}  // namespace tfprof::capture
