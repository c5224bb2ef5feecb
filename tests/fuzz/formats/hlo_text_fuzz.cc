// SPDX-License-Identifier: Apache-2.0
// Any text as a compiled program, and what is told of its instructions.
#include <cstdlib>
#include <string>

#include "core/hlo/program.h"
#include "loaders/hlo/hlo.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  // A copy of exactly this size: a sanitizer sees a read behind it.
  const std::string text = "HloModule m\n" + std::string(reinterpret_cast<const char*>(data), size);
  Program program;
  const hlo::TextError error = hlo::ReadModuleText(text, &program);
  const bool is_inside = error.at >= text.data() && error.at <= text.data() + text.size();
  if (error.at != nullptr && !is_inside) std::abort();
  for (const Instruction& instruction : program.instructions) {
    (void)InstructionText(program, instruction);
    (void)CategoryOf(program, instruction);
    (void)CallStackOf(program, instruction);
    (void)BytesOf(program, program.TypeOf(instruction));
  }
  return 0;
}
