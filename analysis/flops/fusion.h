// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/hlo/program.h"

// What instructions read and write, and how much of a fused computation is needed.

namespace tfprof {

// How many times each element of what an instruction of the computation makes is needed, by place
// in the computation: 1 for its result; operands of elementwise operations as often as what they
// make; a slice needs a part of its operand, the start of a reduction is needed for every element
// of the result. Of elements that several take at once, each use counts.
std::vector<double> Utilizations(const Program& program, uint32_t computation);

// Parameters and large constants that a fused computation reads, each element once at most.
double FusionReadBytes(const Program& program, uint32_t computation,
                       const std::vector<double>& utilization);

// What a fusion writes: its result; where that is an update in place, the update.
double FusionWrittenBytes(const Program& program, const Instruction& fusion, uint32_t computation);

// Of an instruction that is not fused: operands and result; of slices and the like, what is taken.
double PlainBytes(const Program& program, const Instruction& instruction);

}  // namespace tfprof
