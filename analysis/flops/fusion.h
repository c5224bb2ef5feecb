// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/hlo/program.h"

// Bytes that instructions read and write, and how much of a fused computation is needed.

namespace tfprof {

// Returns how many times each element produced by an instruction is needed, by position in the
// computation. The result is needed once. Operands of elementwise operations are needed as often as
// their consumers; a slice needs a part of its operand; the initial value of a reduction is needed
// for every element of the result. An element with several consumers counts once per use.
std::vector<double> Utilizations(const Program& program, uint32_t computation);

// Returns the bytes of parameters and large constants that a fused computation reads, each element
// at most once.
double FusionReadBytes(const Program& program, uint32_t computation,
                       const std::vector<double>& utilization);

// Returns the bytes that a fusion writes: its result or, for an in-place update, the update.
double FusionWrittenBytes(const Program& program, const Instruction& fusion, uint32_t computation);

// Returns the bytes of an instruction that is not fused: operands and result; for slices and
// similar instructions, the slice.
double PlainBytes(const Program& program, const Instruction& instruction);

}  // namespace tfprof
