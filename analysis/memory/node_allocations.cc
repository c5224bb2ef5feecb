// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>

#include "analysis/memory/allocator_memory.h"
#include "core/base/context.h"
#include "core/store/details.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

// Assigns addresses to the allocations of one execution, in the order of its record.
class Addresses {
 public:
  void BeginExecution() { open_.clear(); }
  int64_t Of(int64_t bytes) {
    if (bytes >= 0) {
      open_[bytes].addresses.push_back(++last_);
      return last_;
    }
    Open& open = open_[-bytes];
    return open.next < open.addresses.size() ? open.addresses[open.next++] : ++last_;
  }

 private:
  struct Open {
    std::vector<int64_t> addresses;
    size_t next = 0;  // the first that is not freed
  };

  std::unordered_map<int64_t, Open> open_;  // by size
  int64_t last_ = 0;
};

// By lane and name.
using AllocatorNames = std::map<std::pair<uint32_t, std::string_view>, NameId>;

NameId NameOf(const Store& store, LaneId lane, std::string_view allocator, AllocatorNames* known,
              Names* texts) {
  NameId& name = (*known)[{lane.value, allocator}];
  if (name.some()) return name;
  std::string text(store.Text(store.lanes[lane.value].display));
  if (!allocator.empty()) text += " " + std::string(allocator);
  return name = texts->Intern(text);
}

MemoryEvent EventOf(const Store& store, const Allocation& allocation, const EventRun& run) {
  MemoryEvent event;
  event.event = allocation.event;
  event.time_ps = allocation.time_ps;
  event.frees = allocation.bytes < 0;
  event.bytes = event.frees ? -std::max(allocation.bytes, kMinPs) : allocation.bytes;
  if (run.step.some()) event.group = store.steps[run.step.value].number;
  return event;
}

}  // namespace

Result<void> FindNodeAllocations(const Store& store, std::vector<AllocatorMemory>* found,
                                 MemoryEvents* memory, Context& context) {
  TFPROF_ASSIGN(std::vector<Allocation> allocations, ReadAllocations(store, context));
  if (allocations.empty()) return {};
  std::ranges::stable_sort(allocations, {}, &Allocation::event);
  const std::vector<EventRun> runs = EventRuns(store);
  AllocatorNames names;
  Addresses addresses;
  found->reserve(found->size() + allocations.size());
  for (size_t i = 0; i < allocations.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Allocation& allocation = allocations[i];
    if (i == 0 || allocations[i - 1].event != allocation.event) addresses.BeginExecution();
    const int64_t address = addresses.Of(std::max(allocation.bytes, kMinPs));
    if (allocation.time_ps == kNoTime) {
      ++memory->unplaced;
      continue;
    }
    const EventRun& run = RunOf(runs, allocation.event);
    AllocatorMemory& added = found->emplace_back();
    added.allocator = NameOf(store, run.lane, allocation.allocator, &names, &memory->texts);
    added.event = EventOf(store, allocation, run);
    added.event.address = address;
    const LabelId label = store.events.label[allocation.event.value];
    added.event.op = memory->texts.Intern(store.Text(store.labels[label.value].name));
  }
  return {};
}

}  // namespace tfprof
