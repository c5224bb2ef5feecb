// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof::infer {
namespace {

bool HasBit(int64_t mask, size_t bit) { return bit < 63 && (mask >> bit & 1) != 0; }

// The bounds of a slice of one axis, from 0 to `dim`.
struct Bounds {
  int64_t begin = kNoInt;  // kNoInt: unknown
  int64_t end = kNoInt;
  int64_t stride = 1;
};

// A negative bound counts from the end; `low`, `high`: what it is cut to.
int64_t Cut(int64_t bound, int64_t dim, int64_t low, int64_t high) {
  if (bound < 0) bound += dim;
  return std::clamp(bound, low, high);
}

int64_t CountOf(const Bounds& bounds) {
  if (bounds.begin == kNoInt || bounds.end == kNoInt || bounds.stride == 0) return -1;
  const int64_t length = bounds.stride > 0 ? bounds.end - bounds.begin : bounds.begin - bounds.end;
  const int64_t stride = bounds.stride > 0 ? bounds.stride : -bounds.stride;
  return length <= 0 ? 0 : (length - 1) / stride + 1;
}

// The parts of a slice by strides.
struct Strided {
  const KnownTensor& in;
  Dims begin, end, strides;
  int64_t begin_mask, end_mask, ellipsis_mask, new_mask, shrink_mask;

  // The bounds of entry `at` for a dimension.
  Bounds Of(size_t at, int64_t dim) const {
    Bounds bounds;
    bounds.stride = strides[at];
    if (dim < 0 || bounds.stride == 0 || bounds.stride == kNoInt || bounds.stride < -INT32_MAX)
      return {};
    const bool forward = bounds.stride > 0;
    const int64_t low = forward ? 0 : -1;
    const int64_t high = forward ? dim : dim - 1;
    bounds.begin = HasBit(begin_mask, at) ? (forward ? low : high)
                   : begin[at] == kNoInt  ? kNoInt
                                          : Cut(begin[at], dim, low, high);
    bounds.end = HasBit(end_mask, at) ? (forward ? high : low)
                 : end[at] == kNoInt  ? kNoInt
                                      : Cut(end[at], dim, low, high);
    return bounds;
  }
};

// Appends the dimensions of the result. Returns false if they are not known.
bool AppendDims(const Strided& slice, Sizes* dims) {
  const size_t entries = slice.strides.size();
  size_t used = 0;  // dimensions that entries name
  for (size_t at = 0; at < entries; ++at) {
    used += !HasBit(slice.ellipsis_mask, at) && !HasBit(slice.new_mask, at) ? 1 : 0;
  }
  if (used > slice.in.dims.size()) return false;
  size_t axis = 0;
  const size_t rest = slice.in.dims.size() - used;
  const auto copy_rest = [&] {
    for (size_t i = 0; i < rest && axis < slice.in.dims.size(); ++i) {
      dims->push_back(slice.in.dims[axis++]);
    }
  };
  for (size_t at = 0; at < entries; ++at) {
    if (HasBit(slice.ellipsis_mask, at)) {
      copy_rest();
    } else if (HasBit(slice.new_mask, at)) {
      dims->push_back(1);
    } else {
      const int64_t dim = slice.in.dims[axis++];
      const bool whole =
          HasBit(slice.begin_mask, at) && HasBit(slice.end_mask, at) && slice.strides[at] == 1;
      if (!HasBit(slice.shrink_mask, at)) dims->push_back(whole ? dim : CountOf(slice.Of(at, dim)));
    }
  }
  if (slice.ellipsis_mask == 0) copy_rest();
  return true;
}

// The numbers that a slice of a list takes.
KnownTensor SlicedValues(const Strided& slice, KnownTensor result, NumberArena& arena) {
  const KnownTensor& in = slice.in;
  if (!in.has_values || in.dims.size() != 1 || slice.strides.size() != 1 || slice.new_mask != 0 ||
      slice.ellipsis_mask != 0) {
    return result;
  }
  const auto size = static_cast<int64_t>(in.values.size());
  Bounds bounds = slice.Of(0, size);
  const bool one = HasBit(slice.shrink_mask, 0);
  const int64_t count = one ? 1 : CountOf(bounds);
  if (bounds.begin == kNoInt || count < 0) return result;
  Sizes values;
  for (int64_t i = 0; i < count; ++i) {
    const int64_t at = bounds.begin + i * bounds.stride;
    if (at < 0 || at >= size) return result;
    values.push_back(in.values[static_cast<size_t>(at)]);
  }
  return WithValues(result, values, arena);
}

}  // namespace

KnownTensor Sliced(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& begin = op.Input(1);
  const KnownTensor& size = op.Input(2);
  if (!in.has_rank) return {};
  Sizes dims(in.dims.size(), -1);
  const bool known = size.has_values && size.values.size() == dims.size();
  const bool from = begin.has_values && begin.values.size() == dims.size();
  for (size_t i = 0; known && i < dims.size(); ++i) {
    dims[i] = size.values[i];
    // -1: up to the end.
    if (dims[i] == -1 && from && in.dims[i] >= 0 && begin.values[i] >= 0) {
      dims[i] = std::max<int64_t>(in.dims[i] - begin.values[i], 0);
    }
  }
  return WithDims(dims, arena);
}

KnownTensor SlicedByStrides(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  const KnownTensor& strides = op.Input(3);
  if (!in.has_rank || !strides.has_values) return {};
  const size_t entries = strides.values.size();
  const Sizes unknown(entries, kNoInt);
  const auto bounds = [&](const KnownTensor& list) {
    return list.has_values && list.values.size() == entries ? list.values : Dims(unknown);
  };
  const Strided slice{in,
                      bounds(op.Input(1)),
                      bounds(op.Input(2)),
                      strides.values,
                      op.Number(GraphKey::begin_mask, 0),
                      op.Number(GraphKey::end_mask, 0),
                      op.Number(GraphKey::ellipsis_mask, 0),
                      op.Number(GraphKey::new_axis_mask, 0),
                      op.Number(GraphKey::shrink_mask, 0)};
  Sizes dims;
  if (!AppendDims(slice, &dims)) return {};
  return SlicedValues(slice, WithDims(dims, arena), arena);
}

}  // namespace tfprof::infer
