// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "bench/generators/execution.h"
#include "bench/generators/generate.h"
#include "bench/generators/model_fields.h"
#include "core/base/ascii.h"
#include "core/base/wire_writer.h"
#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

// This format has device names in lower case.
struct Devices {
  std::string gpu = LowerCase(kGpu);
  std::string cpu = LowerCase(kCpu);
  std::string all_streams = LowerCase(kAllStreams);
  std::string one_stream = LowerCase(kOneStream);
};

// map<string, ExecTime>: one device with one (start, duration) pair.
void WriteExecTime(WireWriter& out, FieldNumber field, std::string_view device, int64_t start_us,
                   int64_t duration_us) {
  out.Message(field, [&] {
    out.Bytes(field::ExecTimeEntry::key, device);
    out.Message(field::ExecTimeEntry::value, [&] {
      out.Message(field::ExecTime::times, [&] {
        out.Message(field::Tuple::int64_values, [&] {
          out.Varint(static_cast<uint64_t>(start_us));
          out.Varint(static_cast<uint64_t>(duration_us));
        });
      });
    });
  });
}

void WriteMemory(WireWriter& out, int64_t index, const Execution& run, bool on_gpu) {
  const int64_t bytes = TensorOfModel(index).bytes();
  out.Message(field::ExecProfile::memory_execs, [&] {
    out.Int(field::ExecMemory::memory_micros, run.start_us);
    out.Int(on_gpu ? field::ExecMemory::accelerator_temp_bytes : field::ExecMemory::host_temp_bytes,
            bytes);
    out.Int(field::ExecMemory::requested_bytes, bytes * 3);
    out.Int(field::ExecMemory::peak_bytes, bytes * 3);
    out.Int(field::ExecMemory::residual_bytes, bytes);
    out.Int(field::ExecMemory::output_bytes, bytes);
    out.Int(field::ExecMemory::allocator_bytes_in_use, 3'000'000'000 + index * 256);
    out.Message(field::ExecMemory::output_memory, [&] {
      out.IntIfPresent(MapEntryField::key, 0);
      out.Message(MapEntryField::value, [&] {
        out.Int(field::Memory::bytes, bytes + 192);
        out.Int(field::Memory::ptr, 0x7F0000000000 + index * 256);
      });
    });
  });
  for (const int64_t change : {bytes * 2, -bytes}) {
    out.Message(field::ExecProfile::allocations, [&] {
      out.Int(field::AllocationRecord::alloc_micros, run.start_us);
      out.Int(field::AllocationRecord::alloc_bytes, change);
    });
  }
}

void WriteExecProfile(WireWriter& out, const Devices& devices, const ModelNode& node, int64_t index,
                      const Execution& run) {
  const std::string& executor = node.on_gpu ? devices.gpu : devices.cpu;
  out.Int(field::ExecProfile::run_count, 1);
  out.Int(field::ExecProfile::all_start_micros, run.start_us);
  out.Int(field::ExecProfile::latest_end_micros,
          run.kernel_start_us() + (node.has_kernel ? run.duration_us : 0));
  if (node.has_kernel) {
    WriteExecTime(out, field::ExecProfile::accelerator_execs, devices.all_streams,
                  run.kernel_start_us(), run.duration_us);
    WriteExecTime(out, field::ExecProfile::accelerator_execs, devices.one_stream,
                  run.kernel_start_us(), run.duration_us);
  }
  WriteExecTime(out, field::ExecProfile::cpu_execs, executor, run.start_us, run.duration_us);
  out.Bytes(field::ExecProfile::devices, executor);
  if (node.has_kernel) {
    out.Bytes(field::ExecProfile::devices, devices.all_streams);
    out.Bytes(field::ExecProfile::devices, devices.one_stream);
  }
  if (run.has_memory) WriteMemory(out, index, run, node.on_gpu);
}

void WriteExecutions(WireWriter& out, const Devices& devices, const ModelNode& node, int64_t index,
                     const ModelSize& size, Generated* generated) {
  for (int64_t step = 0; step < size.steps; ++step) {
    const Execution run = ExecutionOf(index, index, size.nodes, step);
    out.Message(field::ProfileNode::execs, [&] {
      out.IntIfPresent(MapEntryField::key, step);
      out.Message(MapEntryField::value, [&] { WriteExecProfile(out, devices, node, index, run); });
    });
    generated->records += node.has_kernel ? 3 : 1;
    generated->memory_records += run.has_memory ? 1 : 0;
  }
}

// Node ids are their numbers in the model.
void WriteInputs(WireWriter& out, const ModelNode& node) {
  int64_t slot = 0;
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    out.Message(field::ProfileNode::inputs, [&] {
      out.IntIfPresent(MapEntryField::key, slot++);
      out.IntIfPresent(MapEntryField::value, input);
    });
  }
}

// The output slot of each input: the first one.
void WriteSourceSlots(WireWriter& out, const ModelNode& node) {
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    out.Message(field::ProfileNode::src_output_index, [&] {
      out.IntIfPresent(MapEntryField::key, input);
      out.IntIfPresent(MapEntryField::value, 0);
    });
  }
}

void WriteNode(WireWriter& out, const Devices& devices, int64_t index, const ModelSize& size,
               Generated* generated) {
  const ModelNode node = NodeOfModel(index);
  const TensorSize tensor = TensorOfModel(index);
  const std::string& executor = node.on_gpu ? devices.gpu : devices.cpu;
  out.Bytes(field::ProfileNode::name, NodeNameOfModel(index));
  WriteInputs(out, node);
  if (node.variable) {
    out.Message(field::ProfileNode::shape, [&] {
      out.Varint(static_cast<uint64_t>(tensor.rows));
      out.Varint(static_cast<uint64_t>(tensor.columns));
    });
    out.Bytes(field::ProfileNode::op_types, "_trainable_variables");
  }
  out.Bytes(field::ProfileNode::op_types, node.type);
  out.Bytes(field::ProfileNode::op_types, executor);
  out.Bytes(field::ProfileNode::canonical_device, executor);
  out.Int(field::ProfileNode::float_ops, FloatOpsOfModel(index));
  out.Bytes(field::ProfileNode::op, node.type);
  out.Message(field::ProfileNode::trace, [&] { WriteTrace(out, index); });
  WriteAttributes(out, field::ProfileNode::attrs, index);
  WriteExecutions(out, devices, node, index, size, generated);
  out.Int(field::ProfileNode::id, index);
  WriteSourceSlots(out, node);
  out.Message(field::ProfileNode::output_shapes, [&] {
    out.IntIfPresent(MapEntryField::key, 0);
    out.Message(MapEntryField::value, [&] {
      out.Message(field::Tuple::int64_values, [&] {
        out.Varint(static_cast<uint64_t>(tensor.rows));
        out.Varint(static_cast<uint64_t>(tensor.columns));
      });
    });
  });
}

// Real files are written in the order of a hash map: neighbors in the file are far apart in the
// graph.
std::vector<int64_t> HashOrder(int64_t nodes) {
  std::vector<int64_t> order(static_cast<size_t>(nodes));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[Mix(4, i) % i]);
  return order;
}

}  // namespace

// As protobuf writes it: fields in ascending order, map entries always with both fields.
Result<Generated> WriteProfile(const ModelSize& size, Sink& sink) {
  const Devices devices;
  Generated generated{.nodes = size.nodes};
  WireWriter out(&sink.buffer);
  for (const int64_t index : HashOrder(size.nodes)) {
    out.Message(field::ProfileProto::nodes, [&] {
      out.Int(MapEntryField::key, index);
      out.Message(MapEntryField::value, [&] { WriteNode(out, devices, index, size, &generated); });
    });
    TFPROF_TRY(sink.MaybeFlush());
  }
  out.Int(field::ProfileProto::has_trace, 1);
  out.Message(field::ProfileProto::steps, [&] {
    for (int64_t step = 0; step < size.steps; ++step) out.Varint(static_cast<uint64_t>(step));
  });
  WriteIdToString(out, field::ProfileProto::id_to_string);
  TFPROF_TRY(sink.Flush());
  return generated;
}

}  // namespace tfprof
