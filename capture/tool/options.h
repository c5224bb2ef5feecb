// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/tool/convert.h"

namespace tfprof::capture {

struct CaptureOptions {
  std::string folder;            // empty: named by the time
  std::string recorder_options;  // for the environment: "api,max-mem=64M"
  ConvertOptions convert;
  bool overwrite = false;
  bool quiet = false;
  std::vector<std::string> command;
};

// Parses what stands before "--" or the first word that is no option, and the command behind it.
// Returns false and a sentence if an option is wrong.
bool ParseCapture(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error);

// Parses the number of an option; returns false if it is none.
bool ParseCount(const std::string& text, uint32_t* count);

}  // namespace tfprof::capture
