// SPDX-License-Identifier: Apache-2.0
// The Python code that the main thread is in, every 5 ms: a thread of ours takes the GIL for some
// microseconds and reads the frames of the other.
//
// With the GIL those do not change, whether the main thread runs Python code or waits in C. A
// signal would interrupt system calls of the program, and might come while a frame is half made. A
// call that the interpreter is asked for (Py_AddPendingCall) says nothing while the thread waits,
// and before 3.13 comes late to one that never gives up the GIL.
#pragma once

#include <cstdint>

#include "capture/shim/python/api.h"

namespace tfprof::capture {

// Call it on the main thread, with the GIL. `api` must last. Returns false if there is no thread.
bool StartSamples(const PythonApi& api, uint32_t (*main_stack_id)());
// Call it with the GIL, which is given up meanwhile. Returns when the thread has ended, or after so
// long.
void EndSamples(const PythonApi& api, uint64_t longest_ns);
// In a child after fork, which has no such thread.
void ForgetSamples();

}  // namespace tfprof::capture
