// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// The input and output of a run. Tests pass string streams.
struct Io {
  std::istream* in = nullptr;
  std::ostream* out = nullptr;
  std::ostream* err = nullptr;
  bool in_is_terminal = false;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  int columns = 0;  // of the terminal; 0: not a terminal
  int rows = 0;
};

// The value of an environment variable; empty: it is unset.
inline std::string_view Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

// The whole program: opens the files in `args`, answers the commands, and returns the exit status.
// `args` do not include the program's name.
int Run(const std::vector<std::string>& args, Io& io);

}  // namespace tfprof
