// SPDX-License-Identifier: Apache-2.0
// manifest.json: what was captured, what was not, and why.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/writers/trace_counts.h"

namespace tfprof::capture {

struct CapturedProcess {
  std::string spool;  // file names, relative to the folder
  std::string trace;  // empty: nothing was recorded that could be in one
  std::vector<std::string> exports;
  std::string error;  // why there is no trace; empty: none
  bool is_running = false;
  bool is_part = false;  // what was recorded first is not in the trace
  uint64_t events = 0;
  Definitions definitions;
  TraceCounts counts;
};

// What was dropped, as sentences: for the manifest, the trace's warnings and the launcher.
std::vector<std::string> LossesOf(const CapturedProcess& process);

// `exit_status`: of the command; below 0: it was not run here. `last_ns`: what was asked for of the
// end; 0: all.
std::string ManifestJson(const std::vector<const CapturedProcess*>& processes, int exit_status,
                         uint64_t last_ns);

}  // namespace tfprof::capture
