// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/ids.h"

// What a graph contains beyond the facts of the store: the attributes on which shapes and work
// depend, and the bodies of functions. They stay in the file until a query needs them.

namespace tfprof {

// Loaders map the attributes of the file to these.
enum class GraphKey : uint8_t {
  shape,          // of a variable, a placeholder
  output_shapes,  // by output slot
  value,          // a constant: its shape; its numbers if they are whole and few
  transpose_a,    // of the first operand of a product
  transpose_b,
  data_format,     // NHWC, ...
  filter_format,   // HWIO, ...
  window,          // of a pool, by dimension
  strides,         // by dimension
  dilations,       // by dimension
  padding,         // SAME, VALID, EXPLICIT
  paddings,        // explicit: before and after, by dimension
  channels_first,  // of a convolution of any rank
  axis,            // also a list of axes
  batch_axes,      // of a gather: how many
  keep_axes,       // of a reduction
  equation,        // of an Einsum
  fused,           // operations that run after the main one, by name
  count,           // of inputs or outputs
  begin_mask,      // of a strided slice, bits by axis
  end_mask,
  ellipsis_mask,
  new_axis_mask,
  shrink_mask,
  block,          // edge of the blocks of a space-to-depth
  bidirectional,  // of a recurrent layer
  cell,           // of a recurrent layer: lstm, gru, rnn_relu, ...
  training,       // of a normalization
  function,       // that a call runs
  condition,      // of a loop
  body,           // of a loop
  then_branch,
  else_branch,
  branches,
};

// Values of one attribute: those of its kind are set. A single one is a list of one.
struct OpAttribute {
  GraphKey key = GraphKey::shape;
  Range numbers;  // of GraphOps::numbers; a truth value is 0 or 1
  Range texts;    // of GraphOps::texts; also names of functions
  Range shapes;   // of GraphOps::shapes
};

// A shape: `rank` dimensions from GraphOps::numbers[first]; -1: an unknown dimension.
struct OpShape {
  static constexpr int32_t kUnknownRank = -1;
  uint32_t first = 0;
  int32_t rank = kUnknownRank;
};

// An output of an operation. Control inputs are left out.
struct OpOutput {
  uint32_t op = kNoRow;  // of GraphOps::ops; kNoRow: the graph lacks it
  int32_t slot = 0;
};

// An output of one execution of a node.
struct RunShape {
  NodeId node;
  int32_t slot = 0;
  std::vector<int64_t> dims;
};

struct GraphOp {
  std::string_view name;  // in a function: within its body
  std::string_view type;  // empty: an argument of a function
  NodeId node;            // none: it is in a function
  Range inputs;           // of GraphOps::inputs, by slot
  Range attributes;       // of GraphOps::attributes
};

struct GraphFunction {
  std::string_view name;
  Range ops;               // of GraphOps::ops
  uint32_t arguments = 0;  // the first of them, by number
  Range results;           // of GraphOps::inputs, by number
};

struct GraphOps {
  std::vector<GraphOp> ops;
  std::vector<OpOutput> inputs;
  std::vector<OpAttribute> attributes;
  std::vector<int64_t> numbers;
  std::vector<std::string_view> texts;
  std::vector<OpShape> shapes;
  std::vector<GraphFunction> functions;
  std::vector<std::shared_ptr<const void>> keep;  // owners of the texts
};

}  // namespace tfprof
