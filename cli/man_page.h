// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace tfprof {

// tfprof(1), in the man macros of troff, made from the tables of flags, commands, options and
// formats. Says the same as `help`.
std::string ManPage();

}  // namespace tfprof
