// SPDX-License-Identifier: Apache-2.0
// The Python calls that a thread is in when it calls CUDA, read without the GIL:
// waiting for it in a callback could wait for ever.
#pragma once

#include <atomic>
#include <cstdint>

namespace tfprof::capture {

extern std::atomic<bool> g_reads_python_stacks;
inline bool ReadsPythonStacks() { return g_reads_python_stacks.load(std::memory_order_relaxed); }

// Asks the interpreter of this process to be called back: what is read of stacks is compared with
// what it says itself, once. Stacks are read if both agree, and until the interpreter ends.
void StartPythonStacks();

// The ID of the calling thread's stack; 0: it is in no Python code, or stacks are not read.
uint32_t PythonStackId();

// In a child after fork: CUDA cannot be used there.
void ForgetPythonStacks();

}  // namespace tfprof::capture
