// SPDX-License-Identifier: Apache-2.0
// The spools of a capture folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tfprof::capture {

// By name.
std::vector<std::filesystem::path> SpoolsIn(const std::filesystem::path& folder);

// Whether the process that writes it lives.
bool IsRunning(const std::string& spool);

}  // namespace tfprof::capture
