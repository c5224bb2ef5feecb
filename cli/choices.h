// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/query/options.h"

namespace tfprof {

struct View;

// The valid values of a flag or an option: for help, and for completion in the shell and the
// command line.
struct Choices {
  enum Kind : uint8_t {
    alone,    // no value
    boolean,  // true, false, or no value
    text,     // a number, a name of the profile, an expression
    word,     // one of `names`
    list,     // several of them, separated by commas
    file,
    output,  // one of them, or a file after "file:outfile="
  };
  Kind kind = text;
  std::vector<std::string> names;
};
Choices ChoicesOf(const Option& option);

// The values of -by that a view accepts.
std::vector<std::string> RowsByNames(const View& view);

// The commands that read an option, in the order of `help`.
std::vector<std::string_view> ReadersOf(const Option& option);

}  // namespace tfprof
