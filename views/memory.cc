// SPDX-License-Identifier: Apache-2.0
#include "views/memory.h"

#include "core/any_case.h"
#include "views/memory/tables.h"
#include "views/wall_time.h"

namespace tfprof {
namespace {

constexpr std::string_view kHowToRecord =
    "no allocations were recorded: the allocators of GPUs and TPUs tell theirs in traces with "
    "host_tracer_level 2 (the default) or more, the one of the CPU does not";

std::string_view HostOf(const Store& store, const Allocator& allocator) {
  if (!allocator.host.some()) return {};
  return store.Text(store.hosts[allocator.host.value].name);
}

std::vector<ShownAllocator> Choose(const Store& store, const MemoryEvents& memory,
                                   const Query& query) {
  std::vector<ShownAllocator> shown;
  for (const Allocator& allocator : memory.allocators) {
    const std::string_view host = HostOf(store, allocator);
    if (!ContainsAnyCase(host, query.host)) continue;
    if (!ContainsAnyCase(memory.Text(allocator.name), query.device)) continue;
    shown.push_back({&allocator, host, PeakOf(memory, allocator)});
  }
  return shown;
}

void AddNotes(const MemoryEvents& memory, Report* report) {
  if (memory.unplaced > 0) {
    report->notes.push_back(
        {"allocations and frees without a time, left out", memory.unplaced, "", kNoInt});
  }
  if (memory.events.empty()) report->notes.push_back({std::string(kHowToRecord), 1, "", kNoInt});
}

}  // namespace

Result<Report> Memory(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto memory, indexes.Memory(context));
  TFPROF_ASSIGN(const auto times, indexes.Times(context));
  Report report;
  report.view = "memory";
  report.store = store;
  report.notes = store->notes;
  AddNotes(*memory, &report);
  const MemoryTables tables{*store, *memory, FirstStart(*times), Choose(*store, *memory, query),
                            KeepTexts(*memory, *report.pool)};
  report.tables.push_back(AllocatorsTable(tables));
  report.tables.push_back(ActiveTable(tables));
  TFPROF_ASSIGN(Table timeline, TimelineTable(tables, context));
  report.tables.push_back(std::move(timeline));
  return report;
}

}  // namespace tfprof
