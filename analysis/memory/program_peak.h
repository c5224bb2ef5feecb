// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/hlo/program.h"

namespace tfprof {

// A buffer that a compiled program holds when it holds most.
struct HeldBuffer {
  uint32_t buffer = Buffer::kNone;  // of Program::buffers; none: no buffer is assigned
  uint32_t allocation = Buffer::kNone;
  int64_t bytes = 0;
  bool is_unused = false;  // the part of a temporary block that no buffer takes then
  // First and last instruction of its life; none: it is held while the program runs, or the
  // instruction is not in the file.
  uint32_t born = Instruction::kNone;
  uint32_t freed = Instruction::kNone;
};

// The memory that a program needs to run. It holds arguments, outputs, constants and its temporary
// blocks all the time; within a temporary block, buffers come and go.
struct ProgramPeak {
  std::array<int64_t, 5> bytes{};  // by MemoryUse
  int64_t unused_bytes = 0;        // of temporary blocks
  std::vector<HeldBuffer> held;    // descending by size; they add up to Total()

  int64_t Of(MemoryUse use) const { return bytes[static_cast<size_t>(use)]; }
  // Without memory of single threads, which is not in the program's blocks.
  int64_t Total() const;
};

// Returns what a program holds at its peak. A temporary block has its own moment: the last one at
// which its buffers are largest in sum.
ProgramPeak PeakOfProgram(const Program& program);

}  // namespace tfprof
