// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/hlo/program.h"

namespace tfprof {

// The instructions whose results an instruction takes, each once, in the order of its operands. It
// is looked through what moves no data: bitcasts, and tuples down to the part that is taken.
// Constants are left out. Bounded: of a web of tuples, not all is followed.
std::vector<uint32_t> InputsOf(const Program& program, uint32_t instruction);

}  // namespace tfprof
