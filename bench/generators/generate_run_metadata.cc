// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "bench/generators/execution.h"
#include "bench/generators/generate.h"
#include "core/base/wire_writer.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"
#include "proto/tensor_shape_fields.h"

namespace tfprof {
namespace {

// The lists of a step, one per device.
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
  out.Int(field::NodeExecStats::all_start_micros, start_us);
  out.Int(field::NodeExecStats::op_start_rel_micros, 1);
  out.Int(field::NodeExecStats::op_end_rel_micros, run.duration_us);
  out.Int(field::NodeExecStats::all_end_rel_micros, run.duration_us + 1);
}

void WriteNanos(WireWriter& out, int64_t start_us, const Execution& run) {
  out.Int(field::NodeExecStats::all_start_nanos, start_us * 1000 + 345);
  out.Int(field::NodeExecStats::op_start_rel_nanos, 1'234);
  out.Int(field::NodeExecStats::op_end_rel_nanos, run.duration_us * 1000 + 567);
  out.Int(field::NodeExecStats::all_end_rel_nanos, run.duration_us * 1000 + 1'789);
  out.Int(field::NodeExecStats::scheduled_nanos, (start_us - run.waited_us) * 1000 + 12);
}

void WriteAllocator(WireWriter& out, int64_t node, const Execution& run, std::string_view name) {
  const int64_t bytes = TensorOfModel(node).bytes();
  out.Message(field::NodeExecStats::memory, [&] {
    out.Bytes(field::AllocatorMemoryUsed::allocator_name, name);
    out.Int(field::AllocatorMemoryUsed::total_bytes, bytes * 2);
    out.Int(field::AllocatorMemoryUsed::peak_bytes, bytes * 2);
    out.Int(field::AllocatorMemoryUsed::live_bytes, bytes);
    out.Int(field::AllocatorMemoryUsed::allocator_bytes_in_use, 3'000'000'000 + node * 256);
    out.Message(field::AllocatorMemoryUsed::allocation_records, [&] {
      out.Int(field::AllocationRecord::alloc_micros, run.start_us);
      out.Int(field::AllocationRecord::alloc_bytes, bytes);
    });
  });
}

void WriteOutput(WireWriter& out, int64_t node, std::string_view allocator) {
  const TensorSize tensor = TensorOfModel(node);
  out.Message(field::NodeExecStats::output, [&] {
    out.Message(field::NodeOutput::tensor_description, [&] {
      out.Int(field::TensorDescription::dtype, 1);  // DT_FLOAT
      out.Message(field::TensorDescription::shape, [&] {
        out.Message(field::TensorShapeProto::dim,
                    [&] { out.Int(field::TensorShapeProto_Dim::size, tensor.rows); });
        out.Message(field::TensorShapeProto::dim,
                    [&] { out.Int(field::TensorShapeProto_Dim::size, tensor.columns); });
      });
      out.Message(field::TensorDescription::allocation_description, [&] {
        out.Int(field::AllocationDescription::requested_bytes, tensor.bytes());
        out.Int(field::AllocationDescription::allocated_bytes, tensor.bytes() + 192);
        out.Bytes(field::AllocationDescription::allocator_name, allocator);
        out.Int(field::AllocationDescription::allocation_id, node);
        out.Int(field::AllocationDescription::has_single_reference, 1);
        out.Int(field::AllocationDescription::ptr, 0x7F0000000000 + node * 256);
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
  out.Message(field::DeviceStepStats::node_stats, [&] {
    out.Bytes(field::NodeExecStats::node_name, step.name);
    WriteTimes(out, run.start_us, run);
    if (run.has_memory) WriteNodeMemory(out, index, run, node.on_gpu);
    if (index % 2 == 0)
      out.Bytes(field::NodeExecStats::timeline_label, TimelineLabel(step.name, node));
    out.Int(field::NodeExecStats::scheduled_micros, run.start_us - run.waited_us);
    out.Int(field::NodeExecStats::thread_id, 1 + index % 24);
    if (run.has_memory) {
      out.Message(field::NodeExecStats::memory_stats, [&] {
        out.Int(field::MemoryStats::temp_memory_size, TensorOfModel(index).bytes());
      });
      ++step.generated.memory_records;
    }
    WriteNanos(out, run.start_us, run);
  });
}

void WriteStreamRecord(StepWriter& step, const ModelNode& node, const Execution& run) {
  WireWriter& out = step.out;
  out.Message(field::DeviceStepStats::node_stats, [&] {
    out.Bytes(field::NodeExecStats::node_name, step.name + ":" + std::string(node.type));
    WriteTimes(out, run.kernel_start_us(), run);
    out.Bytes(field::NodeExecStats::timeline_label, "edge_10_grid_64x8x1_block_256x1x1");
    out.Int(field::NodeExecStats::scheduled_micros, run.kernel_start_us() - run.waited_us);
    WriteNanos(out, run.kernel_start_us(), run);
  });
}

// Returns true if the list has a record of the node.
bool Holds(List list, const ModelNode& node) {
  switch (list) {
    case List::gpu: return node.on_gpu;
    case List::cpu: return !node.on_gpu;
    default: return node.has_kernel;
  }
}

void WriteList(StepWriter& step, List list) {
  step.out.Bytes(field::DeviceStepStats::device, kDevices[static_cast<size_t>(list)]);
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
  step.out.Message(field::RunMetadata::step_stats, [&] {
    for (size_t list = 0; list < kDevices.size(); ++list) {
      step.out.Message(field::StepStats::dev_stats,
                       [&] { WriteList(step, static_cast<List>(list)); });
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
