// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "loaders/open.h"

// Input files, given by paths or patterns.

namespace tfprof {

// The files that a pattern matches; none: it is no pattern, or a file has that name.
std::vector<std::string> FilesLike(const std::string& pattern);

// Returns true if a file has that path or matches the pattern.
bool NamesFile(const std::string& text);

// Paths and patterns as inputs, in natural order (2 before 10). A pattern without matches is taken
// as a path.
std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format,
                              const std::string& run = {});

}  // namespace tfprof
