// SPDX-License-Identifier: Apache-2.0
// The ranges that a thread is in. In a window each push and pop is a record. In a pause they only
// change what the thread remembers, which costs no clock and no memory; when the thread does
// something in a new window, it writes the ranges that it is in, as `resume` and `reopen`. So what
// is inside of a range that began in a pause still has its path, and a range whose end is in a
// pause ends with its window.
#pragma once

#include <cstdint>

#include "capture/shim/chunks.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/names.h"

namespace tfprof::capture {

// Writes what the thread is in, for the latest window. Call it by EnterWindow.
void Resume(ThreadLog* log, uint32_t window);

// The gate's state, after the thread's ranges are known in the latest window. That window may be
// over: the thread did nothing in it, but was in ranges.
inline uint32_t EnterWindow(ThreadLog* log) {
  const uint32_t state = GateState();
  if (log->window != WindowOf(state)) Resume(log, WindowOf(state));
  return state;
}

// Each sets the time of the record. `name` may be null.
// Returns how many ranges of the domain the thread was in.
int PushRange(ThreadLog* log, PushPayloadRecord* push, const NameEntry* name);
// Likewise, after the pop; -1: it was in none.
int PopRange(ThreadLog* log, uint16_t domain);
// Ranges that end anywhere. Returns what EndRange takes, never 0.
uint64_t StartRange(ThreadLog* log, PushPayloadRecord* start, const NameEntry* name);
void EndRange(ThreadLog* log, uint64_t range);
void MarkInstant(ThreadLog* log, PushPayloadRecord* mark);

}  // namespace tfprof::capture
