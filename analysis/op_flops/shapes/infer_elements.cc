// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof::infer {
namespace {

// A dimension of two operands. An unknown one may be 1.
int64_t Stretched(int64_t a, int64_t b) {
  if (a == 1) return b;
  if (b == 1) return a;
  return a < 0 ? b : a;
}

// The result of a whole operation on two numbers; kNoInt: it is unknown.
int64_t Computed(std::string_view type, int64_t a, int64_t b) {
  if (a == kNoInt || b == kNoInt) return kNoInt;
  if (type.starts_with("Add")) return WrapAdd(a, b);
  if (type == "Sub") return WrapAdd(a, WrapMul(b, -1));
  if (type == "Mul") return WrapMul(a, b);
  if (type == "Maximum") return std::max(a, b);
  if (type == "Minimum") return std::min(a, b);
  const bool divides = b > 0 && a >= 0;
  if (type == "FloorDiv" || type == "RealDiv" || type == "Div") return divides ? a / b : kNoInt;
  if (type == "FloorMod" || type == "Mod") return divides ? a % b : kNoInt;
  return kNoInt;
}

KnownTensor ComputedValues(const KnownOp& op, KnownTensor result, NumberArena& arena) {
  const KnownTensor& a = op.Input(0);
  const KnownTensor& b = op.Input(1);
  const int64_t count = result.Elements();
  if (!a.has_values || !b.has_values || count < 0) return result;
  const auto size = static_cast<size_t>(count);
  // Only equal shapes, or a number with a tensor.
  const bool fits = (a.values.size() == size || a.values.size() == 1) &&
                    (b.values.size() == size || b.values.size() == 1) && size <= kMostValues;
  if (!fits) return result;
  Sizes values(size);
  for (size_t i = 0; i < size; ++i) {
    values[i] = Computed(op.type, a.values[a.values.size() == 1 ? 0 : i],
                         b.values[b.values.size() == 1 ? 0 : i]);
  }
  return WithValues(result, values, arena);
}

// The product, sum, ... of all numbers.
KnownTensor ReducedValues(const KnownOp& op, KnownTensor result, NumberArena& arena) {
  const Dims values = op.Input(0).values;
  if (!op.Input(0).has_values || result.Elements() != 1 || values.empty()) return result;
  const std::string_view type = op.type == "Prod"  ? "Mul"
                                : op.type == "Sum" ? "Add"
                                : op.type == "Max" ? "Maximum"
                                : op.type == "Min" ? "Minimum"
                                                   : "";
  int64_t all = values[0];
  for (const int64_t value : values.subspan(1)) all = Computed(type, all, value);
  if (type.empty()) all = kNoInt;
  return WithValues(result, {&all, 1}, arena);
}

}  // namespace

KnownTensor WithDims(Dims dims, NumberArena& arena) {
  if (dims.size() > kMostAxes) return {};
  const std::span<int64_t> kept = arena.Copy(dims);
  for (int64_t& dim : kept) dim = std::max<int64_t>(dim, -1);
  return {true, false, kept, {}};
}

KnownTensor WithValues(KnownTensor tensor, Dims values, NumberArena& arena) {
  if (values.size() > kMostValues) return tensor;
  tensor.values = arena.Copy(values);
  tensor.has_values = true;
  return tensor;
}

KnownTensor ListedShape(const KnownTensor& list, NumberArena& arena) {
  if (list.has_values) return WithDims(list.values, arena);
  const int64_t rank = list.dims.size() == 1 ? list.Dim(0) : -1;
  if (rank < 0 || rank > static_cast<int64_t>(kMostAxes)) return {};
  return WithDims(Sizes(static_cast<size_t>(rank), -1), arena);
}

std::optional<size_t> AxisOf(int64_t axis, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  if (axis < -count || axis >= count) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + count : axis);
}

KnownTensor Same(const KnownOp& op, int32_t slot, NumberArena&) {
  return op.Input(slot > 0 && op.type == "IdentityN" ? static_cast<size_t>(slot) : 0);
}

KnownTensor SameShape(const KnownOp& op, int32_t, NumberArena&) { return ShapeOnly(op.Input(0)); }

KnownTensor AsSecond(const KnownOp& op, int32_t, NumberArena&) { return ShapeOnly(op.Input(1)); }

KnownTensor Broadcast(const KnownOp& op, int32_t, NumberArena& arena) {
  size_t rank = 0;
  for (const KnownTensor& input : op.inputs) {
    if (!input.has_rank) return {};
    rank = std::max(rank, input.dims.size());
  }
  const std::span<int64_t> dims = arena.New(rank);
  std::ranges::fill(dims, 1);
  for (const KnownTensor& input : op.inputs) {
    const size_t skipped = rank - input.dims.size();
    for (size_t i = 0; i < input.dims.size(); ++i) {
      dims[skipped + i] = Stretched(dims[skipped + i], input.dims[i]);
    }
  }
  const KnownTensor result{true, false, dims, {}};
  return op.inputs.size() == 2 ? ComputedValues(op, result, arena) : result;
}

KnownTensor FirstKnown(const KnownOp& op, int32_t slot, NumberArena& arena) {
  if (slot > 0) return Scalar(op, slot, arena);  // the number of the input that was taken
  for (const KnownTensor& input : op.inputs) {
    if (input.has_rank) return ShapeOnly(input);
  }
  return {};
}

KnownTensor Reduced(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& axes = op.Input(1);
  if (!in.has_rank || !axes.has_values) return {};
  Sizes dims(in.dims.begin(), in.dims.end());
  const bool keeps = op.Number(GraphKey::keep_axes, 0) != 0;
  std::vector<bool> removed(dims.size());
  for (const int64_t value : axes.values) {
    const std::optional<size_t> axis = AxisOf(value, dims.size());
    if (!axis) return {};
    removed[*axis] = true;
  }
  Sizes kept;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!removed[i]) kept.push_back(dims[i]);
    if (removed[i] && keeps) kept.push_back(1);
  }
  return ReducedValues(op, WithDims(kept, arena), arena);
}

KnownTensor WithoutAxis(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const std::optional<size_t> axis = AxisOf(op.Input(1).Number(), in.dims.size());
  if (!in.has_rank || !axis) return {};
  Sizes dims(in.dims.begin(), in.dims.end());
  dims.erase(dims.begin() + static_cast<ptrdiff_t>(*axis));
  return WithDims(dims, arena);
}

KnownTensor Scalar(const KnownOp&, int32_t, NumberArena&) { return {true, false, {}, {}}; }

KnownTensor Channels(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  if (!in.has_rank || in.dims.empty()) return {};
  const int64_t channels = in.Dim(static_cast<int64_t>(AxesOf(op, in.dims.size()).channel));
  return WithDims({&channels, 1}, arena);
}

KnownTensor CrossEntropy(const KnownOp& op, int32_t slot, NumberArena&) {
  const KnownTensor& in = op.Input(0);
  if (slot == 1 || !in.has_rank || in.dims.empty()) return ShapeOnly(in);
  return {true, false, in.dims.first(1), {}};
}

KnownTensor Normalized(const KnownOp& op, int32_t slot, NumberArena& arena) {
  return slot == 0 ? SameShape(op, slot, arena) : Channels(op, slot, arena);
}

}  // namespace tfprof::infer
