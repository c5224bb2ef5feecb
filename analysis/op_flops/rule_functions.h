// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "analysis/op_flops/known_op.h"

// The functions of the rules. kNoInt: a size is not known.

namespace tfprof::flop_rule {

// ---- by elements
int64_t Nothing(const KnownOp& op, int64_t factor);
int64_t PerInput(const KnownOp& op, int64_t factor);
// The factor has the input in its hundreds: 502 is 2 per element of input 5.
int64_t PerLaterInput(const KnownOp& op, int64_t factor);
int64_t PerOutput(const KnownOp& op, int64_t factor);
int64_t SquaredSum(const KnownOp& op, int64_t factor);
int64_t SumOfInputs(const KnownOp& op, int64_t factor);
// The factor is what counts for an output, less 1.
int64_t Reduction(const KnownOp& op, int64_t factor);
// The factor is the number of the updates among the inputs.
int64_t Scatter(const KnownOp& op, int64_t factor);
int64_t SparseCrossEntropy(const KnownOp& op, int64_t factor);

// ---- windows
int64_t Pool(const KnownOp& op, int64_t factor);
int64_t PoolWithWindow(const KnownOp& op, int64_t factor);
int64_t PoolGradient(const KnownOp& op, int64_t factor);
int64_t MaxPoolGradient(const KnownOp& op, int64_t factor);
int64_t Convolution(const KnownOp& op, int64_t factor);
int64_t DepthwiseConvolution(const KnownOp& op, int64_t factor);
int64_t ConvolutionInputGradient(const KnownOp& op, int64_t factor);
int64_t ConvolutionFilterGradient(const KnownOp& op, int64_t factor);
int64_t DepthwiseGradient(const KnownOp& op, int64_t factor);
int64_t Convolution3dInputGradient(const KnownOp& op, int64_t factor);
int64_t Convolution3dFilterGradient(const KnownOp& op, int64_t factor);
int64_t FusedConvolution(const KnownOp& op, int64_t factor);
int64_t FusedDepthwiseConvolution(const KnownOp& op, int64_t factor);

// ---- products
int64_t MatrixProduct(const KnownOp& op, int64_t factor);
int64_t FusedMatrixProduct(const KnownOp& op, int64_t factor);
int64_t Einsum(const KnownOp& op, int64_t factor);
int64_t TriangularSolve(const KnownOp& op, int64_t factor);
// The factor is 3 times that of the cube of the edge.
int64_t Cube(const KnownOp& op, int64_t factor);
int64_t Fourier(const KnownOp& op, int64_t factor);

// ---- layers
int64_t BatchNorm(const KnownOp& op, int64_t factor);
int64_t LstmCell(const KnownOp& op, int64_t factor);
int64_t LstmBlock(const KnownOp& op, int64_t factor);
int64_t GruCell(const KnownOp& op, int64_t factor);
int64_t CudnnRnn(const KnownOp& op, int64_t factor);

}  // namespace tfprof::flop_rule
