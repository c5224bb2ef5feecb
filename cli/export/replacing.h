// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/store.h"
#include "loaders/open.h"

namespace tfprof {

// Protects existing files from being overwritten by output.

// All files that the store came from, and those that it still reads on demand.
std::vector<std::string> OpenFiles(const Store& store);

// The paths of inputs that are about to be opened.
std::vector<std::string> PathsOf(const std::vector<Input>& inputs);

// Refuses to replace, or append to, a file in `open`, under any name. Error: usage.
Result<void> CheckNotOpen(const std::string& out, const std::vector<std::string>& open);

// Refuses to replace any other profile without -overwrite: a profile is worth more than a timeline
// that takes a second to make. Error: usage.
Result<void> CheckNoProfile(const std::string& out);

// Both checks; the second one unless `overwrite`.
Result<void> CheckTarget(const std::string& out, const std::vector<std::string>& open,
                         bool overwrite);

}  // namespace tfprof
