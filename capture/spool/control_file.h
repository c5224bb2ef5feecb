// SPDX-License-Identifier: Apache-2.0
// The file in a capture folder by which `tfprof-capture ctl` tells the recorders of all processes,
// on all machines that share the folder, what to do and when: "NUMBER STATE TIME\n". It is replaced
// as a whole; a recorder looks at it in each round, and obeys each number once, at that time, so
// that windows of all processes begin and end together.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tfprof::capture {

inline constexpr char kControlFile[] = "control";

// options: as they say; snapshot writes the state that was there, with a new number.
enum class ControlState : int { options, start, stop };
inline constexpr const char* kControlStates[] = {"options", "start", "stop"};

struct ControlCommand {
  uint32_t number = 0;
  ControlState state = ControlState::options;
  uint64_t time = 0;  // ns, CLOCK_REALTIME
};

// Returns false if the text is no command.
inline bool ParseCommand(const char* text, ControlCommand* command) {
  char* end = nullptr;
  const unsigned long number = std::strtoul(text, &end, 10);
  if (end == text || *end != ' ') return false;
  for (int i = 0; i < 3; ++i) {
    const size_t length = std::strlen(kControlStates[i]);
    if (std::strncmp(end + 1, kControlStates[i], length) != 0 || end[1 + length] != ' ') continue;
    char* line_end = nullptr;
    command->time = std::strtoull(end + 1 + length, &line_end, 10);
    command->number = static_cast<uint32_t>(number);
    command->state = static_cast<ControlState>(i);
    return *line_end == '\n';
  }
  return false;
}

}  // namespace tfprof::capture
