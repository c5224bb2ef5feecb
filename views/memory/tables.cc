// SPDX-License-Identifier: Apache-2.0
#include "views/memory/tables.h"

#include "analysis/memory/element_type.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

// The columns that say whose memory a row is about; `allocator` gives the ShownAllocator of an
// item.
template <class Items, class OfItem>
void AddPlace(const MemoryTables& tables, const Items& items, const OfItem& of, Table* table) {
  Texts(*table, "host", "host", "The machine.", items, [&](const auto& item) {
    return of(item).host;
  }).spec.people = tables.store.hosts.size() > 1;
  Texts(*table, "memory_id", "allocator",
        "As the allocator calls itself, or the number of its device.", items,
        [&](const auto& item) { return tables.Text(of(item).allocator->name); });
}

// A number of the event at which the allocator had most in use.
template <class Cell>
auto AtPeak(const MemoryTables& tables, const Cell& cell) {
  return [&tables, cell](const ShownAllocator& shown) {
    return shown.peak == kNoMemoryEvent ? kNoInt : cell(tables.memory.events[shown.peak]);
  };
}

int64_t CountOf(const ShownAllocator& shown, bool frees) {
  int64_t count = 0;
  for (const MemoryEvent* event : shown.events) count += event->frees == frees;
  return count;
}

int64_t LifetimePeak(const ShownAllocator& shown) {
  int64_t most = kNoInt;
  for (const MemoryEvent* event : shown.events) most = std::max(most, event->lifetime_peak_bytes);
  return most;
}

int64_t CapacityOf(const MemoryEvent& event) {
  if (event.available_bytes == kNoInt) return kNoInt;
  return SaturatingAdd(event.InUseBytes(), event.available_bytes);
}

void AddBytesAtPeak(const MemoryTables& tables, Table* table) {
  const auto add = [&](std::string id, std::string title, bool spare, std::string meaning,
                       auto cell) {
    Numbers(*table, std::move(id), std::move(title), Unit::bytes, std::move(meaning), tables.shown,
            AtPeak(tables, cell))
        .spec.spare = spare;
  };
  add("peak_bytes_in_use", "peak", false,
      "The most that was in use in the profile: heap and reserved together.",
      [](const MemoryEvent& e) { return e.InUseBytes(); });
  add("stack_reserved_bytes", "reserved", true, "Of the peak, kept for stacks and the like.",
      [](const MemoryEvent& e) { return e.reserved_bytes; });
  add("heap_allocated_bytes", "heap", true, "Of the peak, given out by allocations.",
      [](const MemoryEvent& e) { return e.heap_bytes; });
  add("free_memory_bytes", "free", false, "What could still be given out at the peak.",
      [](const MemoryEvent& e) { return e.available_bytes; });
  add("memory_capacity", "capacity", false,
      "All that the allocator manages: the peak and what was free.", CapacityOf);
}

void AddTimeOfPeak(const MemoryTables& tables, Table* table) {
  const auto time_ps = AtPeak(tables, [](const MemoryEvent& e) { return e.time_ps; });
  Numbers(*table, "peak_offset_us", "peak at", Unit::ps_as_us,
          "The last moment of the peak, from the first start of the profile.", tables.shown,
          [&](const ShownAllocator& s) {
            return s.peak == kNoMemoryEvent ? kNoInt : SinceFirst(tables.first_ps, time_ps(s));
          })
      .spec.spare = true;
  ReportColumn& wall =
      Reals(*table, "peak_time_us", "peak_time_us", Unit::us, "The same, wall time.");
  wall.spec.people = false;
  FillReals(wall, tables.shown, [&](const ShownAllocator& s) {
    return WallMicros(tables.store, s.peak == kNoMemoryEvent ? kNoTime : time_ps(s));
  });
}

// What is alive at the peak of an allocator.
struct Active {
  const ShownAllocator* shown;
  Holder holder;
};

std::vector<Active> ActiveAtPeaks(const MemoryTables& tables) {
  std::vector<Active> active;
  for (const ShownAllocator& shown : tables.shown) {
    if (shown.peak == kNoMemoryEvent) continue;
    for (const Holder& holder : HoldersAtPeak(tables.memory, *shown.allocator, shown.peak)) {
      active.push_back({&shown, holder});
    }
  }
  return active;
}

struct TimelineRow {
  const ShownAllocator* shown;
  const MemoryEvent* event;
};

std::vector<TimelineRow> TimelineRows(const MemoryTables& tables) {
  std::vector<TimelineRow> rows;
  for (const ShownAllocator& shown : tables.shown) {
    for (const MemoryEvent* event : shown.events) rows.push_back({&shown, event});
  }
  return rows;
}

// How long memory was held, of an allocation that is freed, and of a free whose allocation is
// known.
int64_t HeldPs(const MemoryEvents& memory, const MemoryEvent& event) {
  if (event.partner == kNoMemoryEvent) return kNoInt;
  const int64_t other_ps = memory.events[event.partner].time_ps;
  return event.frees ? SaturatingAdd(event.time_ps, -other_ps)
                     : SaturatingAdd(other_ps, -event.time_ps);
}

void AddTimes(const MemoryTables& tables, const std::vector<TimelineRow>& rows, Table* table) {
  Numbers(*table, "offset_us", "at", Unit::ps_as_us, "When, from the first start of the profile.",
          rows, [&](const auto& r) { return SinceFirst(tables.first_ps, r.event->time_ps); });
  ReportColumn& wall = Reals(*table, "time_us", "time_us", Unit::us, "When, wall time.");
  wall.spec.people = false;
  FillReals(wall, rows, [&](const auto& r) { return WallMicros(tables.store, r.event->time_ps); });
  Texts(*table, "activity", "what", "Whether memory was given or taken back.", rows,
        [](const auto& r) { return r.event->frees ? "free" : "allocation"; });
  Numbers(*table, "held_us", "held", Unit::ps_as_us,
          "From the allocation to its free; absent where one of the two is not told.", rows,
          [&](const auto& r) { return HeldPs(tables.memory, *r.event); })
      .spec.spare = true;
}

// Without what stands for a text that is not told, in traces and in xprof's tables.
std::string_view Told(std::string_view text) {
  const bool is_told = !text.empty() && text != "INVALID" && text != "unknown";
  return is_told ? text : std::string_view();
}

// The texts of what is alive as xprof has them, also where nothing is told: scripts compare.
void AddTextsOfXprof(const MemoryTables& tables, const std::vector<Active>& rows, Table* table) {
  constexpr struct {
    const char* id;
    const char* title;
    std::string_view Holder::*member;
  } kTexts[] = {{"tf_op_name", "operation", &Holder::op},
                {"region_type", "region", &Holder::region},
                {"data_type", "type", &Holder::element_type},
                {"tensor_shape", "shape", &Holder::shape}};
  for (const auto& of : kTexts) {
    Texts(*table, of.id, of.id,
          std::string("The ") + of.title + " as xprof has it; empty, INVALID, unknown: not told.",
          rows,
          [&](const Active& a) {
            const std::string_view text = a.holder.*of.member;
            return text.empty() ? std::string_view("") : tables.Text(text);
          })
        .spec.people = false;
  }
}

}  // namespace

std::vector<std::string_view> KeepTexts(const MemoryEvents& memory, TextPool& pool) {
  std::vector<std::string_view> texts;
  texts.reserve(memory.texts.size());
  for (uint32_t id = 0; id < memory.texts.size(); ++id) {
    texts.push_back(pool.Keep(std::string(memory.texts[NameId(id)])));
  }
  return texts;
}

Table AllocatorsTable(const MemoryTables& tables) {
  Table table;
  table.name = "allocators";
  table.rows = tables.shown.size();
  const auto self = [](const ShownAllocator& s) -> const ShownAllocator& { return s; };
  AddPlace(tables, tables.shown, self, &table);
  Numbers(table, "allocations", "allocations", Unit::count, "Times it gave memory.", tables.shown,
          [&](const auto& s) { return CountOf(s, false); });
  Numbers(table, "deallocations", "frees", Unit::count, "Times it took some back.", tables.shown,
          [&](const auto& s) { return CountOf(s, true); });
  AddBytesAtPeak(tables, &table);
  Reals(table, "fragmentation", "fragmentation", Unit::fraction,
        "Of what was free at the peak, the part that is not in the largest piece.", tables.shown,
        [&](const ShownAllocator& s) {
          return s.peak == kNoMemoryEvent ? kNoReal : tables.memory.events[s.peak].fragmentation;
        })
      .spec.spare = true;
  AddTimeOfPeak(tables, &table);
  Numbers(table, "peak_bytes_usage_lifetime", "heap peak ever", Unit::bytes,
          "The most of its heap that it gave out since it exists, also before the profile, as it "
          "counts itself: without what is reserved, so that the peak of the profile may be more.",
          tables.shown, [&](const auto& s) { return LifetimePeak(s); });
  return table;
}

Table ActiveTable(const MemoryTables& tables) {
  const std::vector<Active> rows = ActiveAtPeaks(tables);
  Table table;
  table.name = "active_allocations";
  table.title = "held at the peak";
  table.rows = rows.size();
  AddPlace(
      tables, rows, [](const Active& a) -> const ShownAllocator& { return *a.shown; }, &table);
  const auto text = [&](std::string id, std::string title, std::string meaning, auto member) {
    Texts(table, std::move(id), std::move(title), std::move(meaning), rows,
          [&](const Active& a) { return tables.Text(Told(a.holder.*member)); });
  };
  Texts(table, "operation", "operation",
        "Who asked for it; of the rest of the heap, and of reserved bytes, what they are.", rows,
        [&](const Active& a) {
          const bool is_op = !a.holder.is_rest && !a.holder.is_stack;
          return is_op ? tables.Text(Told(a.holder.op)) : a.holder.Name();
        });
  Numbers(table, "allocation_bytes", "each", Unit::bytes, "Size of one, as it was given.", rows,
          [](const Active& a) { return a.holder.bytes; });
  Numbers(table, "occurrences", "times", Unit::count, "Allocations that are alike.", rows,
          [](const Active& a) { return a.holder.occurrences; });
  Numbers(table, "total_bytes", "all", Unit::bytes, "Of all of them.", rows,
          [](const Active& a) { return a.holder.AllBytes(); });
  Numbers(table, "requested_bytes", "asked each", Unit::bytes, "Size of one, as it was asked for.",
          rows, [](const Active& a) { return a.holder.requested_bytes; })
      .spec.spare = true;
  text("region", "region", "What it is for.", &Holder::region);
  table.columns.back().spec.spare = true;
  text("element_type", "type", "Of the elements.", &Holder::element_type);
  text("shape", "shape", "Of the tensor.", &Holder::shape);
  AddTextsOfXprof(tables, rows, &table);
  return table;
}

Result<Table> TimelineTable(const MemoryTables& tables, Context& context) {
  const std::vector<TimelineRow> rows = TimelineRows(tables);
  Table table;
  table.name = "timeline";
  table.title = "allocations and frees";
  table.rows = rows.size();
  AddPlace(
      tables, rows, [](const TimelineRow& r) -> const auto& { return *r.shown; }, &table);
  AddTimes(tables, rows, &table);
  TFPROF_TRY(Poll(context));
  const auto text = [&](std::string id, std::string title, std::string meaning, auto member) {
    Texts(table, std::move(id), std::move(title), std::move(meaning), rows,
          [&](const TimelineRow& r) { return tables.Text(r.event->*member); });
  };
  Numbers(table, "allocation_bytes", "size", Unit::bytes, "How much was given or taken back.", rows,
          [](const TimelineRow& r) { return r.event->bytes; });
  Numbers(table, "in_use_bytes", "in use", Unit::bytes, "Heap and reserved bytes afterwards.", rows,
          [](const TimelineRow& r) { return r.event->InUseBytes(); });
  text("tf_op_name", "operation", "Who asked for it; of a free, who asked for what is freed.",
       &MemoryEvent::op);
  text("region_type", "region", "What it is for.", &MemoryEvent::region);
  table.columns.back().spec.spare = true;
  Texts(table, "data_type", "type", "Of the elements.", rows,
        [](const TimelineRow& r) { return Told(ElementTypeName(r.event->element_type)); });
  table.columns.back().spec.spare = true;
  text("tensor_shape", "shape", "Of the tensor.", &MemoryEvent::shape);
  table.columns.back().spec.spare = true;
  TFPROF_TRY(Poll(context));
  Numbers(table, "requested_bytes", "asked", Unit::bytes, "How much was asked for.", rows,
          [](const TimelineRow& r) { return r.event->requested_bytes; })
      .spec.people = false;
  Numbers(table, "group", "step", Unit::none, "The step that the recorder put it into.", rows,
          [](const TimelineRow& r) { return r.event->group; })
      .spec.people = false;
  return table;
}

}  // namespace tfprof
