// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval_set.h"
#include "analysis/wall/loop/driving_thread.h"
#include "core/store/store.h"

namespace tfprof {

// What the thread that drives the steps does, the more special before the more general: of a cause
// within another one, the special one counts.
enum class HostCause : uint8_t {
  compile,
  tracing,    // builds the graph of a function again
  collector,  // of Python's garbage
  checkpoint,
  queue,          // waits for another thread to put something in
  lock,           // waits for a lock that another thread holds
  input,          // waits for the next element of the input pipeline
  iterator,       // creates an iterator of an input pipeline
  device_memory,  // gets memory from the device's driver, or returns it
  host_op,        // runs a long operation itself, which launches nothing on devices
  python,         // runs a function of the program
  copies,         // between host and devices
  eager,          // starts operations one by one
  eager_run,      // runs such an operation
  waits,          // for a result
  launch,         // starts a program or function
  region,         // a region that the program named
  library,        // Python code of a library that no function of the program called
  unrecorded,     // nothing was recorded
};

// True for calls of the device's runtime that wait for its work.
bool WaitsForDevice(EventRole role);

struct HostSegment {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  HostCause cause = HostCause::unrecorded;
  uint32_t named_by = kNoRow;  // the event with the name
  // python: the function that it calls; none: its own code. input: the function of the program that
  // makes the element.
  uint32_t callee = kNoRow;
  uint32_t leaf = kNoRow;  // python, input: the innermost call
};

// Returns what the thread does in its recorded time, in order of start. Neighbors with equal causes
// are merged; time without events has no segment. `fetching`: the time in which the input pipeline
// works for the program on another thread.
std::vector<HostSegment> SegmentsOf(const Store& store, const DrivingThread& thread,
                                    Intervals fetching);

}  // namespace tfprof
