// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

// The name of a TPU event contains the instruction that ran, as XLA prints it:
//   %copy-start.2 = (f32[4,8]{1,0}, f32[4,8]{1,0:S(5)}, u32[]{:S(2)}) copy-start(f32[4,8]... %x)

namespace tfprof {

// A printed tensor. Memory spaces are those of XLA (xla/layout.h of openxla/xla).
struct PrintedTensor {
  static constexpr int64_t kDeviceSpace = 0;  // not printed
  static constexpr int64_t kHostSpace = 5;
  int64_t bytes = 0;  // 0 for tokens and opaque types
  int64_t memory_space = kDeviceSpace;
  std::string_view element = {};  // f32
};

struct PrintedInstruction {
  std::string_view name;            // without %
  std::string_view opcode;          // for a bare name: the name without its number
  bool has_types = false;           // false: the text is a bare name, such as infeed.1
  std::vector<PrintedTensor> made;  // result tensors, with tuples flattened
  std::vector<PrintedTensor> operands;
  std::vector<std::string_view> operand_names;
};

// Truncated texts, and texts that are not instructions, are bare names.
PrintedInstruction ParseInstruction(std::string_view text);

}  // namespace tfprof
