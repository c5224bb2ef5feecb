// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/hlo/program.h"

namespace tfprof {

struct Neighbor {
  uint32_t instruction = Instruction::kNone;
  std::string_view relation;  // operand, itself, user or fused
  int64_t distance = 0;       // operands are below 0; a fused one has that of its fusion
};

// Returns the instructions whose results an instruction reads, directly or through up to `width`
// instructions, farthest first; then itself, then those of the computations that it calls, then
// those that read its result, nearest first.
std::vector<Neighbor> NeighborsOf(const Program& program, uint32_t instruction, int64_t width);

}  // namespace tfprof
