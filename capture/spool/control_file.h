// SPDX-License-Identifier: Apache-2.0
// The file in a capture folder by which `tfprof-capture ctl` tells the recorders of all processes,
// on all machines that share the folder, what to do: "NUMBER STATE\n". It is replaced as a whole;
// a recorder looks at it in each round, and obeys each number once.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tfprof::capture {

inline constexpr char kControlFile[] = "control";

// options: as they say; snapshot writes the state that was there, with a new number.
enum class ControlState : int { options, start, stop };
inline constexpr const char* kControlStates[] = {"options", "start", "stop"};

// Returns false if the text is no command.
inline bool ParseCommand(const char* text, uint32_t* number, ControlState* state) {
  char* end = nullptr;
  const unsigned long read = std::strtoul(text, &end, 10);
  if (end == text || *end != ' ') return false;
  for (int i = 0; i < 3; ++i) {
    const size_t length = std::strlen(kControlStates[i]);
    if (std::strncmp(end + 1, kControlStates[i], length) != 0) continue;
    if (end[1 + length] != '\n') return false;
    *number = static_cast<uint32_t>(read);
    *state = static_cast<ControlState>(i);
    return true;
  }
  return false;
}

}  // namespace tfprof::capture
