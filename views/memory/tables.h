// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
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
  uint32_t at;  // whose memory tables show: the peak, or the last event at the time of -at
};

struct MemoryCells {
  const Store& store;
  const MemoryEvents& memory;
  int64_t first_ps;  // zero of the times in tables for readers
  int64_t at_ps;     // of -at, from there; kNoInt: the peak
  std::vector<ShownAllocator> shown;
  std::vector<std::string_view> texts;  // MemoryEvents::texts, by id; the report owns them

  // The title of a table: "held at the peak, by line of code".
  std::string Title(std::string_view by = {}) const;
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
// The same at the time of -at.
Table MomentTable(const MemoryCells& tables);
Table ActiveTable(const MemoryCells& tables);
// Error: cancelled.
Result<Table> TimelineTable(const MemoryCells& tables, Context& context);

}  // namespace tfprof
