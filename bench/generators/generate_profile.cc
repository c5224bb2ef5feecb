// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "bench/generators/execution.h"
#include "bench/generators/generate.h"
#include "bench/generators/model_fields.h"
#include "core/base/wire_writer.h"

namespace tfprof {
namespace {

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// This format holds devices in lower case.
struct Devices {
  std::string gpu = LowerCase(kGpu);
  std::string cpu = LowerCase(kCpu);
  std::string all_streams = LowerCase(kAllStreams);
  std::string one_stream = LowerCase(kOneStream);
};

// map<string, ExecTime>: one device with one (start, duration) pair.
void WriteExecTime(WireWriter& out, int field, std::string_view device, int64_t start_us,
                   int64_t duration_us) {
  out.Message(field, [&] {
    out.Bytes(1, device);
    out.Message(2, [&] {
      out.Message(1, [&] {
        out.Message(1, [&] {  // int64_values, packed
          out.Varint(static_cast<uint64_t>(start_us));
          out.Varint(static_cast<uint64_t>(duration_us));
        });
      });
    });
  });
}

void WriteMemory(WireWriter& out, int64_t index, const Execution& run, bool on_gpu) {
  const int64_t bytes = TensorOfModel(index).bytes();
  out.Message(7, [&] {
    out.Int(1, run.start_us);
    out.Int(on_gpu ? 4 : 2, bytes);
    out.Int(6, bytes * 3);
    out.Int(7, bytes * 3);
    out.Int(8, bytes);
    out.Int(9, bytes);
    out.Int(10, 3'000'000'000 + index * 256);
    out.Message(11, [&] {
      out.ToldInt(1, 0);
      out.Message(2, [&] {
        out.Int(1, bytes + 192);
        out.Int(2, 0x7F0000000000 + index * 256);
      });
    });
  });
  for (const int64_t change : {bytes * 2, -bytes}) {
    out.Message(11, [&] {
      out.Int(1, run.start_us);
      out.Int(2, change);
    });
  }
}

void WriteExecProfile(WireWriter& out, const Devices& devices, const ModelNode& node, int64_t index,
                      const Execution& run) {
  const std::string& executor = node.on_gpu ? devices.gpu : devices.cpu;
  out.Int(1, 1);
  out.Int(2, run.start_us);
  out.Int(3, run.kernel_start_us() + (node.has_kernel ? run.duration_us : 0));
  if (node.has_kernel) {
    WriteExecTime(out, 4, devices.all_streams, run.kernel_start_us(), run.duration_us);
    WriteExecTime(out, 4, devices.one_stream, run.kernel_start_us(), run.duration_us);
  }
  WriteExecTime(out, 5, executor, run.start_us, run.duration_us);
  out.Bytes(6, executor);
  if (node.has_kernel) {
    out.Bytes(6, devices.all_streams);
    out.Bytes(6, devices.one_stream);
  }
  if (run.has_memory) WriteMemory(out, index, run, node.on_gpu);
}

void WriteExecutions(WireWriter& out, const Devices& devices, const ModelNode& node, int64_t index,
                     const ModelSize& size, Generated* generated) {
  for (int64_t step = 0; step < size.steps; ++step) {
    const Execution run = ExecutionOf(index, index, size.nodes, step);
    out.Message(12, [&] {
      out.ToldInt(1, step);
      out.Message(2, [&] { WriteExecProfile(out, devices, node, index, run); });
    });
    generated->records += node.has_kernel ? 3 : 1;
    generated->memory_records += run.has_memory ? 1 : 0;
  }
}

// Ids of nodes are their numbers in the model.
void WriteInputs(WireWriter& out, const ModelNode& node) {
  int64_t slot = 0;
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    out.Message(2, [&] {
      out.ToldInt(1, slot++);
      out.ToldInt(2, input);
    });
  }
}

// From which output of each they come: the first one.
void WriteSourceSlots(WireWriter& out, const ModelNode& node) {
  for (const int64_t input : node.inputs) {
    if (input == kNoNode) continue;
    out.Message(14, [&] {
      out.ToldInt(1, input);
      out.ToldInt(2, 0);
    });
  }
}

void WriteNode(WireWriter& out, const Devices& devices, int64_t index, const ModelSize& size,
               Generated* generated) {
  const ModelNode node = NodeOfModel(index);
  const TensorSize tensor = TensorOfModel(index);
  const std::string& executor = node.on_gpu ? devices.gpu : devices.cpu;
  out.Bytes(1, NodeNameOfModel(index));
  WriteInputs(out, node);
  if (node.variable) {
    out.Message(4, [&] {  // shape, packed
      out.Varint(static_cast<uint64_t>(tensor.rows));
      out.Varint(static_cast<uint64_t>(tensor.columns));
    });
    out.Bytes(5, "_trainable_variables");
  }
  out.Bytes(5, node.type);
  out.Bytes(5, executor);
  out.Bytes(6, executor);
  out.Int(8, FloatOpsOfModel(index));
  out.Bytes(9, node.type);
  out.Message(10, [&] { WriteTrace(out, index); });
  WriteAttributes(out, 11, index);
  WriteExecutions(out, devices, node, index, size, generated);
  out.Int(13, index);
  WriteSourceSlots(out, node);
  out.Message(15, [&] {  // output_shapes
    out.ToldInt(1, 0);
    out.Message(2, [&] {
      out.Message(1, [&] {
        out.Varint(static_cast<uint64_t>(tensor.rows));
        out.Varint(static_cast<uint64_t>(tensor.columns));
      });
    });
  });
}

// The writer of real files walks a hash map: neighbours in the file are strangers in the graph.
std::vector<int64_t> HashOrder(int64_t nodes) {
  std::vector<int64_t> order(static_cast<size_t>(nodes));
  for (size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int64_t>(i);
  for (size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[Mix(4, i) % i]);
  return order;
}

}  // namespace

// As protobuf writes it: fields ascending, of an entry of a map always both.
Result<Generated> WriteProfile(const ModelSize& size, Sink& sink) {
  const Devices devices;
  Generated generated{.nodes = size.nodes};
  WireWriter out(&sink.buffer);
  for (const int64_t index : HashOrder(size.nodes)) {
    out.Message(1, [&] {
      out.Int(1, index);
      out.Message(2, [&] { WriteNode(out, devices, index, size, &generated); });
    });
    TFPROF_TRY(sink.MaybeFlush());
  }
  out.Int(2, 1);
  out.Message(3, [&] {  // steps, packed
    for (int64_t step = 0; step < size.steps; ++step) out.Varint(static_cast<uint64_t>(step));
  });
  WriteIdToString(out, 4);
  TFPROF_TRY(sink.Flush());
  return generated;
}

}  // namespace tfprof
