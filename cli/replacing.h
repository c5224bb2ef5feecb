// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/result.h"
#include "core/store.h"

namespace tfprof {

// What is written must not cost a file that is worth more.

// Every file that the store came from, and those that it still reads when it is asked for values.
std::vector<std::string> OpenFiles(const Store& store);

// Nothing replaces, or is appended to, a file of `open`, by whatever name. Error: usage.
Result<void> CheckNotOpen(const std::string& out, const std::vector<std::string>& open);

// Nor any other profile unless that is asked for: it is worth more than a timeline that is made of
// it in a second. Error: usage.
Result<void> CheckNoProfile(const std::string& out);

}  // namespace tfprof
