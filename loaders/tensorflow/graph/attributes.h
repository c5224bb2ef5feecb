// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// The attribute `data_format` of an attribute map, when `entry` is it: what it holds, or nothing
// where that is no text; else *format stays. False: malformed.
bool ReadDataFormat(std::string_view entry, std::string_view* format);

// The attributes of a graph node that the store keeps, while its entries are read. Reused from
// node to node; texts point into the entries.
class NodeAttributes {
 public:
  void Clear();

  // One entry of the attribute map. Of two entries with one key the last counts. False: malformed.
  bool ReadEntry(std::string_view entry);

  // Gives the node `shape` as its parameter shape, `_output_shapes` as the shapes of its outputs,
  // and `data_format`.
  void Apply(NodeId node, StoreBuilder& store) const;

 private:
  struct Shape {
    uint32_t first = 0;  // of dims_
    uint32_t rank = 0;
    bool unknown_rank = false;
  };
  // What an AttrValue holds; only these two matter.
  enum class Kind : uint8_t { other, shape, list };
  struct Value {
    Kind kind = Kind::other;
    std::vector<Shape> shapes;  // one for Kind::shape
    std::vector<int64_t> dims;
  };

  static bool ReadValue(std::string_view value, Value* out);
  static bool ReadList(std::string_view list, Value* out);
  static bool ReadShape(std::string_view shape, Value* out);
  static ShapeRef Add(const Value& value, const Shape& shape, StoreBuilder& store);

  Value parameter_;  // "shape"
  Value outputs_;    // "_output_shapes"
  std::string_view data_format_;
  mutable std::vector<OutputShape> by_slot_;
};

}  // namespace tfprof
