// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/hlo/program.h"

namespace tfprof {

// Returns the instructions whose results an instruction consumes, each once, in the order of its
// operands. Looks through instructions that move no data: bitcasts, and tuples down to the consumed
// element. Omits constants. Bounded: in a web of tuples, some paths are not followed.
std::vector<uint32_t> InputsOf(const Program& program, uint32_t instruction);

}  // namespace tfprof
