// SPDX-License-Identifier: Apache-2.0
#include "views/memory/segments.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/base/arith.h"
#include "core/base/ascii.h"
#include "core/base/sorting.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kSegmentsColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("allocator", "allocator", "Name of the allocator, or the number of its device."),
    TextDef("pool", "pool", "Requests that the segments are for.").Droppable(),
    IntegerDef("stream_number", "stream", Unit::none, "Stream whose blocks they are.").Droppable(),
    CountDef("segments", "segments", "Number of pieces of memory taken from the device."),
    BytesDef("segment_bytes", "taken", "Their size."),
    BytesDef("held_bytes", "held", "Size of the allocated blocks."),
    BytesDef("fragmented_bytes", "fragmented",
             "Free blocks of partly allocated segments: the device does not get them back."),
    BytesDef("empty_bytes", "empty", "Segments that are wholly free."),
    BytesDef("largest_free_bytes", "largest free", "Largest free block."),
};

struct Pool {
  int64_t segments = 0, bytes = 0, held = 0, fragmented = 0, empty = 0, largest_free = 0;
};

// Segments of one purpose: their allocator, pool and stream.
struct PoolOf {
  HostId host;
  NameId allocator, pool;
  int64_t stream;
  Pool sums;
};

void Add(const MemorySegment& segment, Pool* pool) {
  const auto add = [](int64_t bytes, int64_t* sum) { *sum = SaturatingAdd(*sum, bytes); };
  ++pool->segments;
  add(segment.bytes, &pool->bytes);
  add(segment.held_bytes, &pool->held);
  add(segment.free_bytes, segment.held_bytes > 0 ? &pool->fragmented : &pool->empty);
  pool->largest_free = std::max(pool->largest_free, segment.largest_free_bytes);
}

std::vector<PoolOf> PoolsOf(const Store& store, const PlaceFilter& place) {
  std::map<std::tuple<HostId, NameId, NameId, int64_t>, Pool> pools;
  for (const MemorySegment& segment : store.segments) {
    if (!ContainsAnyCase(HostName(store, segment.host), place.host)) continue;
    if (!ContainsDevice(store.Text(segment.allocator), place.device)) continue;
    Add(segment, &pools[{segment.host, segment.allocator, segment.pool, segment.stream}]);
  }
  std::vector<PoolOf> rows;
  for (const auto& [of, sums] : pools) {
    rows.push_back({std::get<0>(of), std::get<1>(of), std::get<2>(of), std::get<3>(of), sums});
  }
  StableSort(rows, [](const PoolOf& a, const PoolOf& b) { return a.sums.bytes > b.sums.bytes; });
  return rows;
}

}  // namespace

constexpr TableDef kSegmentsTable{"segments", "taken from the device", kSegmentsColumns};

void AddSegments(const Store& store, const PlaceFilter& place, Report* report) {
  const std::vector<PoolOf> rows = PoolsOf(store, place);
  if (rows.empty()) return;
  Table table = MakeTable(kSegmentsTable, rows.size());
  FillHost(
      store, rows, [](const PoolOf& row) { return row.host; }, &table);
  Fill(table, "allocator", rows, [&](const PoolOf& row) { return store.Text(row.allocator); });
  Fill(table, "pool", rows, [&](const PoolOf& row) { return store.Text(row.pool); });
  Fill(table, "stream_number", rows, [](const PoolOf& row) { return row.stream; });
  const auto sum = [&](std::string_view id, int64_t Pool::*member) {
    Fill(table, id, rows, [&](const PoolOf& row) { return row.sums.*member; });
  };
  sum("segments", &Pool::segments);
  sum("segment_bytes", &Pool::bytes);
  sum("held_bytes", &Pool::held);
  sum("fragmented_bytes", &Pool::fragmented);
  sum("empty_bytes", &Pool::empty);
  sum("largest_free_bytes", &Pool::largest_free);
  report->tables.push_back(std::move(table));
}

}  // namespace tfprof
