// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "analysis/op_flops/shapes/infer.h"

// What InferOutput consists of: a function per kind of operation.

namespace tfprof::infer {

using Sizes = std::vector<int64_t>;

KnownTensor WithDims(Dims dims, NumberArena& arena);  // unknown if there are too many
inline KnownTensor ShapeOnly(const KnownTensor& of) { return {of.has_rank, false, of.dims, {}}; }
// The tensor with these numbers, if they are not too many.
KnownTensor WithValues(KnownTensor tensor, Dims values, NumberArena& arena);
// The shape that a tensor of whole numbers lists; unknown numbers are unknown dimensions.
KnownTensor ListedShape(const KnownTensor& list, NumberArena& arena);
// An axis from 0; none: it does not exist.
std::optional<size_t> AxisOf(int64_t axis, size_t rank);

// ---- of elements
KnownTensor Same(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SameShape(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor AsSecond(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Broadcast(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor FirstKnown(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Reduced(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor WithoutAxis(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Scalar(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Channels(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor CrossEntropy(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Normalized(const KnownOp& op, int32_t slot, NumberArena& arena);

// ---- of declared shapes
KnownTensor Constant(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Declared(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Listed(const KnownOp& op, int32_t slot, NumberArena& arena);        // by input 0
KnownTensor ListedSecond(const KnownOp& op, int32_t slot, NumberArena& arena);  // by input 1
KnownTensor ShapeOf(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SizeOf(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor RankOf(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor RangeOf(const KnownOp& op, int32_t slot, NumberArena& arena);

// ---- of layout
KnownTensor Reshaped(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Transposed(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Joined(const KnownOp& op, int32_t slot, NumberArena& arena);  // axis: the last input
KnownTensor JoinedByFirst(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Packed(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Unpacked(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SplitEvenly(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SplitBySizes(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Expanded(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Squeezed(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Sliced(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SlicedByStrides(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Tiled(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Padded(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Gathered(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor OneHot(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Resized(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor ReservedList(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor ListWithItem(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor ItemOfList(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor StackedList(const KnownOp& op, int32_t slot, NumberArena& arena);

// ---- of products and windows
KnownTensor Product(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor SumOfProducts(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Convolved(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor ConvolvedByDepth(const KnownOp& op, int32_t slot, NumberArena& arena);
KnownTensor Pooled(const KnownOp& op, int32_t slot, NumberArena& arena);

}  // namespace tfprof::infer
