// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/writers/manifest.h"

namespace tfprof::capture {

struct Converted {
  std::vector<CapturedProcess> processes;
  int error = 0;  // errno of what could not be written
  std::string failed_path;
};

struct ConvertOptions {
  bool keep = false;                       // the spools
  std::vector<std::string> scope_domains;  // further domains of NVTX whose ranges are scopes
  uint32_t export_steps = 0;               // also write so many steps as files of TensorFlow 1
};

// Makes traces of all spools of a capture folder, and manifest.json. The spools are removed when
// all traces are written and no process runs any more, unless they are to be kept.
Converted ConvertFolder(const std::string& folder, const ConvertOptions& options, int exit_status);

// `tfprof-capture convert DIR`; returns the status to exit with.
int RunConvert(const std::string& folder, const ConvertOptions& options);

// One line about what was captured, and one per loss or error, on standard error.
void PrintSummary(const std::string& folder, const Converted& converted);

}  // namespace tfprof::capture
