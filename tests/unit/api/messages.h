// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Messages of TensorFlow, byte by byte: a program that uses the library brings its own schemas.

namespace tfprof::testing {

inline std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

inline std::string Number(int field, uint64_t value) {
  return Varint(static_cast<uint64_t>(field) << 3) + Varint(value);
}

inline std::string Bytes(int field, std::string_view value) {
  return Varint(static_cast<uint64_t>(field) << 3 | 2) + Varint(value.size()) + std::string(value);
}

// A NodeDef in a GraphDef.
inline std::string Node(std::string_view name, std::string_view op,
                        const std::vector<std::string>& inputs = {}) {
  std::string node = Bytes(1, name) + Bytes(2, op);
  for (const std::string& input : inputs) node += Bytes(3, input);
  return Bytes(1, node);
}

struct Run {
  std::string_view node;
  uint64_t start_us;
  uint64_t duration_us;
  uint64_t bytes = 0;  // that it allocates, and that its output has
};

// The memory and the output of a run, in its NodeExecStats.
inline std::string MemoryOf(const Run& run) {
  const std::string allocated = Bytes(6, Number(1, run.start_us) + Number(2, run.bytes));
  const std::string memory =
      Bytes(1, "cpu") + Number(2, run.bytes) + Number(3, run.bytes) + allocated;
  const std::string tensor = Bytes(4, Number(1, run.bytes) + Number(2, run.bytes));
  return Bytes(6, memory) + Bytes(7, Number(1, 0) + Bytes(3, tensor));
}

// A RunMetadata: the runs of nodes on one device.
inline std::string RunMetadata(std::string_view device, const std::vector<Run>& runs) {
  std::string stats = Bytes(1, device);
  for (const Run& run : runs) {
    // Relative to the start of all: op_start 0, op_end and all_end as long as it took.
    stats += Bytes(2, Bytes(1, run.node) + Number(2, run.start_us) + Number(3, 0) +
                          Number(4, run.duration_us) + Number(5, run.duration_us) +
                          (run.bytes > 0 ? MemoryOf(run) : ""));
  }
  return Bytes(1, Bytes(1, stats));
}

}  // namespace tfprof::testing
