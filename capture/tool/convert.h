// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "capture/tool/spool_conversion.h"
#include "capture/writers/manifest.h"

namespace tfprof::capture {

struct Converted {
  std::vector<const CapturedProcess*> processes;  // of the conversion
  int error = 0;                                  // errno of what could not be written
  std::string failed_path;
};

// Makes traces of all spools of a capture folder, and manifest.json; again whenever it is wanted.
class FolderConversion {
 public:
  FolderConversion(std::string folder, ConvertOptions options);

  // The spools are removed when all traces are written and no process runs any more, unless they
  // are to be kept. `exit_status`: of the command; below 0: it was not run here.
  Converted Convert(int exit_status);

 private:
  uint64_t Read(const std::vector<std::filesystem::path>& spools);

  std::string folder_;
  ConvertOptions options_;
  std::map<std::filesystem::path, SpoolConversion> conversions_;
  std::set<std::string> taken_;  // names of traces
};

// `tfprof-capture convert DIR`; returns the status to exit with.
int RunConvert(const std::string& folder, const ConvertOptions& options);

// One line about what was captured, and one per loss or error, on standard error.
void PrintSummary(const std::string& folder, const Converted& converted);

}  // namespace tfprof::capture
