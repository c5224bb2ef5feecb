// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/tool/spool_conversion.h"

namespace tfprof::capture {

struct CaptureOptions {
  std::string folder;            // empty: named by the time
  std::string recorder_options;  // for the environment: "api,max-mem=64M"
  ConvertOptions convert;
  bool preload_exit = false;
  bool torch_nvtx = false;
  bool overwrite = false;
  bool quiet = false;
  std::string action;  // of `ctl`
  std::vector<std::string> command;
};

// Parses what stands before "--" or the first word that is no option, and the command behind it.
// Returns false and a sentence if an option is wrong.
bool ParseCapture(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error);

// Parses what follows `convert`: a folder, and those options that say what is made of spools.
bool ParseConvert(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error);

// Parses what follows `ctl`: a folder, an action, and for a snapshot the options of `convert`.
bool ParseControl(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error);

}  // namespace tfprof::capture
