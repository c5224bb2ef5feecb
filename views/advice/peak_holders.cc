// SPDX-License-Identifier: Apache-2.0
#include "views/advice/peak_holders.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/contents.h"
#include "analysis/memory/events.h"
#include "analysis/memory/peak.h"
#include "analysis/place.h"
#include "core/base/sorting.h"
#include "core/text/units.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

constexpr size_t kNamed = 3;
constexpr double kNearlyFull = 90;  // percent of the allocator's memory

struct Peak {
  const Allocator* allocator = nullptr;
  uint32_t event = kNoMemoryEvent;
  int64_t in_use = 0;
};

Peak LargestPeak(const MemoryEvents& memory) {
  Peak largest;
  for (const Allocator& allocator : memory.allocators) {
    const uint32_t event = PeakOf(memory, allocator);
    if (event == kNoMemoryEvent || memory.events[event].InUseBytes() <= largest.in_use) continue;
    largest = {&allocator, event, memory.events[event].InUseBytes()};
  }
  return largest;
}

// All memory that one line of code or operation had allocated.
struct Held {
  std::string who;
  int64_t bytes = 0;
  int64_t pieces = 0;
};

std::string NameOf(const Holder& holder) {
  if (!holder.source.empty()) return std::string(holder.source);
  const std::string_view name = holder.Name();
  return name.empty() ? "operations whose names were not recorded" : std::string(name);
}

// Returns "allocator GPU_0_bfc"; with several hosts, "allocator GPU_0_bfc of worker-1".
std::string NameOf(const Store& store, const Allocator& allocator, std::string_view name) {
  std::string text = name.empty() ? "the allocator" : fmt::format("allocator {}", name);
  if (store.hosts.size() > 1) text += fmt::format(" of {}", HostName(store, allocator.host));
  return text;
}

// Returns the shares by size, descending.
std::vector<Held> SharesAt(const MemoryEvents& memory, const Peak& peak) {
  std::map<std::string, Held> by_name;
  for (const Holder& holder : HoldersAfter(memory, *peak.allocator, peak.event)) {
    Held& share = by_name[NameOf(holder)];
    if (holder.bytes != kNoInt) share.bytes = SaturatingAdd(share.bytes, holder.AllBytes());
    share.pieces += holder.occurrences;
  }
  std::vector<Held> shares;
  for (auto& [name, share] : by_name) shares.push_back({name, share.bytes, share.pieces});
  StableSort(shares, [](const Held& a, const Held& b) { return a.bytes > b.bytes; });
  return shares;
}

std::string Largest(const std::vector<Held>& shares) {
  std::string list;
  for (size_t i = 0; i < std::min(kNamed, shares.size()); ++i) {
    list += fmt::format("{}{} ({}", i == 0 ? "" : ", ", shares[i].who,
                        Human(shares[i].bytes, Unit::bytes));
    list += shares[i].pieces > 1 ? fmt::format(" in {})", shares[i].pieces) : ")";
  }
  return list;
}

}  // namespace

Result<void> AddPeakHolders(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto memory, checking.of_recorded.Get<MemoryEvents>(checking.context));
  const Peak peak = LargestPeak(*memory);
  if (peak.event == kNoMemoryEvent) return {};
  const std::vector<Held> shares = SharesAt(*memory, peak);
  if (shares.empty()) return {};
  const MemoryEvent& event = memory->events[peak.event];
  const Store& store = checking.recorded;
  const std::string_view name = memory->Text(peak.allocator->name);
  const int64_t capacity = CapacityOf(store, *peak.allocator, event);
  const bool known = capacity != kNoInt;
  if (known && Percent(peak.in_use, capacity) < kLittleMemory) return {};
  const bool full = known && Percent(peak.in_use, capacity) >= kNearlyFull;
  findings->push_back({.id = FindingId::memory_at_peak,
                       .severity = full ? Severity::low : Severity::info,
                       .values = {Text("allocator", NameOf(store, *peak.allocator, name)),
                                  {"allocator_pattern", ExpressionFor(name)},
                                  Share("share", shares[0].bytes, peak.in_use),
                                  Text("operation", shares[0].who),
                                  Bytes("in_use", peak.in_use),
                                  capacity == kNoInt ? Number("of_capacity", kNoInt)
                                                     : Share("of_capacity", peak.in_use, capacity),
                                  Text("holders", Largest(shares)),
                                  HostWord(store, peak.allocator->host)}});
  return {};
}

}  // namespace tfprof
