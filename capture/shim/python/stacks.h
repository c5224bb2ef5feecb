// SPDX-License-Identifier: Apache-2.0
// The Python calls that a thread is in: when it calls CUDA (--python-stacks), read without the GIL,
// since waiting for it in a callback could wait for ever; and what the main thread is in all the
// time (--python-samples, shim/python/samples.h).
#pragma once

#include <atomic>
#include <cstdint>

namespace tfprof::capture {

// Whether calls of CUDA have stacks.
extern std::atomic<bool> g_reads_python_stacks;
inline bool ReadsPythonStacks() { return g_reads_python_stacks.load(std::memory_order_relaxed); }

// Asks the interpreter of this process, once it has one, to be called back: what is read of stacks
// is compared with what it says itself. Stacks are read if both agree, and until the interpreter
// ends. Does nothing if no option needs stacks, or if it was called before. Returns false if the
// process has no interpreter yet.
bool StartPython();

// The ID of the calling thread's stack; 0: it is in no Python code, or stacks are not read.
uint32_t PythonStackId();

// In a child after fork: CUDA cannot be used there.
void ForgetPython();

}  // namespace tfprof::capture
