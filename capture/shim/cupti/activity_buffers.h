// SPDX-License-Identifier: Apache-2.0
// The buffers that CUPTI fills. It takes them on the program's threads, so they are zeroed
// beforehand, and handing one out is a few instructions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/shim/cupti/activities.h"

namespace tfprof::capture {

// From CUDA 13 on each thread of the program has an open buffer, so they are small and many.
inline constexpr size_t kActivityBufferBytes = 1 << 20;

// Lies in front of the bytes.
struct ActivityBuffer {
  ActivityBuffer* next = nullptr;
  size_t valid_bytes = 0;

  uint8_t* bytes();
};

// What CUPTI calls. Over the cap, records go to a buffer that nobody reads: CUPTI before 12.9
// crashes without one.
void RequestBuffer(uint8_t** buffer, size_t* bytes, size_t* most_records);
void CompleteBuffer(void* context, uint32_t stream, uint8_t* buffer, size_t bytes,
                    size_t valid_bytes);

// Zeroes what was filled, so that it can be handed out again.
void ReuseBuffer(ActivityBuffer* buffer);

uint64_t DiscardedBytes();
void ForgetBuffers();

}  // namespace tfprof::capture
