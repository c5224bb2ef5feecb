// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/hlo/program.h"

// Calls of libraries that XLA emits: matrix products (cuBLAS, cuBLASLt, hipBLAS), convolutions
// (cuDNN, MIOpen) and attention (cuDNN). Their work follows from the shapes of their operands and
// the dimension numbers in their configuration.

namespace tfprof {

// FLOPs of one run; NaN: another call, or its dimensions are not recorded. Attention counts in
// full, if the call does not say that it is causal: then half.
double LibraryCallFlops(const Program& program, const Instruction& call);

// The bytes of the operands and the result, without the workspace.
double LibraryCallBytes(const Program& program, const Instruction& call);

}  // namespace tfprof
