// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "cli/writing.h"

namespace tfprof {
namespace {

constexpr std::array<WritingCommand, 0> kCommands = {};

}  // namespace

std::span<const WritingCommand> WritingCommands() { return kCommands; }

const WritingCommand* FindWritingCommand(std::string_view name) {
  for (const WritingCommand& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace tfprof
