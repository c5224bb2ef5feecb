// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/counts.h"
#include "loaders/tensorflow/lazy_code.h"
#include "loaders/wire/map_entry.h"
#include "loaders/wire/unknown.h"

namespace tfprof {

// The fields of a ProfileProto; nodes are not looked into yet. They may stand in any order, and
// what a node says may need what stands behind it.
struct ProfileFile {
  Column<MapEntry<int64_t>> entries;  // of nodes, as they stand: in the order of a hash map
  Column<uint32_t> by_id;             // rows of `entries`; of equal ids the last one
  std::vector<int64_t> steps;
  bool has_trace = false;
  bool lacks_accelerator_stream = false;
  UnknownFields unknown;

  size_t node_count() const { return by_id.size(); }
  const MapEntry<int64_t>& node(size_t place) const { return entries[by_id[place]]; }
  // Asks for what node(place) will read, where there is such a node.
  void Prefetch(size_t place) const {
    if (place >= by_id.size()) return;
    const std::string_view& value = entries[by_id[place]].value;
    __builtin_prefetch(&value);
    __builtin_prefetch(reinterpret_cast<const char*>(&value + 1) - 1);  // a line may end in it
  }
};

// Null, or where the file stops to be wire format; what stands before is in `out` all the same.
const char* ReadProfileFile(std::string_view bytes, KeptCode* code, Tally* malformed,
                            ProfileFile* out);

// Sets time 0 of the store from the starts of the first executions, unless it is set.
void FindEpoch(const ProfileFile& file, StoreBuilder& store);

}  // namespace tfprof
