// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/store/store.h"
#include "loaders/open.h"

namespace tfprof {

// What is written must not cost a file that is worth more.

// Every file that the store came from, and those that it still reads when it is asked for values.
std::vector<std::string> OpenFiles(const Store& store);

// Those that are about to be opened.
std::vector<std::string> PathsOf(const std::vector<Input>& inputs);

// Nothing replaces, or is appended to, a file of `open`, by whatever name. Error: usage.
Result<void> CheckNotOpen(const std::string& out, const std::vector<std::string>& open);

// Nor any other profile unless that is asked for: it is worth more than a timeline that is made of
// it in a second. Error: usage.
Result<void> CheckNoProfile(const std::string& out);

// Both; the second unless `overwrite`.
Result<void> CheckTarget(const std::string& out, const std::vector<std::string>& open,
                         bool overwrite);

}  // namespace tfprof
