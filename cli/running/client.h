// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

// The program that talks to profiler servers.

namespace tfprof {

// Returns the path of a program of ours. Error: unreadable, with how to get it; `what`: what it
// does.
Result<std::string> Installed(std::string_view name, std::string_view what);

// Checks the arguments, and runs the client on our terminal. Returns its exit status; `output`: as
// RunInTerminal. Error: usage; it is not installed.
Result<int> RunClient(std::string_view command, const std::vector<std::string>& args,
                      std::string* output);

// The last line of a program's output: of capture, the folder of the last run; empty: none.
std::string LastLine(std::string output);

}  // namespace tfprof
