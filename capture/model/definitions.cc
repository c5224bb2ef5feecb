// SPDX-License-Identifier: Apache-2.0
#include "capture/model/definitions.h"

#include <algorithm>

namespace tfprof::capture {
namespace {

constexpr size_t kMostWaits = size_t{1} << 20;

// Follows the ranges of threads for the steps among them.
class StepFinder {
 public:
  explicit StepFinder(Definitions* definitions) : definitions_(definitions) {}

  void Push(uint32_t thread, const PushRecord& push) {
    Stack& stack = stacks_[{thread, push.domain}];
    const auto& step = definitions_->Name(push.head.id).step;
    const bool is_step = step.has_value() && open_steps_.find(thread) == open_steps_.end();
    if (is_step) {
      open_steps_[thread] = definitions_->steps.size();
      definitions_->steps.push_back({push.time, 0, *step, thread});
    }
    stack.is_step.push_back(is_step);
  }

  void Pop(uint32_t thread, const PopRecord& pop) {
    Stack& stack = stacks_[{thread, pop.head.id}];
    if (stack.is_step.empty()) return;
    if (stack.is_step.back()) {
      definitions_->steps[open_steps_[thread]].end = pop.time;
      open_steps_.erase(thread);
    }
    stack.is_step.pop_back();
  }

 private:
  struct Stack {
    std::vector<bool> is_step;
  };
  Definitions* definitions_;
  std::map<std::pair<uint32_t, uint32_t>, Stack> stacks_;  // by thread and domain
  std::unordered_map<uint32_t, size_t> open_steps_;        // by thread
};

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
      case RecordKind::name: to_->names[head.id] = ReadName(TextOf(head)); break;
      default: TakeRare(head);
    }
  }

 private:
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
      case RecordKind::end: to_->has_end = true; break;
      default: break;
    }
  }

  void TakeFact(std::string_view text) {
    const size_t equals = text.find('=');
    if (equals == text.npos) return;
    to_->facts.emplace(text.substr(0, equals), text.substr(equals + 1));
  }

  void Time(uint64_t time) {
    if (time == 0) return;
    if (to_->first_time == 0 || time < to_->first_time) to_->first_time = time;
    to_->last_time = std::max(to_->last_time, time);
  }

  Definitions* to_;
  StepFinder steps_;
};

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

Definitions ReadDefinitions(SpoolReader* reader) {
  Definitions definitions;
  DefinitionReader take(&definitions);
  reader->Rewind();
  Block block;
  while (reader->Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) { take.Take(block.thread, head); });
  }
  definitions.damage = reader->damage();
  for (StepSpan& step : definitions.steps) {
    if (step.end == 0) step.end = definitions.last_time;  // open when the process ended
  }
  std::stable_sort(definitions.steps.begin(), definitions.steps.end(),
                   [](const StepSpan& a, const StepSpan& b) { return a.start < b.start; });
  return definitions;
}

}  // namespace tfprof::capture
