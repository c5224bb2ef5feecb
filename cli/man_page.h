// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace tfprof {

// tfprof(1), in the man macros of troff, generated from the tables of flags, commands, options and
// formats. It has the same contents as `help`.
std::string ManPage();

}  // namespace tfprof
