// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "analysis/memory/allocator_memory.h"
#include "analysis/place.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// Printed by runtimes for a missing text.
constexpr std::string_view kNullText = "(null)";

enum class Change : uint8_t { none, allocates, frees };

// By label of the process.
std::vector<Change> ChangesOf(const Store& store, const Process& process, bool* any) {
  std::vector<Change> changes;
  for (const Label& label : store.LabelsOf(process)) {
    changes.push_back(label.role == EventRole::allocation     ? Change::allocates
                      : label.role == EventRole::deallocation ? Change::frees
                                                              : Change::none);
    *any |= changes.back() != Change::none;
  }
  return changes;
}

// The memory events of a process, ascending, and whether each is a free.
struct Chosen {
  std::vector<EventId> events;
  std::vector<uint8_t> frees;
};

Result<Chosen> Choose(const Store& store, const Process& process, int64_t* unplaced,
                      Context& context) {
  Chosen chosen;
  bool any = false;
  const std::vector<Change> changes = ChangesOf(store, process, &any);
  if (!any) return chosen;
  for (const Lane& lane : store.LanesOf(process)) {
    for (const uint32_t row : lane.rows) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const Change change = changes[store.events.label[row].value - process.labels.first];
      if (change == Change::none) continue;
      if (store.events.start_ps[row] == kNoTime) {
        ++*unplaced;
        continue;
      }
      chosen.events.emplace_back(row);
      chosen.frees.push_back(change == Change::frees);
    }
  }
  return chosen;
}

// The values of one key for the chosen events.
class Values {
 public:
  explicit Values(DetailColumn column) : column_(std::move(column)) {}

  int64_t Integer(uint32_t i) const { return Has(i) ? column_.Integer(i) : kNoInt; }
  double Real(uint32_t i) const { return Has(i) ? column_.Real(i) : kNoReal; }
  // Returns a text; numbers are printed in decimal. none: not recorded, or a placeholder.
  NameId Text(uint32_t i, Names* texts) {
    if (!Has(i)) return {};
    const NameId own = column_.TextId(i);
    if (!own.some()) {
      const int64_t number = column_.Integer(i);
      return number == kNoInt ? NameId() : texts->Intern(std::to_string(number));
    }
    const std::string_view text = column_.texts[own];
    if (text.empty() || text == kNullText) return {};
    ids_.resize(column_.texts.size());
    NameId& id = ids_[own.value];
    if (!id.some()) id = texts->Intern(text.starts_with("//") ? ParseOpName(text).name : text);
    return id;
  }

 private:
  bool Has(uint32_t i) const { return column_.rows.count > 0 && column_.Has(i); }

  DetailColumn column_;
  std::vector<NameId> ids_;  // by text of the column: id in the shared texts
};

// Maps an attribute to a member.
template <class Member>
struct Kept {
  AttributeKey key;
  Member MemoryEvent::*to;
};
constexpr Kept<int64_t> kNumbers[] = {
    {AttributeKey::allocation_bytes, &MemoryEvent::bytes},
    {AttributeKey::requested_bytes, &MemoryEvent::requested_bytes},
    {AttributeKey::bytes_in_use, &MemoryEvent::heap_bytes},
    {AttributeKey::bytes_reserved, &MemoryEvent::reserved_bytes},
    {AttributeKey::bytes_available, &MemoryEvent::available_bytes},
    {AttributeKey::peak_bytes_in_use, &MemoryEvent::lifetime_peak_bytes},
    {AttributeKey::address, &MemoryEvent::address},
    {AttributeKey::group, &MemoryEvent::group},
    {AttributeKey::element_type, &MemoryEvent::element_type},
};
constexpr Kept<NameId> kTexts[] = {{AttributeKey::op, &MemoryEvent::op},
                                   {AttributeKey::source, &MemoryEvent::source},
                                   {AttributeKey::region, &MemoryEvent::region},
                                   {AttributeKey::shape, &MemoryEvent::shape}};

// Reads the attributes of the chosen events, all of which are in `found`.
Result<void> ReadValues(const Store& store, ProcessId process, const Chosen& chosen,
                        std::span<AllocatorMemory> found, Names* texts, Context& context) {
  std::vector<DetailKey> keys;
  for (const auto& kept : kNumbers) keys.push_back(kept.key);
  for (const auto& kept : kTexts) keys.push_back(kept.key);
  keys.insert(keys.end(), {AttributeKey::fragmentation, AttributeKey::allocator,
                           AttributeKey::allocator_device});
  TFPROF_ASSIGN(std::vector<DetailColumn> columns,
                ReadColumns(store, process, chosen.events, keys, context));
  size_t next = 0;
  const auto each = [&](const auto& set) {
    Values values(std::move(columns[next++]));
    for (uint32_t i = 0; i < found.size(); ++i) set(found[i], values, i);
  };
  for (const auto& kept : kNumbers) {
    each([&](AllocatorMemory& f, Values& values, uint32_t i) {
      f.event.*kept.to = values.Integer(i);
    });
  }
  for (const auto& kept : kTexts) {
    each([&](AllocatorMemory& f, Values& values, uint32_t i) {
      f.event.*kept.to = values.Text(i, texts);
    });
  }
  each([](AllocatorMemory& f, Values& values, uint32_t i) {
    f.event.fragmentation = values.Real(i);
  });
  each([&](AllocatorMemory& f, Values& values, uint32_t i) {
    f.allocator = values.Text(i, texts);
    if (!f.allocator.some()) f.allocator = texts->Intern("");
  });
  each([](AllocatorMemory& f, Values& values, uint32_t i) { f.device = values.Integer(i); });
  return {};
}

Result<void> ReadProcess(const Store& store, ProcessId id, std::vector<AllocatorMemory>* found,
                         MemoryEvents* memory, Context& context) {
  const Process& process = store.processes[id.value];
  TFPROF_ASSIGN(const Chosen chosen, Choose(store, process, &memory->unplaced, context));
  if (chosen.events.empty()) return {};
  for (size_t i = 0; i < chosen.events.size(); ++i) {
    AllocatorMemory& added = found->emplace_back();
    added.host = process.host;
    added.event.event = chosen.events[i];
    added.event.time_ps = store.events.start_ps[chosen.events[i].value];
    added.event.frees = chosen.frees[i] != 0;
  }
  const std::span<AllocatorMemory> added =
      std::span(*found).subspan(found->size() - chosen.events.size());
  return ReadValues(store, id, chosen, added, &memory->texts, context);
}

}  // namespace

int64_t CountAllocatorEvents(const Store& store) {
  int64_t events = 0;
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    bool any = false;
    const std::vector<Change> changes = ChangesOf(store, process, &any);
    if (!any) continue;
    for (const Lane& lane : store.LanesOf(process)) {
      for (const uint32_t row : lane.rows) {
        const uint32_t label = store.events.label[row].value - process.labels.first;
        events += changes[label] != Change::none ? 1 : 0;
      }
    }
  }
  return events;
}

Result<void> FindAllocatorEvents(const Store& store, std::vector<AllocatorMemory>* found,
                                 MemoryEvents* memory, Context& context) {
  for (const ProcessId host : SelectedProcesses(store, {}, ProcessKind::host)) {
    TFPROF_TRY(ReadProcess(store, host, found, memory, context));
  }
  return {};
}

}  // namespace tfprof
