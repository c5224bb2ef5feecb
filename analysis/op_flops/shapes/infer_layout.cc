// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof::infer {
namespace {

Sizes Copied(Dims dims) { return {dims.begin(), dims.end()}; }

// a + b; -1: one of them is unknown.
int64_t Sum(int64_t a, int64_t b) {
  const int64_t sum = Plus({a, b});
  return sum == kNoInt ? -1 : sum;
}

int64_t ProductOf(int64_t a, int64_t b) {
  const int64_t product = Times({a, b});
  return product == kNoInt ? -1 : product;
}

// The numbers of all tensors, one after the other; false: some are not known.
bool AppendValues(std::span<const KnownTensor> tensors, Sizes* all) {
  for (const KnownTensor& tensor : tensors) {
    if (tensor.has_values) {
      all->insert(all->end(), tensor.values.begin(), tensor.values.end());
    } else if (tensor.IsWhole() && tensor.Elements() <= static_cast<int64_t>(kMostValues)) {
      all->resize(all->size() + static_cast<size_t>(tensor.Elements()), kNoInt);
    } else {
      return false;
    }
    if (all->size() > kMostValues) return false;
  }
  return true;
}

KnownTensor JoinedAlong(std::span<const KnownTensor> parts, int64_t along, NumberArena& arena) {
  const auto known = std::ranges::find_if(parts, &KnownTensor::has_rank);
  if (known == parts.end()) return {};
  const std::optional<size_t> axis = AxisOf(along, known->dims.size());
  if (!axis) return {};
  Sizes dims = Copied(known->dims);
  dims[*axis] = 0;
  for (const KnownTensor& part : parts) {
    const bool fits = part.has_rank && part.dims.size() == dims.size();
    dims[*axis] = Sum(dims[*axis], fits ? part.dims[*axis] : -1);
    for (size_t i = 0; fits && i < dims.size(); ++i) {
      if (i != *axis && dims[i] < 0) dims[i] = part.dims[i];
    }
  }
  const KnownTensor joined = WithDims(dims, arena);
  Sizes values;
  if (dims.size() != 1 || !AppendValues(parts, &values)) return joined;
  return WithValues(joined, values, arena);
}

KnownTensor WithoutDim(const KnownTensor& in, int64_t along, NumberArena& arena) {
  const std::optional<size_t> axis = AxisOf(along, in.dims.size());
  if (!in.has_rank || !axis) return {};
  Sizes dims = Copied(in.dims);
  dims.erase(dims.begin() + static_cast<ptrdiff_t>(*axis));
  return WithDims(dims, arena);
}

}  // namespace

KnownTensor Reshaped(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  KnownTensor shaped = ListedShape(op.Input(1), arena);
  if (!shaped.has_rank) return {};
  Sizes dims = Copied(shaped.dims);
  if (std::ranges::count(dims, -1) == 1 && in.IsWhole()) {
    const auto unknown = std::ranges::find(dims, -1);
    *unknown = 1;
    const int64_t others = ElementsOf(dims);
    *unknown = others > 0 ? in.Elements() / others : -1;
    shaped = WithDims(dims, arena);
  }
  shaped.has_values = in.has_values && shaped.IsWhole();
  if (shaped.has_values) shaped.values = in.values;
  return shaped;
}

KnownTensor Transposed(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& order = op.Input(1);
  if (!in.has_rank) return {};
  if (!order.has_values || order.values.size() != in.dims.size()) {
    return WithDims(Sizes(in.dims.size(), -1), arena);
  }
  Sizes dims;
  for (const int64_t axis : order.values) dims.push_back(in.Dim(axis));
  return WithDims(dims, arena);
}

KnownTensor Joined(const KnownOp& op, int32_t, NumberArena& arena) {
  if (op.inputs.size() < 2) return {};
  return JoinedAlong(op.inputs.first(op.inputs.size() - 1), op.inputs.back().Number(), arena);
}

KnownTensor JoinedByFirst(const KnownOp& op, int32_t, NumberArena& arena) {
  if (op.inputs.size() < 2) return {};
  return JoinedAlong(op.inputs.subspan(1), op.Input(0).Number(), arena);
}

KnownTensor Packed(const KnownOp& op, int32_t, NumberArena& arena) {
  const auto known = std::ranges::find_if(op.inputs, &KnownTensor::has_rank);
  if (known == op.inputs.end()) return {};
  Sizes dims = Copied(known->dims);
  const std::optional<size_t> axis = AxisOf(op.Number(GraphKey::axis, 0), dims.size() + 1);
  if (!axis) return {};
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), static_cast<int64_t>(op.inputs.size()));
  const KnownTensor packed = WithDims(dims, arena);
  Sizes values;
  if (dims.size() != 1 || !AppendValues(op.inputs, &values)) return packed;
  return WithValues(packed, values, arena);
}

KnownTensor Unpacked(const KnownOp& op, int32_t slot, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor part = WithoutDim(in, op.Number(GraphKey::axis, 0), arena);
  const auto number = static_cast<size_t>(slot);
  if (!in.has_values || in.dims.size() != 1 || number >= in.values.size()) return part;
  return WithValues(part, in.values.subspan(number, 1), arena);
}

KnownTensor SplitEvenly(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(1);
  const std::optional<size_t> axis = AxisOf(op.Input(0).Number(), in.dims.size());
  const int64_t parts = op.Number(GraphKey::count, 0);
  if (!in.has_rank || !axis || parts <= 0) return {};
  Sizes dims = Copied(in.dims);
  if (dims[*axis] > 0) dims[*axis] /= parts;
  return WithDims(dims, arena);
}

KnownTensor SplitBySizes(const KnownOp& op, int32_t slot, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& sizes = op.Input(1);
  const std::optional<size_t> axis = AxisOf(op.Input(2).Number(), in.dims.size());
  if (!in.has_rank || !axis) return {};
  Sizes dims = Copied(in.dims);
  const auto number = static_cast<size_t>(slot);
  const bool known = sizes.has_values && number < sizes.values.size();
  dims[*axis] = known ? std::max<int64_t>(sizes.values[number], -1) : -1;
  return WithDims(dims, arena);
}

KnownTensor Expanded(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const std::optional<size_t> axis = AxisOf(op.Input(1).Number(), in.dims.size() + 1);
  if (!in.has_rank || !axis) return {};
  Sizes dims = Copied(in.dims);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), 1);
  KnownTensor expanded = WithDims(dims, arena);
  return in.has_values ? WithValues(expanded, in.values, arena) : expanded;
}

KnownTensor Squeezed(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  if (!in.has_rank) return {};
  const Dims axes = op.Numbers(GraphKey::axis);
  std::vector<bool> removed(in.dims.size());
  for (const int64_t value : axes) {
    const std::optional<size_t> axis = AxisOf(value, in.dims.size());
    if (axis) removed[*axis] = true;
  }
  Sizes dims;
  for (size_t i = 0; i < in.dims.size(); ++i) {
    if (axes.empty() && in.dims[i] < 0) return {};  // it may be 1
    if (axes.empty() ? in.dims[i] != 1 : !removed[i]) dims.push_back(in.dims[i]);
  }
  const KnownTensor squeezed = WithDims(dims, arena);
  return in.has_values ? WithValues(squeezed, in.values, arena) : squeezed;
}

KnownTensor Tiled(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& times = op.Input(1);
  if (!in.has_rank) return {};
  Sizes dims = Copied(in.dims);
  const bool known = times.has_values && times.values.size() == dims.size();
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = known ? ProductOf(dims[i], times.values[i]) : -1;
  }
  return WithDims(dims, arena);
}

KnownTensor Padded(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& pads = op.Input(1);
  if (!in.has_rank) return {};
  Sizes dims = Copied(in.dims);
  const bool known = pads.has_values && pads.values.size() == 2 * dims.size();
  for (size_t i = 0; i < dims.size(); ++i) {
    dims[i] = known ? Sum(dims[i], Sum(pads.values[2 * i], pads.values[2 * i + 1])) : -1;
  }
  return WithDims(dims, arena);
}

KnownTensor Gathered(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& rows = op.Input(1);
  if (!in.has_rank || !rows.has_rank) return {};
  const bool has_axis = op.type == "GatherV2";
  const std::optional<size_t> axis = AxisOf(has_axis ? op.Input(2).Number() : 0, in.dims.size());
  if (!axis) return {};
  const std::optional<size_t> batch =
      AxisOf(op.Number(GraphKey::batch_axes, 0), std::max<size_t>(rows.dims.size(), 1));
  if (!batch || *batch > *axis) return {};
  Sizes dims = Copied(in.dims.first(*axis));
  dims.insert(dims.end(),
              rows.dims.begin() + static_cast<ptrdiff_t>(std::min(*batch, rows.dims.size())),
              rows.dims.end());
  dims.insert(dims.end(), in.dims.begin() + static_cast<ptrdiff_t>(*axis) + 1, in.dims.end());
  const KnownTensor gathered = WithDims(dims, arena);
  const bool picks = in.has_values && in.dims.size() == 1 && rows.has_values;
  if (!picks) return gathered;
  Sizes values;
  for (const int64_t row : rows.values) {
    const std::optional<size_t> at = AxisOf(row, in.values.size());
    values.push_back(at ? in.values[*at] : kNoInt);
  }
  return WithValues(gathered, values, arena);
}

KnownTensor OneHot(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  if (!in.has_rank) return {};
  Sizes dims = Copied(in.dims);
  const std::optional<size_t> axis = AxisOf(op.Number(GraphKey::axis, -1), dims.size() + 1);
  if (!axis) return {};
  const int64_t depth = std::max<int64_t>(op.Input(1).Number(), -1);
  dims.insert(dims.begin() + static_cast<ptrdiff_t>(*axis), depth);
  return WithDims(dims, arena);
}

KnownTensor Resized(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& size = op.Input(1);
  if (!in.has_rank || in.dims.size() != 4) return {};
  Sizes dims = Copied(in.dims);
  const bool known = size.has_values && size.values.size() == 2;
  for (size_t i = 0; i < 2; ++i) dims[i + 1] = known ? size.values[i] : -1;
  return WithDims(dims, arena);
}

// A list has the shape of its elements behind one another.
KnownTensor ListOf(int64_t count, const KnownTensor& element, NumberArena& arena) {
  if (!element.has_rank) return {};
  Sizes dims = Copied(element.dims);
  dims.insert(dims.begin(), std::max<int64_t>(count, -1));
  return WithDims(dims, arena);
}

KnownTensor ReservedList(const KnownOp& op, int32_t, NumberArena& arena) {
  const int64_t count = op.type == "TensorListReserve" ? op.Input(1).Number() : -1;
  return ListOf(count, ListedShape(op.Input(0), arena), arena);
}

KnownTensor ListWithItem(const KnownOp& op, int32_t, NumberArena& arena) {
  return ListOf(op.Input(0).Dim(0), op.Input(2), arena);
}

KnownTensor ItemOfList(const KnownOp& op, int32_t, NumberArena& arena) {
  return WithoutDim(op.Input(0), 0, arena);
}

KnownTensor StackedList(const KnownOp& op, int32_t, NumberArena& arena) {
  const int64_t count = op.Number(GraphKey::count, -1);
  if (count < 0) return ShapeOnly(op.Input(0));
  return ListOf(count, WithoutDim(op.Input(0), 0, arena), arena);
}

}  // namespace tfprof::infer
