// SPDX-License-Identifier: Apache-2.0
// Any bytes as a compiled program, and what is told of its instructions.
#include <string>

#include "core/hlo/program.h"
#include "loaders/hlo/hlo.h"
#include "loaders/io/source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  std::string bytes(reinterpret_cast<const char*>(data), size);
  bytes.append(SourceFile::kPadding, '\0');
  Program program;
  (void)hlo::ReadModule(std::string_view(bytes).substr(0, size), &program);
  for (const Instruction& instruction : program.instructions) {
    (void)InstructionText(program, instruction);
    (void)CategoryOf(program, instruction);
  }
  return 0;
}
