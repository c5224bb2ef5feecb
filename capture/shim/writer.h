// SPDX-License-Identifier: Apache-2.0
// The thread that takes what all others recorded and writes it to the spool.
#pragma once

#include <cstdint>
#include <string_view>

namespace tfprof::capture {

// Creates the spool and starts the thread. Returns 0 or an errno; `what` is the step that failed.
int StartWriter(const char** what);

// Leaves a spool that says only who this process is, and by which option it is not recorded.
void WriteSkipped(const char* option);

// A fact about the process, "cupti.version": written to the spool at the next round. Any thread.
void AddFact(const char* key, std::string_view value);

// Writes all that is recorded and ends the thread; waits 2 s at most.
void FinishWriter();

// Makes the thread start a round soon.
void WakeWriter();

// In a child after fork: there is no thread.
void ForgetWriter();

}  // namespace tfprof::capture
