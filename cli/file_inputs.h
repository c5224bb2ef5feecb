// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "loaders/open.h"

// Files that people name, by their paths or by patterns.

namespace tfprof {

// The files that a pattern fits; none: it is no pattern, or there is a file called so.
std::vector<std::string> FilesLike(const std::string& pattern);

// Whether there is a file of that path, or one that the pattern fits.
bool NamesFile(const std::string& text);

// Paths and patterns as inputs, in natural order (2 before 10). A pattern that fits nothing is
// taken as a path.
std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format,
                              const std::string& run = {});

}  // namespace tfprof
