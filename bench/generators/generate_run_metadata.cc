// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "bench/generators/execution.h"
#include "bench/generators/generate.h"
#include "core/base/wire_writer.h"

namespace tfprof {
namespace {

// The lists that a step has, one per device; field numbers are those of proto/step_stats.proto.
enum class List { gpu, cpu, all_streams, one_stream };
constexpr std::array<std::string_view, 4> kDevices = {kGpu, kCpu, kAllStreams, kOneStream};

struct StepWriter {
  WireWriter& out;
  int64_t nodes;
  int64_t step;
  Generated& generated;
  std::string name;  // of the current node
};

void WriteTimes(WireWriter& out, int64_t start_us, const Execution& run) {
  out.Int(2, start_us);
  out.Int(3, 1);
  out.Int(4, run.duration_us);
  out.Int(5, run.duration_us + 1);
}

void WriteNanos(WireWriter& out, int64_t start_us, const Execution& run) {
  out.Int(13, start_us * 1000 + 345);
  out.Int(14, 1'234);
  out.Int(15, run.duration_us * 1000 + 567);
  out.Int(16, run.duration_us * 1000 + 1'789);
  out.Int(17, (start_us - run.waited_us) * 1000 + 12);
}

void WriteAllocator(WireWriter& out, int64_t node, const Execution& run, std::string_view name) {
  const int64_t bytes = TensorOfModel(node).bytes();
  out.Message(6, [&] {
    out.Bytes(1, name);
    out.Int(2, bytes * 2);
    out.Int(3, bytes * 2);
    out.Int(4, bytes);
    out.Int(5, 3'000'000'000 + node * 256);
    out.Message(6, [&] {
      out.Int(1, run.start_us);
      out.Int(2, bytes);
    });
  });
}

void WriteOutput(WireWriter& out, int64_t node, std::string_view allocator) {
  const TensorSize tensor = TensorOfModel(node);
  out.Message(7, [&] {
    out.Message(3, [&] {
      out.Int(1, 1);  // DT_FLOAT
      out.Message(2, [&] {
        out.Message(2, [&] { out.Int(1, tensor.rows); });
        out.Message(2, [&] { out.Int(1, tensor.columns); });
      });
      out.Message(4, [&] {
        out.Int(1, tensor.bytes());
        out.Int(2, tensor.bytes() + 192);
        out.Bytes(3, allocator);
        out.Int(4, node);
        out.Int(5, 1);
        out.Int(6, 0x7F0000000000 + node * 256);
      });
    });
  });
}

void WriteNodeMemory(WireWriter& out, int64_t node, const Execution& run, bool on_gpu) {
  const std::string_view allocator = on_gpu ? "GPU_0_bfc" : "cpu";
  WriteAllocator(out, node, run, allocator);
  WriteOutput(out, node, allocator);
}

// "name = MatMul(first input)", as the runtime writes it.
std::string TimelineLabel(const std::string& name, const ModelNode& node) {
  std::string label = name + " = " + std::string(node.type) + "(";
  if (node.inputs[0] != kNoNode) AppendNodeName(node.inputs[0], &label);
  return label + ")";
}

void WriteExecutorRecord(StepWriter& step, int64_t index, const ModelNode& node,
                         const Execution& run) {
  WireWriter& out = step.out;
  out.Message(2, [&] {
    out.Bytes(1, step.name);
    WriteTimes(out, run.start_us, run);
    if (run.has_memory) WriteNodeMemory(out, index, run, node.on_gpu);
    if (index % 2 == 0) out.Bytes(8, TimelineLabel(step.name, node));
    out.Int(9, run.start_us - run.waited_us);
    out.Int(10, 1 + index % 24);
    if (run.has_memory) {
      out.Message(12, [&] { out.Int(1, TensorOfModel(index).bytes()); });
      ++step.generated.memory_records;
    }
    WriteNanos(out, run.start_us, run);
  });
}

void WriteStreamRecord(StepWriter& step, const ModelNode& node, const Execution& run) {
  WireWriter& out = step.out;
  out.Message(2, [&] {
    out.Bytes(1, step.name + ":" + std::string(node.type));
    WriteTimes(out, run.kernel_start_us(), run);
    out.Bytes(8, "edge_10_grid_64x8x1_block_256x1x1");
    out.Int(9, run.kernel_start_us() - run.waited_us);
    WriteNanos(out, run.kernel_start_us(), run);
  });
}

// Whether the list holds a record of the node.
bool Holds(List list, const ModelNode& node) {
  switch (list) {
    case List::gpu:
      return node.on_gpu;
    case List::cpu:
      return !node.on_gpu;
    default:
      return node.has_kernel;
  }
}

void WriteList(StepWriter& step, List list) {
  step.out.Bytes(1, kDevices[static_cast<size_t>(list)]);
  for (int64_t k = 0; k < step.nodes; ++k) {
    const int64_t index = CompletionOrder(k, step.nodes, static_cast<uint64_t>(step.step));
    const ModelNode node = NodeOfModel(index);
    if (!Holds(list, node)) continue;
    step.name.clear();
    AppendNodeName(index, &step.name);
    const Execution run = ExecutionOf(index, k, step.nodes, step.step);
    if (list == List::gpu || list == List::cpu) {
      WriteExecutorRecord(step, index, node, run);
    } else {
      WriteStreamRecord(step, node, run);
    }
    ++step.generated.records;
  }
}

void WriteStep(StepWriter& step) {
  step.out.Message(1, [&] {
    for (size_t list = 0; list < kDevices.size(); ++list) {
      step.out.Message(1, [&] { WriteList(step, static_cast<List>(list)); });
    }
  });
}

}  // namespace

Result<Generated> WriteRunMetadata(const ModelSize& size, int64_t first_step, Sink& sink) {
  Generated generated{.nodes = size.nodes};
  WireWriter out(&sink.buffer);
  for (int64_t s = first_step; s < first_step + size.steps; ++s) {
    StepWriter step{out, size.nodes, s, generated, {}};
    WriteStep(step);
    TFPROF_TRY(sink.MaybeFlush());
  }
  TFPROF_TRY(sink.Flush());
  return generated;
}

}  // namespace tfprof
