// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <histedit.h>

#include <string>

// The lines that were typed, kept in a file that several shells use at once.

namespace tfprof {

// The newest lines of the file; shortens one that has grown long. Null: the library failed.
::History* OpenHistory(const std::string& path);

// Adds a line to `past` and to the end of the file, whatever other shells have put there since.
// The same line twice in a row is kept once.
void AddToHistory(::History* past, const std::string& path, const std::string& line);

}  // namespace tfprof
