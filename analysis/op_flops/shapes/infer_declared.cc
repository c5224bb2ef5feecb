// SPDX-License-Identifier: Apache-2.0
// Shapes that a constant, an attribute or another tensor lists.
#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof::infer {

KnownTensor Constant(const KnownOp& op, int32_t, NumberArena&) {
  KnownTensor constant = ShapeAt(op, GraphKey::value, 0);
  const Dims numbers = op.Numbers(GraphKey::value);
  constant.has_values = constant.Elements() == static_cast<int64_t>(numbers.size());
  if (constant.has_values) constant.values = numbers;
  return constant;
}

KnownTensor Declared(const KnownOp& op, int32_t slot, NumberArena&) {
  const KnownTensor own = slot == 0 ? ShapeAt(op, GraphKey::shape, 0) : KnownTensor();
  return own.has_rank ? own : ShapeAt(op, GraphKey::output_shapes, static_cast<size_t>(slot));
}

KnownTensor Listed(const KnownOp& op, int32_t slot, NumberArena& arena) {
  return slot == 0 ? ListedShape(op.Input(0), arena) : KnownTensor();
}

KnownTensor ListedSecond(const KnownOp& op, int32_t, NumberArena& arena) {
  return ListedShape(op.Input(1), arena);
}

KnownTensor ShapeOf(const KnownOp& op, int32_t slot, NumberArena& arena) {
  const KnownTensor& in = op.Input(static_cast<size_t>(slot));
  if (!in.has_rank) return {};
  const auto rank = static_cast<int64_t>(in.dims.size());
  Sizes values(in.dims.begin(), in.dims.end());
  for (int64_t& value : values) value = value < 0 ? kNoInt : value;
  return WithValues(WithDims({&rank, 1}, arena), values, arena);
}

KnownTensor SizeOf(const KnownOp& op, int32_t, NumberArena& arena) {
  const int64_t elements = op.Input(0).Elements();
  return WithValues({true, false, {}, {}}, {&elements, 1}, arena);
}

KnownTensor RankOf(const KnownOp& op, int32_t, NumberArena& arena) {
  if (!op.Input(0).has_rank) return {true, false, {}, {}};
  const auto rank = static_cast<int64_t>(op.Input(0).dims.size());
  return WithValues({true, false, {}, {}}, {&rank, 1}, arena);
}

KnownTensor RangeOf(const KnownOp& op, int32_t, NumberArena& arena) {
  const int64_t start = op.Input(0).Number();
  const int64_t limit = op.Input(1).Number();
  const int64_t step = op.Input(2).Number();
  const int64_t unknown = -1;
  const bool known = start != kNoInt && limit != kNoInt && step > 0 && limit >= start;
  const int64_t length =
      known ? static_cast<int64_t>((static_cast<uint64_t>(limit) - static_cast<uint64_t>(start) +
                                    static_cast<uint64_t>(step) - 1) /
                                   static_cast<uint64_t>(step))
            : unknown;
  const KnownTensor range = WithDims({&length, 1}, arena);
  if (length < 0 || length > static_cast<int64_t>(kMostValues)) return range;
  Sizes values;
  for (int64_t i = 0; i < length; ++i) values.push_back(start + i * step);
  return WithValues(range, values, arena);
}

}  // namespace tfprof::infer
