// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capture/shim/spool_file.h"

namespace tfprof::capture {

// What the converter needs to know of the process: who it is, where it runs, which rank it has.
void WriteProcessFacts(SpoolFile* spool);

// The rank that a launcher gave the process, and the variable that says it; null: none.
const char* RankOfProcess(const char** variable);

}  // namespace tfprof::capture
