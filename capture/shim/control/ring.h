// SPDX-License-Identifier: Apache-2.0
// What is kept of a long run (--ring). Events go to segments, files beside the spool, of which the
// last two exist; what names and adds up, such as definitions and memory, goes to the spool. A new
// segment begins with a new window, so that each thread writes the ranges that it is in. Only the
// writer calls these.
#pragma once

#include <cstdint>

#include "capture/shim/spool_file.h"

namespace tfprof::capture {

struct ThreadLog;

// Begins the first segment if the options ask for a ring. Returns 0 or an errno.
int StartRing(const SpoolFile& spool);
// Begins another segment when the present one is long enough. In a pause it never is.
int TurnRing(const SpoolFile& spool);
int FlushRing();
void ForgetRing();

// Adds records, each to the file that it belongs to. `log`: of the thread; null: of none.
void AddRecords(SpoolFile* spool, ThreadLog* log, const void* records, uint32_t bytes);

struct RingSize {
  uint64_t records = 0;  // all that were written
  uint64_t bytes = 0;    // of the present segment
};
RingSize SizeOfRing();

}  // namespace tfprof::capture
