// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "capture/writers/manifest.h"

namespace tfprof::capture {

struct Converted {
  std::vector<CapturedProcess> processes;
  int error = 0;  // errno of what could not be written
  std::string failed_path;
};

// Makes traces of all spools of a capture folder, and manifest.json. A spool is removed when its
// trace is written, unless `keep` is set or its process still runs.
Converted ConvertFolder(const std::string& folder, bool keep, int exit_status);

// `tfprof-capture convert DIR`; returns the status to exit with.
int RunConvert(const std::string& folder, bool keep);

// One line about what was captured, and one per loss or error, on standard error.
void PrintSummary(const std::string& folder, const Converted& converted);

}  // namespace tfprof::capture
