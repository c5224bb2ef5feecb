// SPDX-License-Identifier: Apache-2.0
// The tool that NVTX, which is compiled into programs and libraries, calls.
#pragma once

#include "capture/abi/nvtx.h"

namespace tfprof::capture {

class SpoolFile;

// Puts our functions into the tables of one copy of NVTX: each binary may have its own. Returns
// false if the copy has none.
bool AttachNvtx(nvtx::GetExportTable get_table);

// Phase 1 of the writer's round, and 2: the domains that exist by then.
void MarkDomains();
void WriteDomains(SpoolFile* spool);

// In a child after fork: handles stay valid, and domains are written to the new spool.
void ForgetDomains();

}  // namespace tfprof::capture
