// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <histedit.h>

#include <string>

// The command history, kept in a file that several shells share.

namespace tfprof {

// Loads the newest lines of the file and shortens a long file. Null: the library failed.
::History* OpenHistory(const std::string& path);

// Adds a line to `past` and to the end of the file, which other shells may have extended. A
// repeated line is kept once.
void AddToHistory(::History* past, const std::string& path, const std::string& line);

}  // namespace tfprof
