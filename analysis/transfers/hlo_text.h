// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

// What the name of a TPU's event says of the instruction that ran: XLA prints the whole of it,
//   %copy-start.2 = (f32[4,8]{1,0}, f32[4,8]{1,0:S(5)}, u32[]{:S(2)}) copy-start(f32[4,8]... %x)

namespace tfprof {

// A tensor as it is printed. Spaces of memory are those of XLA (xla/layout.h of openxla/xla).
struct PrintedTensor {
  static constexpr int64_t kDeviceSpace = 0;  // not printed
  static constexpr int64_t kHostSpace = 5;
  int64_t bytes = 0;  // tokens and what is opaque have none
  int64_t memory_space = kDeviceSpace;
};

struct PrintedInstruction {
  std::string_view name;            // without %
  std::string_view opcode;          // of a mere name: the name up to its number
  bool has_types = false;           // false: the text is a mere name, such as infeed.1
  std::vector<PrintedTensor> made;  // what tuples are made of, one after the other
  std::vector<PrintedTensor> operands;
  std::vector<std::string_view> operand_names;
};

// Texts that are cut off or otherwise no instruction are mere names.
PrintedInstruction ParseInstruction(std::string_view text);

}  // namespace tfprof
