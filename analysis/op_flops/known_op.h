// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "analysis/op_flops/work.h"
#include "core/base/arith.h"
#include "core/store/graph_ops.h"

namespace tfprof {

// What is known of a tensor. A resource has the shape of its contents, a list of tensors that of
// its elements behind one another.
struct KnownTensor {
  bool has_rank = false;
  bool has_values = false;  // it is whole and small, and its numbers are known
  Dims dims;                // -1: an unknown dimension
  Dims values;              // row-major; kNoInt: an unknown number

  // -1: unknown; a negative number counts from the last dimension.
  int64_t Dim(int64_t axis) const {
    const auto rank = static_cast<int64_t>(dims.size());
    if (axis < 0) axis += rank;
    return has_rank && axis >= 0 && axis < rank ? dims[static_cast<size_t>(axis)] : -1;
  }
  int64_t Elements() const { return has_rank ? ElementsOf(dims) : kNoInt; }
  bool IsWhole() const { return Elements() != kNoInt; }
  // The only number; kNoInt: it is unknown, or there are several.
  int64_t Number() const { return has_values && values.size() == 1 ? values[0] : kNoInt; }
};

// An operation with its tensors, as far as they are known.
struct KnownOp {
  std::string_view type;
  const GraphOps& graph;
  Range attributes;
  std::span<const KnownTensor> inputs;
  KnownTensor output;  // of slot 0

  const OpAttribute* Find(GraphKey key) const;
  Dims Numbers(GraphKey key) const;
  int64_t Number(GraphKey key, int64_t otherwise) const;
  std::string_view Text(GraphKey key) const;  // empty: there is none
  // An unknown tensor if there are fewer inputs.
  const KnownTensor& Input(size_t number) const;
};

// Where the dimensions of an image are, by its data format. 0 to `spatial` - 1 of the places are
// those of height, width, ...
struct ImageAxes {
  size_t channel = 0;
  size_t spatial = 0;  // the first one; the others follow
};
// `rank`: of the image.
ImageAxes AxesOf(const KnownOp& op, size_t rank);

}  // namespace tfprof
