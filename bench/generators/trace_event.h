// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "bench/generators/generate.h"
#include "core/base/wire_writer.h"

// The contents of the lines of a synthetic XSpace. Names and attributes are numbered from 1 per
// plane.

namespace tfprof::trace {

// Host threads and eight GPUs with 20 streams each.
constexpr int64_t kThreads = 100;
constexpr int64_t kGpus = 8;
constexpr int64_t kStreams = 20;
constexpr int64_t kLines = kThreads + kGpus * kStreams;

enum class LineKind { markers, iterators, allocations, operations, kernels, copies };
LineKind KindOfLine(int64_t line);

int64_t NamesOf(const ModelSize& size);  // of the model; kMoreNames follow them
int64_t EventsOf(const ModelSize& size, int64_t line);

constexpr int64_t kLaunches = 64;  // distinct launch parameters: the first texts
constexpr std::string_view kTexts[] = {"GPU_0_bfc", "output", "size:1048576 dest:4 async:0"};
constexpr std::string_view kMoreNames[] = {"train",
                                           "Iterator::Root",
                                           "Iterator::Root::Prefetch",
                                           "MemoryAllocation",
                                           "MemoryDeallocation",
                                           "MemcpyH2D"};
constexpr std::string_view kKeyNames[] = {"tf_op",
                                          "group_id",
                                          "correlation_id",
                                          "kernel_details",
                                          "context_id",
                                          "_r",
                                          "step_num",
                                          "id",
                                          "parent_id",
                                          "allocator_name",
                                          "bytes_reserved",
                                          "bytes_allocated",
                                          "bytes_available",
                                          "requested_bytes",
                                          "allocation_bytes",
                                          "addr",
                                          "region_type",
                                          "data_type",
                                          "memcpy_details"};

// Writes event `index` of a line at *at_ps, and moves *at_ps to the start of the next event.
void WriteEvent(const ModelSize& size, int64_t line, int64_t index, int64_t* at_ps,
                WireWriter& out);

}  // namespace tfprof::trace
