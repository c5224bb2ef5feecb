// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// If `entry` is the attribute `data_format`, sets *format to its text, or to nothing if the value
// is not text. Otherwise leaves *format unchanged. Returns false if malformed.
bool ReadDataFormat(std::string_view entry, std::string_view* format);

// Collects the attributes of a graph node that the store keeps. Reused from node to node; texts
// point into the entries.
class NodeAttributes {
 public:
  void Clear();

  // Reads one entry of the attribute map. Of two entries with the same key the last counts. Returns
  // false if malformed.
  bool ReadEntry(std::string_view entry);

  // Sets the node's parameter shape from `shape`, its output shapes from `_output_shapes`, and its
  // `data_format`.
  void Apply(NodeId node, StoreBuilder& store) const;

 private:
  struct Shape {
    uint32_t first = 0;  // in dims_
    uint32_t rank = 0;
    bool unknown_rank = false;
  };
  // Kind of an AttrValue; only shape and list are read.
  enum class Kind : uint8_t { other, shape, list };
  struct Value {
    Kind kind = Kind::other;
    std::vector<Shape> shapes;  // one shape for Kind::shape
    std::vector<int64_t> dims;
  };

  static bool ReadValue(std::string_view value, Value* out);
  static const char* ReadLastShape(std::string_view shape, Value* out);
  static ShapeRef Add(const Value& value, const Shape& shape, StoreBuilder& store);

  Value parameter_;  // "shape"
  Value outputs_;    // "_output_shapes"
  std::string_view data_format_;
  mutable std::vector<OutputShape> by_slot_;
};

}  // namespace tfprof
