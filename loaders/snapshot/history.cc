// SPDX-License-Identifier: Apache-2.0
#include "loaders/snapshot/history.h"

#include <algorithm>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace tfprof::snapshot {
namespace {

std::span<const Entry> EntriesOf(const Facts& facts, int64_t device) {
  if (device < 0 || static_cast<size_t>(device) >= facts.traces.size()) return {};
  return facts.traces[static_cast<size_t>(device)];
}

// A block is free when its last stream has passed. Recordings that leave these entries out have
// only those of the program's wish.
Action ActionOfFrees(std::span<const Entry> entries) {
  const bool completed = std::ranges::any_of(
      entries, [](const Entry& e) { return e.action == Action::free_completed; });
  return completed ? Action::free_completed : Action::free_requested;
}

Change ChangeOf(const Entry& entry, Action frees) {
  Change change;
  change.kind = entry.action == Action::alloc ? ChangeKind::alloc
                : entry.action == frees       ? ChangeKind::free
                                              : ChangeKind::other;
  change.name = entry.name;
  change.time_us = entry.time_us;
  change.address = entry.address;
  change.stack = entry.stack;
  change.bytes = entry.bytes;
  return change;
}

// Appends to `before` what a free shows to have been held before, and returns the addresses of what
// was allocated and is held at the end.
std::unordered_set<int64_t> OpenAfter(const std::vector<Change>& changes,
                                      std::vector<Change>* before) {
  std::unordered_set<int64_t> open;
  for (const Change& change : changes) {
    if (change.kind == ChangeKind::alloc) {
      open.insert(change.address);
    } else if (change.kind == ChangeKind::free && open.erase(change.address) == 0) {
      Change held = change;
      held.kind = ChangeKind::held_before;
      held.name = {};
      held.stack = kNoStack;  // that of the free
      before->push_back(held);
    }
  }
  return open;
}

// Appends the blocks that are still held and whose allocation is not known.
void AddHeld(const Facts& facts, int64_t device, const std::unordered_set<int64_t>& open,
             std::vector<Change>* before) {
  for (const Segment& segment : facts.segments) {
    if (segment.device != device) continue;
    for (const Block& block : segment.blocks) {
      if (!block.is_active || open.contains(block.address)) continue;
      Change held{.kind = ChangeKind::held_before};
      held.address = block.address;
      held.bytes = block.requested_bytes == kNoInt ? block.bytes : block.requested_bytes;
      held.stack = block.stack;
      before->push_back(held);
    }
  }
}

int64_t OrZero(int64_t bytes) { return bytes == kNoInt ? 0 : bytes; }

int64_t ReservedBy(std::string_view name, int64_t bytes) {
  if (name == "segment_alloc" || name == "segment_map") return OrZero(bytes);
  if (name == "segment_free" || name == "segment_unmap") return -OrZero(bytes);
  return 0;
}

// Bytes in use count from 0, what was held before included; bytes reserved are known at the end.
void Count(int64_t reserved_at_end, std::vector<Change>* changes) {
  int64_t reserved = reserved_at_end;
  for (const Change& change : *changes) {
    reserved = SaturatingAdd(reserved, -ReservedBy(change.name, change.bytes));
  }
  std::unordered_map<int64_t, int64_t> held;  // requested bytes by address
  int64_t in_use = 0;
  for (Change& change : *changes) {
    const bool takes = change.kind == ChangeKind::held_before || change.kind == ChangeKind::alloc;
    if (takes || change.kind == ChangeKind::free) {
      int64_t& bytes = held[change.address];
      const int64_t now = takes ? OrZero(change.bytes) : 0;
      in_use = SaturatingAdd(in_use, now - bytes);
      bytes = now;
    }
    reserved = SaturatingAdd(reserved, ReservedBy(change.name, change.bytes));
    change.in_use_bytes = in_use;
    change.reserved_bytes = reserved;
  }
}

}  // namespace

std::vector<int64_t> DevicesOf(const Facts& facts) {
  std::set<int64_t> devices;
  for (const Segment& segment : facts.segments) devices.insert(segment.device);
  for (size_t device = 0; device < facts.traces.size(); ++device) {
    if (!facts.traces[device].empty()) devices.insert(static_cast<int64_t>(device));
  }
  return {devices.begin(), devices.end()};
}

std::vector<Change> HistoryOf(const Facts& facts, int64_t device) {
  const std::span<const Entry> entries = EntriesOf(facts, device);
  std::vector<Change> history, changes;
  // An order without times is of no use to anybody.
  const bool has_times = !entries.empty() && entries.front().time_us != kNoInt;
  if (has_times) {
    const Action frees = ActionOfFrees(entries);
    for (const Entry& entry : entries) changes.push_back(ChangeOf(entry, frees));
  }
  const std::unordered_set<int64_t> open = OpenAfter(changes, &history);
  AddHeld(facts, device, open, &history);
  for (Change& held : history) held.time_us = has_times ? entries.front().time_us : kNoInt;
  history.insert(history.end(), changes.begin(), changes.end());
  int64_t reserved = 0;
  for (const Segment& segment : facts.segments) {
    if (segment.device == device) reserved = SaturatingAdd(reserved, segment.bytes);
  }
  Count(reserved, &history);
  return history;
}

}  // namespace tfprof::snapshot
