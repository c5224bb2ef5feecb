// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/counts.h"
#include "loaders/tensorflow/lazy_code.h"
#include "loaders/wire/map_entry.h"
#include "loaders/wire/unknown.h"

namespace tfprof {

// The fields of a ProfileProto, with its nodes still encoded. Nodes may be in any order, and a node
// may need data that follows it in the file.
struct ProfileFile {
  Column<MapEntry<int64_t>> entries;  // nodes in file order, which is the order of a hash map
  Column<uint32_t> by_id;             // rows of `entries`; of equal ids the last one
  std::vector<int64_t> steps;
  bool has_trace = false;
  bool lacks_accelerator_stream = false;
  UnknownFields unknown;

  size_t node_count() const { return by_id.size(); }
  const MapEntry<int64_t>& node(size_t place) const { return entries[by_id[place]]; }
  // Prefetches the bytes that node(place) will read, if there is such a node.
  void Prefetch(size_t place) const {
    if (place >= by_id.size()) return;
    const std::string_view& value = entries[by_id[place]].value;
    __builtin_prefetch(&value);
    __builtin_prefetch(reinterpret_cast<const char*>(&value + 1) -
                       1);  // the value may end in another cache line
  }
};

// Returns null, or the place where the wire format is invalid; `out` then has the part before that
// place.
const char* ReadProfileFile(std::string_view bytes, KeptCode* code, ProblemCount* malformed,
                            ProfileFile* out);

// Sets time 0 of the store from the start times of the first executions, unless it is set.
void FindEpoch(const ProfileFile& file, StoreBuilder& store);

}  // namespace tfprof
