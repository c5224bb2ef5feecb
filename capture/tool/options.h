// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tfprof::capture {

struct CaptureOptions {
  std::string folder;            // empty: named by the time
  std::string recorder_options;  // for the environment: "api,max-mem=64M"
  bool keep = false;
  bool overwrite = false;
  bool quiet = false;
  std::vector<std::string> command;
};

// Parses what stands before "--" or the first word that is no option, and the command behind it.
// Returns false and a sentence if an option is wrong.
bool ParseCapture(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error);

}  // namespace tfprof::capture
