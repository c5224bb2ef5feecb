// SPDX-License-Identifier: Apache-2.0
// Calls of the CUDA API that start device work: each is recorded among the ranges of its thread,
// which is how the converter knows the range that device work belongs to.
#pragma once

#include <cstdint>

#include "capture/abi/cupti.h"

namespace tfprof::capture {

class SpoolFile;

// Subscribes to the calls that matter, which CUPTI finds by their names, and remembers these.
// Returns how many there are. With `all_names` the names of all calls are kept.
uint32_t EnableCalls(const cupti::Functions& functions, cupti::Subscriber subscriber,
                     bool all_names);

// CUPTI calls this on the thread of the program; at most 150 ns are spent here.
void OnCall(void* user, int domain, uint32_t callback, const void* data);

// Whether a call of this name is recorded: it starts device work, allocates, waits or loads a
// module.
bool IsRecorded(const char* name);

// Whether the call of this correlation began in a window, as far as the last million calls are
// remembered.
bool WasRecorded(uint32_t correlation);

// Writes the names that were not written yet.
void WriteCallNames(SpoolFile* spool);
void ForgetCalls();

}  // namespace tfprof::capture
