// SPDX-License-Identifier: Apache-2.0
// Stacks of calls as small numbers: each is described in the spool once.
#pragma once

#include <cstdint>

#include "capture/shim/python/layout.h"

namespace tfprof::capture {

struct ThreadLog;

struct FrameFacts {
  uint32_t file = 0;  // IDs of names
  uint32_t function = 0;
  uint32_t line = 0;
  uint32_t first_line = 0;  // of the function
};
using DescribeFrame = FrameFacts (*)(const RawFrame& frame);

// The ID of a stack; 0: it has no frames, or there are too many different ones. Costs a hash if the
// stack is known; else its new frames are described, and both are recorded.
uint32_t InternStack(const RawStack& stack, DescribeFrame describe);

// What the writer takes descriptions from, like those of a thread.
ThreadLog* StackDefinitions();

// Stacks that got no ID.
uint64_t StacksBeyondCap();

// In a child after fork.
void ForgetStacks();

}  // namespace tfprof::capture
