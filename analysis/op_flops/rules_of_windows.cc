// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/fused.h"
#include "analysis/op_flops/rule_functions.h"

namespace tfprof::flop_rule {
namespace {

// The product of the dimensions of a filter before its last `but`.
int64_t Positions(const KnownTensor& filter, size_t but) {
  if (!filter.has_rank || filter.dims.size() < but) return kNoInt;
  return ElementsOf(filter.dims.first(filter.dims.size() - but));
}

// Whole a * b / (c * d). Clamped numbers stay clamped.
int64_t Divided(int64_t dividend, int64_t by) {
  return dividend == kNoInt || by <= 0 ? kNoInt : dividend / by;
}

// The FLOPs of the gradient of a two-dimensional convolution: those of the convolution, from the
// size of its image instead of that of its result.
int64_t ByImage(const KnownOp& op, const KnownTensor& image, const KnownTensor& filter) {
  const Dims strides = op.Numbers(GraphKey::strides);
  if (!image.has_rank || image.dims.size() != 4 || strides.size() != 4) return kNoInt;
  const ImageAxes axes = AxesOf(op, 4);
  const int64_t stride = Times({strides[axes.spatial], strides[axes.spatial + 1]});
  const int64_t channels = image.dims[axes.channel];
  return Divided(Times({2, image.Elements(), filter.Elements()}), Times({channels, stride}));
}

}  // namespace

int64_t Pool(const KnownOp& op, int64_t factor) {
  const Dims window = op.Numbers(GraphKey::window);
  if (window.empty()) return kNoInt;
  return Times({ElementsOf(window), op.output.Elements(), factor});
}

int64_t PoolWithWindow(const KnownOp& op, int64_t factor) {
  const KnownTensor& window = op.Input(1);
  if (!window.has_values) return kNoInt;
  return Times({ElementsOf(window.values), op.output.Elements(), factor});
}

int64_t PoolGradient(const KnownOp& op, int64_t factor) {
  const Dims window = op.Numbers(GraphKey::window);
  if (window.empty()) return kNoInt;
  return Times({ElementsOf(window), op.Input(1).Elements(), factor});
}

// The pool is computed again; each of its results is the gradient of one input.
int64_t MaxPoolGradient(const KnownOp& op, int64_t factor) {
  return Plus({PoolGradient(op, factor), op.Input(1).Elements()});
}

int64_t Convolution(const KnownOp& op, int64_t) {
  const KnownTensor& filter = op.Input(1);
  return KernelFlops(op.output.Elements(), Positions(filter, 2), filter.Dim(-2));
}

int64_t DepthwiseConvolution(const KnownOp& op, int64_t factor) {
  return KernelFlops(op.output.Elements(), Positions(op.Input(1), static_cast<size_t>(factor)), 1);
}

int64_t ConvolutionInputGradient(const KnownOp& op, int64_t) {
  return ByImage(op, op.output, op.Input(1));
}

int64_t ConvolutionFilterGradient(const KnownOp& op, int64_t) {
  return ByImage(op, op.Input(0), op.output);
}

// The factor has the number of the filter among the inputs; 9: it is the output.
int64_t DepthwiseGradient(const KnownOp& op, int64_t factor) {
  const KnownTensor& filter = factor == 9 ? op.output : op.Input(static_cast<size_t>(factor));
  return KernelFlops(op.Input(2).Elements(), Positions(filter, 2), 1);
}

int64_t Convolution3dInputGradient(const KnownOp& op, int64_t) {
  const KnownTensor& filter = op.Input(1);
  return KernelFlops(op.Input(2).Elements(), Positions(filter, 2), filter.Dim(-2));
}

int64_t Convolution3dFilterGradient(const KnownOp& op, int64_t) {
  return KernelFlops(op.Input(2).Elements(), Positions(op.output, 2), op.output.Dim(-2));
}

int64_t FusedConvolution(const KnownOp& op, int64_t factor) {
  return Plus({Convolution(op, factor), FusedFlops(op)});
}

int64_t FusedDepthwiseConvolution(const KnownOp& op, int64_t factor) {
  return Plus({DepthwiseConvolution(op, factor), FusedFlops(op)});
}

}  // namespace tfprof::flop_rule
