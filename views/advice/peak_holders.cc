// SPDX-License-Identifier: Apache-2.0
#include "views/advice/peak_holders.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/contents.h"
#include "analysis/memory/peak.h"
#include "analysis/place.h"
#include "views/advice/evidence.h"

namespace tfprof {
namespace {

constexpr size_t kNamed = 3;
constexpr double kNearlyFull = 90;  // percent of what the allocator manages

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

// All that one operation holds.
struct Share {
  std::string who;
  int64_t bytes = 0;
  int64_t pieces = 0;
};

std::string NameOf(const Holder& holder) {
  const std::string_view name = holder.Name();
  return name.empty() ? "operations whose names were not recorded" : std::string(name);
}

// "allocator GPU_0_bfc", of one of several hosts "allocator GPU_0_bfc of worker-1".
std::string NameOf(const Store& store, const Allocator& allocator, std::string_view name) {
  std::string told = name.empty() ? "the allocator" : fmt::format("allocator {}", name);
  if (store.hosts.size() > 1) told += fmt::format(" of {}", HostName(store, allocator.host));
  return told;
}

// The largest first.
std::vector<Share> SharesAt(const MemoryEvents& memory, const Peak& peak) {
  std::map<std::string, Share> by_name;
  for (const Holder& holder : HoldersAtPeak(memory, *peak.allocator, peak.event)) {
    Share& share = by_name[NameOf(holder)];
    if (holder.bytes != kNoInt) share.bytes = SaturatingAdd(share.bytes, holder.AllBytes());
    share.pieces += holder.occurrences;
  }
  std::vector<Share> shares;
  for (auto& [name, share] : by_name) shares.push_back({name, share.bytes, share.pieces});
  std::stable_sort(shares.begin(), shares.end(),
                   [](const Share& a, const Share& b) { return a.bytes > b.bytes; });
  return shares;
}

std::string Told(const std::vector<Share>& shares) {
  std::string told;
  for (size_t i = 0; i < std::min(kNamed, shares.size()); ++i) {
    told += fmt::format("{}{} ({}", i == 0 ? "" : ", ", shares[i].who,
                        Human(shares[i].bytes, Unit::bytes));
    told += shares[i].pieces > 1 ? fmt::format(" in {})", shares[i].pieces) : ")";
  }
  return told;
}

}  // namespace

Result<void> AddPeakHolders(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto memory, checking.recorded.Memory(checking.context));
  const Peak peak = LargestPeak(*memory);
  if (peak.event == kNoMemoryEvent) return {};
  const std::vector<Share> shares = SharesAt(*memory, peak);
  if (shares.empty()) return {};
  const MemoryEvent& event = memory->events[peak.event];
  const Store& store = checking.trace == nullptr ? *checking.store : checking.trace->trace;
  const std::string_view name = memory->Text(peak.allocator->name);
  const int64_t capacity =
      event.available_bytes == kNoInt ? kNoInt : SaturatingAdd(peak.in_use, event.available_bytes);
  const bool full = capacity != kNoInt && Percent(peak.in_use, capacity) >= kNearlyFull;
  std::string of_capacity;
  if (capacity != kNoInt) {
    of_capacity = fmt::format(", {} of what it manages", PercentText(peak.in_use, capacity));
  }
  findings->push_back(
      {.severity = full ? Severity::low : Severity::info,
       .what = fmt::format("at the peak of {}, {} of its memory is held by {}",
                           NameOf(store, *peak.allocator, name),
                           PercentText(shares[0].bytes, peak.in_use), shares[0].who),
       .evidence = fmt::format("{} in use{}: {}", Human(peak.in_use, Unit::bytes), of_capacity,
                               Told(shares)),
       .command = OfHost(fmt::format("memory -where 'allocator ~ ^{}$'", ExpressionFor(name)),
                         store, peak.allocator->host)});
  return {};
}

}  // namespace tfprof
