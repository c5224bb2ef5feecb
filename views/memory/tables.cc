// SPDX-License-Identifier: Apache-2.0
#include "views/memory/tables.h"

#include <algorithm>
#include <string_view>

#include "analysis/memory/element_type.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/memory/lines.h"
#include "views/memory/over_time.h"
#include "views/memory/program_memory.h"
#include "views/memory/segments.h"

namespace tfprof {
namespace {

constexpr ColumnDef kAllocatorsColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device.")
        .Was("memory_id"),
    CountDef("allocations", "allocations", "Number of allocations."),
    CountDef("frees", "frees", "Number of frees.").Was("deallocations"),
    BytesDef("peak_bytes", "peak", "Peak memory in use within the profile: heap plus reserved.")
        .Was("peak_bytes_in_use"),
    BytesDef("reserved_bytes", "reserved", "Part of the peak reserved for stacks and the like.")
        .Was("stack_reserved_bytes")
        .Droppable(),
    BytesDef("heap_bytes", "heap", "Part of the peak that allocations hold.")
        .Was("heap_allocated_bytes")
        .Droppable(),
    BytesDef("free_bytes", "free", "Free memory at the peak.").Was("free_memory_bytes"),
    BytesDef(
        "capacity_bytes", "capacity",
        "Memory that the allocator can use: the peak plus what was free; if that is not recorded, "
        "the memory of its device.")
        .Was("memory_capacity"),
    ShareDef("fragmentation_pct", "fragmentation",
             "Share of the free memory at the peak that lies outside the largest free block.")
        .Was("fragmentation")
        .Droppable(),
    TimeDef("peak_at_us", "peak at", "Last moment of the peak, from time 0 of the profile.")
        .Was("peak_offset_us")
        .Droppable(),
    RealDef("peak_time_us", "peak_time_us", Unit::us, "Last moment of the peak, wall time.")
        .ForOriginal(),
    BytesDef("lifetime_peak_bytes", "heap peak ever",
             "Peak heap over the allocator's lifetime, as it reports it: without reserved "
             "memory, so the peak within the profile can be larger.")
        .Was("peak_bytes_usage_lifetime"),
};
constexpr TableDef kAllocatorsTable{"allocators", "", kAllocatorsColumns};

constexpr ColumnDef kMomentColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device."),
    BytesDef("in_use_bytes", "in use", "Memory in use: heap plus reserved."),
    BytesDef("reserved_bytes", "reserved", "Part of it reserved for stacks and the like.")
        .Droppable(),
    BytesDef("heap_bytes", "heap", "Part of it that allocations hold.").Droppable(),
    BytesDef("free_bytes", "free", "Free memory."),
    ShareDef("fragmentation_pct", "fragmentation",
             "Share of the free memory that lies outside the largest free block.")
        .Droppable(),
    ShareDef("peak_pct", "of peak", "Memory in use as a share of the allocator's peak."),
    TimeDef("since_us", "since",
            "Time of the last allocation or free until then, from time 0 of the profile."),
};
constexpr TableDef kMomentTable{"moment", "", kMomentColumns};

constexpr ColumnDef OfXprof(std::string_view id, std::string_view meaning) {
  return TextDef(id, id, meaning).ForOriginal();
}

constexpr ColumnDef kActiveAllocationsColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device.")
        .Was("memory_id"),
    TextDef(
        "op", "operation",
        "Operation that allocated it; for the rest of the heap and reserved bytes, what they are.")
        .Was("operation"),
    BytesDef("allocated_bytes", "each", "Size of one allocation.").Was("allocation_bytes"),
    CountDef("count", "count", "Number of equal allocations.").Was("occurrences"),
    BytesDef("total_bytes", "all", "Sum over all of them."),
    BytesDef("requested_bytes", "requested each", "Requested size of one allocation.").Droppable(),
    TextDef("source", "source", "Line of code that requested it.").Droppable(),
    TextDef("region", "region", "Purpose of the memory.").Droppable(),
    TextDef("element_type", "type", "Element type."),
    TextDef("shape", "shape", "Tensor shape."),
    OfXprof("tf_op_name", "Operation, as in xprof; empty, INVALID or unknown if not recorded."),
    OfXprof("region_type", "Region, as in xprof; empty, INVALID or unknown if not recorded."),
    OfXprof("data_type", "Element type, as in xprof; empty, INVALID or unknown if not recorded."),
    OfXprof("tensor_shape", "Shape, as in xprof; empty, INVALID or unknown if not recorded."),
};
constexpr TableDef kActiveAllocationsTable{"active_allocations", "held at the peak",
                                           kActiveAllocationsColumns};

constexpr ColumnDef kTimelineColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device.")
        .Was("memory_id"),
    TimeDef("start_us", "start", "Time, from time 0 of the profile.").Was("offset_us"),
    RealDef("time_us", "time_us", Unit::us, "Wall time.").ForOriginal(),
    TextDef("activity", "text", "Allocation or free."),
    TimeDef("held_us", "held",
            "Time from the allocation to its free; absent if either was not recorded.")
        .Droppable(),
    BytesDef("allocated_bytes", "size", "Bytes allocated or freed.").Was("allocation_bytes"),
    BytesDef("in_use_bytes", "in use", "Heap and reserved bytes after it."),
    TextDef("op", "operation", "Operation that allocated the memory.").Was("tf_op_name"),
    TextDef("source", "source", "Line of code that requested the memory.").Droppable(),
    TextDef("region", "region", "Purpose of the memory.").Was("region_type").Droppable(),
    TextDef("element_type", "type", "Element type.").Was("data_type").Droppable(),
    TextDef("shape", "shape", "Tensor shape.").Was("tensor_shape").Droppable(),
    BytesDef("requested_bytes", "requested", "Requested bytes.").ForMachines(),
    IntegerDef("step", "step", Unit::none, "Step, as assigned by the recorder.")
        .Was("group")
        .ForMachines(),
};
constexpr TableDef kTimelineTable{"timeline", "allocations and frees", kTimelineColumns};

// Adds the columns that identify a row's memory; `allocator` returns the ShownAllocator of an item.
template <class Items, class OfItem>
void AddPlace(const MemoryCells& tables, const Items& items, const OfItem& of, Table* table) {
  Fill(*table, "host", items, [&](const auto& item) { return of(item).host; }).spec.human_readable =
      tables.store.hosts.size() > 1;
  Fill(*table, "allocator", items,
       [&](const auto& item) { return tables.Text(of(item).allocator->name); });
}

void AddAllocator(const MemoryCells& tables, Table* table) {
  const auto self = [](const ShownAllocator& s) -> const ShownAllocator& { return s; };
  AddPlace(tables, tables.shown, self, table);
}

// Most recorders have no lines of code: readers see the column only where there is one.
template <class Items, class SourceOf>
void AddSource(const Items& items, const SourceOf& source_of, Table* table) {
  ReportColumn& column = Fill(*table, "source", items, source_of);
  column.spec.human_readable =
      std::ranges::any_of(column.texts, [](std::string_view source) { return !source.empty(); });
}

// Returns a value of the event whose memory the tables show.
template <class Cell>
auto Then(const MemoryCells& tables, const Cell& cell) {
  return [&tables, cell](const ShownAllocator& shown) {
    return shown.at == kNoMemoryEvent ? kNoInt : cell(tables.memory.events[shown.at]);
  };
}

int64_t CountOf(const ShownAllocator& shown, bool frees) {
  int64_t count = 0;
  for (const MemoryEvent* event : shown.events) count += event->frees == frees;
  return count;
}

int64_t LifetimePeak(const ShownAllocator& shown) {
  int64_t max = kNoInt;
  for (const MemoryEvent* event : shown.events) max = std::max(max, event->lifetime_peak_bytes);
  return max;
}

// Adds what an allocator holds then; `in_use`: the column of the sum.
void AddBytes(const MemoryCells& tables, std::string_view in_use, Table* table) {
  const auto add = [&](std::string_view id, auto cell) {
    Fill(*table, id, tables.shown, Then(tables, cell));
  };
  add(in_use, [](const MemoryEvent& e) { return e.InUseBytes(); });
  add("reserved_bytes", [](const MemoryEvent& e) { return e.reserved_bytes; });
  add("heap_bytes", [](const MemoryEvent& e) { return e.heap_bytes; });
  add("free_bytes", [](const MemoryEvent& e) { return e.available_bytes; });
}

void AddFragmentation(const MemoryCells& tables, Table* table) {
  Fill(*table, "fragmentation_pct", tables.shown, [&](const ShownAllocator& s) {
    return s.at == kNoMemoryEvent ? kNoReal : tables.memory.events[s.at].fragmentation;
  });
}

void AddTimeOfPeak(const MemoryCells& tables, Table* table) {
  const auto time_ps = Then(tables, [](const MemoryEvent& e) { return e.time_ps; });
  Fill(*table, "peak_at_us", tables.shown, [&](const ShownAllocator& s) {
    return s.at == kNoMemoryEvent ? kNoInt : SinceFirst(tables.first_ps, time_ps(s));
  });
  Fill(*table, "peak_time_us", tables.shown, [&](const ShownAllocator& s) {
    return WallMicros(tables.store, s.at == kNoMemoryEvent ? kNoTime : time_ps(s));
  });
}

double ShareOfPeak(const MemoryCells& tables, const ShownAllocator& shown) {
  if (shown.at == kNoMemoryEvent || shown.peak == kNoMemoryEvent) return kNoReal;
  const int64_t in_use = tables.memory.events[shown.at].InUseBytes();
  const int64_t peak = tables.memory.events[shown.peak].InUseBytes();
  if (in_use == kNoInt || peak <= 0) return kNoReal;
  return static_cast<double>(in_use) / static_cast<double>(peak);
}

// An allocation that is live at the moment that the tables show.
struct Active {
  const ShownAllocator* shown;
  Holder holder;
};

std::vector<Active> ActiveThen(const MemoryCells& tables) {
  std::vector<Active> active;
  for (const ShownAllocator& shown : tables.shown) {
    if (shown.at == kNoMemoryEvent) continue;
    for (const Holder& holder : HoldersAfter(tables.memory, *shown.allocator, shown.at)) {
      active.push_back({&shown, holder});
    }
  }
  return active;
}

struct TimelineRow {
  const ShownAllocator* shown;
  const MemoryEvent* event;
};

std::vector<TimelineRow> TimelineRows(const MemoryCells& tables) {
  std::vector<TimelineRow> rows;
  for (const ShownAllocator& shown : tables.shown) {
    for (const MemoryEvent* event : shown.events) rows.push_back({&shown, event});
  }
  return rows;
}

// Returns how long memory was held: for an allocation that is freed, and for a free with a known
// allocation.
int64_t HeldPs(const MemoryEvents& memory, const MemoryEvent& event) {
  if (event.partner == kNoMemoryEvent) return kNoInt;
  const int64_t other_ps = memory.events[event.partner].time_ps;
  return event.frees ? SaturatingAdd(event.time_ps, -other_ps)
                     : SaturatingAdd(other_ps, -event.time_ps);
}

void AddTimes(const MemoryCells& tables, const std::vector<TimelineRow>& rows, Table* table) {
  Fill(*table, "start_us", rows,
       [&](const auto& r) { return SinceFirst(tables.first_ps, r.event->time_ps); });
  Fill(*table, "time_us", rows,
       [&](const auto& r) { return WallMicros(tables.store, r.event->time_ps); });
  Fill(*table, "activity", rows,
       [](const auto& r) { return r.event->frees ? "free" : "allocation"; });
  Fill(*table, "held_us", rows, [&](const auto& r) { return HeldPs(tables.memory, *r.event); });
}

// Returns the text, or empty for the placeholders of traces and xprof's tables.
std::string_view DisplayName(std::string_view text) {
  const bool is_recorded = !text.empty() && text != "INVALID" && text != "unknown";
  return is_recorded ? text : std::string_view();
}

// Adds the texts of live allocations as xprof writes them, with its placeholders, since scripts
// compare them.
void AddTextsOfXprof(const MemoryCells& tables, const std::vector<Active>& rows, Table* table) {
  const auto add = [&](std::string_view id, std::string_view Holder::*member) {
    Fill(*table, id, rows, [&](const Active& a) {
      const std::string_view text = a.holder.*member;
      return text.empty() ? std::string_view("") : tables.Text(text);
    });
  };
  add("tf_op_name", &Holder::op);
  add("region_type", &Holder::region);
  add("data_type", &Holder::element_type);
  add("tensor_shape", &Holder::shape);
}

}  // namespace

std::string MemoryCells::Title(std::string_view by) const {
  std::string title = "held at " + (at_ps == kNoInt ? "the peak" : Human(at_ps, Unit::ps));
  if (!by.empty()) title.append(", ").append(by);
  return title;
}

Table AllocatorsTable(const MemoryCells& tables) {
  Table table = MakeTable(kAllocatorsTable, tables.shown.size());
  AddAllocator(tables, &table);
  Fill(table, "allocations", tables.shown, [&](const auto& s) { return CountOf(s, false); });
  Fill(table, "frees", tables.shown, [&](const auto& s) { return CountOf(s, true); });
  AddBytes(tables, "peak_bytes", &table);
  Fill(table, "capacity_bytes", tables.shown, [&](const ShownAllocator& s) {
    if (s.at == kNoMemoryEvent) return kNoInt;
    return CapacityOf(tables.store, *s.allocator, tables.memory.events[s.at]);
  });
  AddFragmentation(tables, &table);
  AddTimeOfPeak(tables, &table);
  Fill(table, "lifetime_peak_bytes", tables.shown, [&](const auto& s) { return LifetimePeak(s); });
  return table;
}

Table MomentTable(const MemoryCells& tables) {
  Table table = MakeTable(kMomentTable, tables.shown.size());
  table.title = "in use at " + Human(tables.at_ps, Unit::ps);
  AddAllocator(tables, &table);
  AddBytes(tables, "in_use_bytes", &table);
  AddFragmentation(tables, &table);
  Fill(table, "peak_pct", tables.shown,
       [&](const ShownAllocator& s) { return ShareOfPeak(tables, s); });
  const auto since_ps =
      Then(tables, [&](const MemoryEvent& e) { return SinceFirst(tables.first_ps, e.time_ps); });
  Fill(table, "since_us", tables.shown, since_ps);
  return table;
}

Table ActiveTable(const MemoryCells& tables) {
  const std::vector<Active> rows = ActiveThen(tables);
  Table table = MakeTable(kActiveAllocationsTable, rows.size());
  table.title = tables.Title();
  AddPlace(
      tables, rows, [](const Active& a) -> const ShownAllocator& { return *a.shown; }, &table);
  const auto text = [&](std::string_view id, std::string_view Holder::*member) {
    Fill(table, id, rows,
         [&](const Active& a) { return tables.Text(DisplayName(a.holder.*member)); });
  };
  Fill(table, "op", rows, [&](const Active& a) {
    const bool is_op = !a.holder.is_rest && !a.holder.is_stack;
    return is_op ? tables.Text(DisplayName(a.holder.op)) : a.holder.Name();
  });
  Fill(table, "allocated_bytes", rows, [](const Active& a) { return a.holder.bytes; });
  Fill(table, "count", rows, [](const Active& a) { return a.holder.occurrences; });
  Fill(table, "total_bytes", rows, [](const Active& a) { return a.holder.AllBytes(); });
  Fill(table, "requested_bytes", rows, [](const Active& a) { return a.holder.requested_bytes; });
  AddSource(
      rows, [&](const Active& a) { return tables.Text(DisplayName(a.holder.source)); }, &table);
  text("region", &Holder::region);
  text("element_type", &Holder::element_type);
  text("shape", &Holder::shape);
  AddTextsOfXprof(tables, rows, &table);
  return table;
}

Result<Table> TimelineTable(const MemoryCells& tables, Context& context) {
  const std::vector<TimelineRow> rows = TimelineRows(tables);
  Table table = MakeTable(kTimelineTable, rows.size());
  AddPlace(
      tables, rows, [](const TimelineRow& r) -> const auto& { return *r.shown; }, &table);
  AddTimes(tables, rows, &table);
  TFPROF_TRY(Poll(context));
  const auto text = [&](std::string_view id, auto member) {
    Fill(table, id, rows, [&](const TimelineRow& r) { return tables.Text(r.event->*member); });
  };
  Fill(table, "allocated_bytes", rows, [](const TimelineRow& r) { return r.event->bytes; });
  Fill(table, "in_use_bytes", rows, [](const TimelineRow& r) { return r.event->InUseBytes(); });
  text("op", &MemoryEvent::op);
  AddSource(
      rows, [&](const TimelineRow& r) { return tables.Text(r.event->source); }, &table);
  text("region", &MemoryEvent::region);
  Fill(table, "element_type", rows,
       [](const TimelineRow& r) { return DisplayName(ElementTypeName(r.event->element_type)); });
  text("shape", &MemoryEvent::shape);
  TFPROF_TRY(Poll(context));
  Fill(table, "requested_bytes", rows,
       [](const TimelineRow& r) { return r.event->requested_bytes; });
  Fill(table, "step", rows, [](const TimelineRow& r) { return r.event->group; });
  return table;
}

TableDefs MemoryTables() {
  return {&kAllocatorsTable,        &kMomentTable,         &kLinesTable,
          &kActiveAllocationsTable, &kSegmentsTable,       &kTimelineTable,
          &kOverTimeTable,          &kProgramBuffersTable, &kProgramMemoryTable};
}

}  // namespace tfprof
