// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/query/query.h"

namespace tfprof {

// Returns the GPUs of this machine, and the processes that use them now, as the driver's library
// says. Empty: there is no such library, or it fails. It is opened at run time; TFPROF_NVML_LIB
// names another one.
std::vector<GpuNow> GpusNow();

}  // namespace tfprof
