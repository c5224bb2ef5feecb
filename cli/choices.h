// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/options.h"

namespace tfprof {

// The valid values of an option: for help, and for completion in the shell and the command line.
struct Choices {
  enum Kind : uint8_t {
    anything,  // a number, a name of the profile, an expression
    one,
    list,    // several of them, separated by commas
    output,  // one, or a file after "file:outfile="
  };
  Kind kind = anything;
  std::vector<std::string> names;
};
Choices ChoicesOf(const Option& option);

// The commands that read an option, in the order of `help`.
std::vector<std::string_view> ReadersOf(const Option& option);

}  // namespace tfprof
