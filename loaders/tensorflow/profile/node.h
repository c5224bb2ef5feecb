// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/store.h"
#include "loaders/wire/map_entry.h"

namespace tfprof {

// A ProfileNode, read but not yet stored. Maps are sorted by key.
struct ProfileNode {
  std::string_view name, op, canonical_device;
  int64_t float_ops = 0;
  std::vector<int64_t> shape;                            // empty: not recorded
  std::vector<std::string_view> types;                   // includes op and device
  std::vector<std::string_view> traces;                  // pieces of one CodeDef
  std::vector<MapEntry<int32_t, int64_t>> inputs;        // slot -> node id
  std::vector<MapEntry<int64_t, int32_t>> source_slots;  // producer id -> its output slot
  std::vector<MapEntry<int32_t, int64_t>>
      absent_inputs;                             // slot -> -1; other values carry no information
  std::vector<MapEntry<int32_t>> output_shapes;  // slot -> Tuple
  std::vector<std::string_view> attributes;      // entries of an attribute map
  std::vector<MapEntry<int64_t>> execs;          // step -> ExecProfile
};

// Returns null, or the place where the wire format of `message` is invalid. Drops the previous
// content of `node`.
const char* ReadProfileNode(std::string_view message, ProfileNode* node);

// Appends the numbers of a Tuple.
const char* ReadTuple(std::string_view message, std::vector<int64_t>* numbers);

}  // namespace tfprof
