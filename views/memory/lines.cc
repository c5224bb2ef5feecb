// SPDX-License-Identifier: Apache-2.0
#include "views/memory/lines.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kLinesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device."),
    TextDef("source", "source", "Line of code that requested it."),
    BytesDef("total_bytes", "all", "Sum over its allocations."),
    ShareDef("share_pct", "share", "Share of the memory in use then.").Was("peak_pct"),
    CountDef("count", "count", "Number of allocations."),
};

struct LineOfCode {
  const ShownAllocator* shown = nullptr;
  std::string_view source;
  int64_t bytes = 0;
  int64_t count = 0;
};

std::vector<LineOfCode> LinesThen(const MemoryCells& tables, const ShownAllocator& shown) {
  std::map<std::string_view, LineOfCode> by_line;
  for (const Holder& holder : HoldersAfter(tables.memory, *shown.allocator, shown.at)) {
    LineOfCode& line = by_line[holder.source];
    line.shown = &shown;
    line.source = holder.source;
    if (holder.bytes != kNoInt) line.bytes = SaturatingAdd(line.bytes, holder.AllBytes());
    line.count += holder.occurrences;
  }
  std::vector<LineOfCode> lines;
  for (const auto& [source, line] : by_line) lines.push_back(line);
  StableSort(lines, [](const LineOfCode& a, const LineOfCode& b) { return a.bytes > b.bytes; });
  return lines;
}

double ShareOfUse(const MemoryCells& tables, const LineOfCode& line) {
  const int64_t in_use = tables.memory.events[line.shown->at].InUseBytes();
  return in_use <= 0 ? kNoReal : static_cast<double>(line.bytes) / static_cast<double>(in_use);
}

}  // namespace

constexpr TableDef kLinesTable{"lines", "held at the peak, by line of code", kLinesColumns};

void AddLines(const MemoryCells& tables, Report* report) {
  std::vector<LineOfCode> lines;
  for (const ShownAllocator& shown : tables.shown) {
    if (shown.at == kNoMemoryEvent) continue;
    const std::vector<LineOfCode> of = LinesThen(tables, shown);
    lines.insert(lines.end(), of.begin(), of.end());
  }
  if (std::ranges::all_of(lines, [](const LineOfCode& line) { return line.source.empty(); })) {
    return;
  }
  Table table = MakeTable(kLinesTable, lines.size());
  table.title = tables.Title("by line of code");
  Fill(table, "host", lines, [](const auto& line) {
    return line.shown->host;
  }).spec.human_readable = tables.store.hosts.size() > 1;
  Fill(table, "allocator", lines,
       [&](const auto& line) { return tables.Text(line.shown->allocator->name); });
  Fill(table, "source", lines, [&](const auto& line) {
    return line.source.empty() ? std::string_view() : tables.Text(line.source);
  });
  Fill(table, "total_bytes", lines, [](const auto& line) { return line.bytes; });
  Fill(table, "share_pct", lines, [&](const auto& line) { return ShareOfUse(tables, line); });
  Fill(table, "count", lines, [](const auto& line) { return line.count; });
  report->tables.push_back(std::move(table));
}

}  // namespace tfprof
