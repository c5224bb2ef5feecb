// SPDX-License-Identifier: Apache-2.0
// Device work, as CUPTI reports it.
#pragma once

#include <cstdint>

namespace tfprof::capture {

class SpoolFile;
struct ActivityBuffer;

// Loads CUPTI, subscribes and enables what the options select. If CUPTI refuses, all is undone, one
// line says why, and ranges of NVTX are recorded without it.
void StartActivities();

// Makes CUPTI return its buffers: those whose records are complete or, if forced, all.
void FlushActivities(bool is_forced);

// The buffers that CUPTI has returned since the last call, the oldest first; null: none.
ActivityBuffer* TakeCompletedBuffers();

// Writes the records of these buffers and reuses them. `write_definitions` writes the texts that
// records name; it is called before the records of each buffer.
void WriteActivities(ActivityBuffer* completed, SpoolFile* spool, void (*write_definitions)());

struct ActivityCounts {
  uint64_t discarded_bytes = 0;
  uint64_t dropped_by_cupti = 0;
  uint64_t unknown = 0;
};
ActivityCounts CountActivities();

// ns, by CUPTI's clock; 0: it is not used.
uint64_t CuptiTime();

// In a child after fork: CUDA cannot be used there.
void ForgetActivities();

}  // namespace tfprof::capture
