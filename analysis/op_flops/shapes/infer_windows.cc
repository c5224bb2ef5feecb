// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/op_flops/equation.h"
#include "analysis/op_flops/shapes/infer_functions.h"

namespace tfprof::infer {
namespace {

// One spatial dimension of a window that moves over an image.
struct Window {
  int64_t size = -1;
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t padding = 0;  // explicit, at both sides
};

int64_t Positions(std::string_view padding, int64_t image, const Window& window) {
  if (image < 0 || window.stride <= 0) return -1;
  if (padding == "SAME") return image == 0 ? 0 : (image - 1) / window.stride + 1;
  if (window.size <= 0 || window.dilation <= 0) return -1;
  const int64_t reach = Plus({Times({window.size - 1, window.dilation}), 1});
  const int64_t padded = Plus({image, padding == "EXPLICIT" ? window.padding : 0});
  if (reach == kNoInt || padded == kNoInt) return -1;
  return padded < reach ? 0 : (padded - reach) / window.stride + 1;
}

int64_t At(Dims numbers, size_t place, int64_t otherwise) {
  return place < numbers.size() ? numbers[place] : otherwise;
}

// `window_of(i)`: the size of the window along spatial dimension i.
template <class WindowOf>
KnownTensor Moved(const KnownOp& op, int64_t channels, WindowOf window_of, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  if (!in.has_rank || in.dims.size() < 3) return {};
  Sizes dims(in.dims.begin(), in.dims.end());
  const ImageAxes axes = AxesOf(op, dims.size());
  const Dims strides = op.Numbers(GraphKey::strides);
  const Dims dilations = op.Numbers(GraphKey::dilations);
  const Dims paddings = op.Numbers(GraphKey::paddings);
  for (size_t i = 0; i < dims.size() - 2; ++i) {
    const size_t axis = axes.spatial + i;
    const int64_t padding = Plus({At(paddings, 2 * axis, 0), At(paddings, 2 * axis + 1, 0)});
    dims[axis] = Positions(op.Text(GraphKey::padding), dims[axis],
                           {window_of(i, axis), At(strides, axis, 1), At(dilations, axis, 1),
                            padding == kNoInt ? 0 : padding});
  }
  dims[axes.channel] = channels;
  return WithDims(dims, arena);
}

}  // namespace

KnownTensor Convolved(const KnownOp& op, int32_t slot, NumberArena& arena) {
  if (slot != 0) return {};
  const KnownTensor& filter = op.Input(1);
  const auto window = [&](size_t i, size_t) { return filter.Dim(static_cast<int64_t>(i)); };
  return Moved(op, filter.Dim(-1), window, arena);
}

KnownTensor ConvolvedByDepth(const KnownOp& op, int32_t slot, NumberArena& arena) {
  if (slot != 0) return {};
  const KnownTensor& filter = op.Input(1);
  const int64_t channels = Times({filter.Dim(2), filter.Dim(3)});
  const auto window = [&](size_t i, size_t) { return filter.Dim(static_cast<int64_t>(i)); };
  return Moved(op, channels, window, arena);
}

KnownTensor Pooled(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& in = op.Input(0);
  if (!in.has_rank || in.dims.size() < 3) return {};
  const Dims sizes = op.Numbers(GraphKey::window);
  const int64_t channels = in.dims[AxesOf(op, in.dims.size()).channel];
  const auto window = [&](size_t, size_t axis) { return At(sizes, axis, -1); };
  return Moved(op, channels, window, arena);
}

KnownTensor Product(const KnownOp& op, int32_t, NumberArena& arena) {
  const KnownTensor& a = op.Input(0);
  const KnownTensor& b = op.Input(1);
  const size_t rank = std::max(a.dims.size(), b.dims.size());
  if (!a.has_rank || !b.has_rank || std::min(a.dims.size(), b.dims.size()) < 2) return {};
  // The batches are broadcast like operands of an addition.
  const KnownTensor batches[] = {{true, false, a.dims.first(a.dims.size() - 2), {}},
                                 {true, false, b.dims.first(b.dims.size() - 2), {}}};
  const KnownTensor batch = Broadcast({op.type, op.graph, {}, batches, {}}, 0, arena);
  Sizes dims(batch.dims.begin(), batch.dims.end());
  dims.resize(rank);
  dims[rank - 2] = a.Dim(op.Number(GraphKey::transpose_a, 0) != 0 ? -1 : -2);
  dims[rank - 1] = b.Dim(op.Number(GraphKey::transpose_b, 0) != 0 ? -2 : -1);
  return WithDims(dims, arena);
}

KnownTensor SumOfProducts(const KnownOp& op, int32_t, NumberArena& arena) {
  Sizes dims;
  return ResultOf(op, &dims) ? WithDims(dims, arena) : KnownTensor();
}

}  // namespace tfprof::infer
