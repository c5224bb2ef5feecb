// SPDX-License-Identifier: Apache-2.0
// Raw records of CUPTI to plain data. Pure functions over bytes: tests and the fuzz target need no
// CUPTI.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/abi/cupti.h"

namespace tfprof::capture {

// What a record says, whatever its version. The fields that a kind lacks are as here.
struct Activity {
  cupti::Kind kind = cupti::Kind::none;
  uint64_t start = 0;  // of an allocation: when
  uint64_t end = 0;
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t correlation = 0;
  uint32_t graph = 0;
  uint64_t graph_node = 0;
  uint64_t bytes = 0;
  uint64_t address = 0;
  const char* name = nullptr;  // in the memory of CUPTI
  // kernel
  uint32_t registers = 0;
  int32_t grid[3] = {};
  int32_t block[3] = {};
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_bytes = 0;
  uint32_t local_bytes = 0;
  // copy, fill, memory
  uint8_t copy_kind = 0;
  uint8_t from = 0;  // or the only kind of memory
  uint8_t to = 0;
  bool is_async = false;
  bool is_release = false;
  bool is_pooled = false;
  uint32_t to_device = UINT32_MAX;
  uint32_t value = 0;
  uint64_t pool_bytes = 0;
  // wait, overhead, API
  uint32_t type = 0;  // of the wait or overhead; callback ID of an API call
  uint32_t event = 0;
  uint32_t thread = 0;
  uint32_t object_kind = 0;
  uint32_t result = 0;
  // device
  uint64_t memory_bytes = 0;
  uint64_t memory_kilobytes_per_s = 0;
  uint32_t clock_khz = 0;
  uint32_t multiprocessors = 0;
  uint32_t capability_major = 0;
  uint32_t capability_minor = 0;
};

enum class Decoded : uint8_t { activity, unknown_kind, too_short };

// `bytes` are readable from the record on: it may be shorter, as buffers end with their last
// record.
Decoded DecodeActivity(const uint8_t* record, size_t bytes, Activity* activity);

}  // namespace tfprof::capture
