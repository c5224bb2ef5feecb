// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/result.h"
#include "core/base/sink.h"

// Generates inputs of any size for benchmarks: equal arguments give equal bytes. All inputs
// describe the model in bench/generators/model.h, so that files of one size match. Memory use is
// small if the format allows it: a step of RunMetadata is built in memory, since its lengths
// precede it.

namespace tfprof {

struct ModelSize {
  int64_t nodes = 25'000;
  int64_t steps = 10;
};

// The contents of a generated file, for checks.
struct Generated {
  int64_t nodes = 0;
  int64_t records = 0;  // executions with a time
  int64_t memory_records = 0;
};

// GraphDef: attributes, 0 to 3 inputs, some control inputs.
Result<Generated> WriteGraph(int64_t nodes, Sink& sink);

// OpLogProto: a python stack for each node, flops of products, the type of variables.
Result<Generated> WriteOpLog(int64_t nodes, Sink& sink);

// RunMetadata of the steps [first_step, first_step + size.steps). Several steps are concatenated in
// one file; protobuf reads them as one message whose nodes ran several times. Each node has a
// record of its executor with memory and outputs (except variables); a fifth of the nodes also have
// one on stream:all and one on a stream.
Result<Generated> WriteRunMetadata(const ModelSize& size, int64_t first_step, Sink& sink);

// ProfileProto: nodes in the random order of a hash map; per step, the executions of the same
// model.
Result<Generated> WriteProfile(const ModelSize& size, Sink& sink);

// XSpace of a host with 100 threads and eight GPUs with 20 streams each: about nodes * steps
// events, with two to ten attributes each. Threads mark steps, run iterators and operations, and
// allocate; streams run kernels and copies. Events of a line follow each other, so the time span
// grows with their number.
Result<Generated> WriteXSpace(const ModelSize& size, Sink& sink);

}  // namespace tfprof
