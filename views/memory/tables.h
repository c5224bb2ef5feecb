// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/memory/peak.h"
#include "core/report/report.h"

// The tables of the view `memory`.

namespace tfprof {

struct ShownAllocator {
  const Allocator* allocator;
  std::string_view host;
  std::vector<const MemoryEvent*> events;  // events that -step selects
  uint32_t peak;                           // PeakOf
};

struct MemoryCells {
  const Store& store;
  const MemoryEvents& memory;
  int64_t first_ps;  // zero of the times in tables for readers
  std::vector<ShownAllocator> shown;
  std::vector<std::string_view> texts;  // MemoryEvents::texts, by id; the report owns them

  // data() == nullptr: not recorded.
  std::string_view Text(NameId id) const {
    return id.some() ? texts[id.value] : std::string_view();
  }
  // Returns a text of the memory events or a constant; empty if not recorded.
  std::string_view Text(std::string_view text) const {
    if (text.empty()) return text;
    const NameId id = memory.texts.Find(text);
    return id.some() ? texts[id.value] : text;
  }
};

Table AllocatorsTable(const MemoryCells& tables);
Table ActiveTable(const MemoryCells& tables);
// Error: cancelled.
Result<Table> TimelineTable(const MemoryCells& tables, Context& context);

}  // namespace tfprof
