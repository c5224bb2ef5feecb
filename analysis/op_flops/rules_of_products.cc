// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "analysis/op_flops/equation.h"
#include "analysis/op_flops/fused.h"
#include "analysis/op_flops/rule_functions.h"

namespace tfprof::flop_rule {

int64_t MatrixProduct(const KnownOp& op, int64_t) {
  const bool transposed = op.Number(GraphKey::transpose_a, 0) != 0;
  return ProductFlops(op.output.Elements(), op.Input(0).Dim(transposed ? -2 : -1));
}

int64_t FusedMatrixProduct(const KnownOp& op, int64_t factor) {
  return Plus({MatrixProduct(op, factor), FusedFlops(op)});
}

// Every combination of indices is a multiply-add; without a sum, a multiplication.
int64_t Einsum(const KnownOp& op, int64_t) {
  const EquationSizes sizes = SizesOf(op);
  const auto operands = static_cast<int64_t>(op.inputs.size());
  if (operands == 0) return kNoInt;
  if (operands > 1) return Times({sizes.all, sizes.sums ? operands : operands - 1});
  if (sizes.all == kNoInt || sizes.output == kNoInt) return kNoInt;
  return sizes.sums ? std::max<int64_t>(sizes.all - sizes.output, 0) : 0;
}

// Each column of the right side: a multiply-add per element of half the matrix.
int64_t TriangularSolve(const KnownOp& op, int64_t) {
  return Times({op.Input(0).Dim(-1), op.Input(1).Elements()});
}

int64_t Cube(const KnownOp& op, int64_t factor) {
  const KnownTensor& matrix = op.Input(0);
  const int64_t edge = matrix.Dim(-1);
  const int64_t flops = Times({matrix.Elements(), edge, factor});
  return flops == kNoInt ? kNoInt : flops / 3;
}

// 5 n log2 n for n complex numbers. The factor has the axes in its tens, and 2 for real numbers,
// which cost half.
int64_t Fourier(const KnownOp& op, int64_t factor) {
  const bool real = factor % 10 == 2;
  const int64_t axes = factor / 10;
  // The side of real numbers is the larger one.
  const KnownTensor& in = op.Input(0);
  const KnownTensor& out = op.output;
  if (!in.has_rank || !out.has_rank || !in.IsWhole() || !out.IsWhole()) return kNoInt;
  const KnownTensor& whole = in.Elements() < out.Elements() ? out : in;
  double each = 1;
  for (int64_t axis = -axes; axis < 0; ++axis) {
    const int64_t dim = whole.Dim(axis);
    if (dim < 0) return kNoInt;
    each *= static_cast<double>(dim);
  }
  if (each < 2) return 0;
  const double flops = (real ? 2.5 : 5.0) * static_cast<double>(whole.Elements()) * std::log2(each);
  return flops < 9e18 ? std::llround(flops) : Times({INT64_MAX});
}

}  // namespace tfprof::flop_rule
