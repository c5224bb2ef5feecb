// SPDX-License-Identifier: Apache-2.0
// The recorder of this process: what it is doing, and how it starts and ends.
#pragma once

#include <pthread.h>

#include <atomic>
#include <cstdint>

#include "capture/shim/config.h"

namespace tfprof::capture {

// off: not started, as in a child after fork. dormant: it failed or ended, and stays so.
enum class Mode : int { off, on, dormant };

struct Recorder {
  std::atomic<Mode> mode{Mode::off};
  // Counts forks, so that a child drops what it has of its parent's threads.
  std::atomic<uint32_t> generation{1};
  Config config;
};
extern Recorder g_recorder;

// Returns true if records are taken, and starts the recorder if it is off. Any thread may call it.
bool StartRecording();
inline bool IsRecording() {
  const Mode mode = g_recorder.mode.load(std::memory_order_acquire);
  return mode == Mode::on || (mode == Mode::off && StartRecording());
}

// Starts a thread of the recorder, which runs until the process ends or `run` returns. Returns 0 or
// an errno.
int StartOwnThread(void* (*run)(void*), const char* name);

// Ends recording for good and prints one line: what happened and what to do about it.
void StopRecording(const char* what, const char* fix);

// One line on standard error, "tfprof-capture: ...", unless `quiet` is set. The program's own
// output is not touched, and nothing is allocated.
void Say(const char* what, const char* fix);

// For the end of the process, which must not wait for ever. Returns false after so long.
bool LockInTime(pthread_mutex_t* lock, uint64_t ns);

uint64_t WallTime();       // ns, CLOCK_REALTIME
uint64_t MonotonicTime();  // ns

}  // namespace tfprof::capture
