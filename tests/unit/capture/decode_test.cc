// SPDX-License-Identifier: Apache-2.0
#include "capture/abi/decode.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "capture/shim/cupti/activity_records.h"
#include "capture/spool/reader.h"

namespace tfprof::capture::capture_decode_test {
namespace {

using cupti::Kind;

template <class Raw>
Decoded Decode(const Raw& raw, Activity* activity) {
  return DecodeActivity(reinterpret_cast<const uint8_t*>(&raw), sizeof raw, activity);
}

cupti::KernelActivity Kernel(const char* name) {
  cupti::KernelActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::concurrent_kernel);
  raw.registers = 40;
  raw.start = 1000;
  raw.end = 1500;
  raw.device = 2;
  raw.context = 3;
  raw.stream = 7;
  raw.grid[0] = 64;
  raw.grid[1] = raw.grid[2] = 1;
  raw.block[0] = 128;
  raw.block[1] = raw.block[2] = 1;
  raw.static_shared_bytes = 512;
  raw.dynamic_shared_bytes = 1024;
  raw.correlation = 99;
  raw.name = name;
  raw.graph_node = 0x123456789;
  raw.graph = 4;
  return raw;
}

TEST_CASE("a kernel") {
  Activity activity;
  REQUIRE(Decode(Kernel("gemm"), &activity) == Decoded::activity);
  CHECK(activity.start == 1000);
  CHECK(activity.end == 1500);
  CHECK(activity.device == 2);
  CHECK(activity.context == 3);
  CHECK(activity.stream == 7);
  CHECK(activity.correlation == 99);
  CHECK(activity.grid[0] == 64);
  CHECK(activity.block[0] == 128);
  CHECK(activity.registers == 40);
  CHECK(activity.static_shared_bytes == 512);
  CHECK(activity.dynamic_shared_bytes == 1024);
  CHECK(activity.graph == 4);
  CHECK(activity.graph_node == 0x123456789);
  CHECK(std::string(activity.name) == "gemm");
}

TEST_CASE("copies within a device and between devices") {
  cupti::CopyActivity copy = {};
  copy.kind = static_cast<uint32_t>(Kind::copy);
  copy.copy_kind = 1;
  copy.from = 2;
  copy.to = 3;
  copy.flags = 1;
  copy.bytes = uint64_t{5} << 30;
  Activity activity;
  REQUIRE(Decode(copy, &activity) == Decoded::activity);
  CHECK(activity.bytes == uint64_t{5} << 30);
  CHECK(activity.is_async);
  CHECK(activity.to_device == UINT32_MAX);

  cupti::PeerCopyActivity peer = {};
  peer.kind = static_cast<uint32_t>(Kind::peer_copy);
  peer.to_device = 1;
  peer.correlation = 8;
  REQUIRE(Decode(peer, &activity) == Decoded::activity);
  CHECK(activity.to_device == 1);
  CHECK(activity.correlation == 8);
  CHECK_FALSE(activity.is_async);
}

TEST_CASE("allocations, of pools and not") {
  cupti::MemoryActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::memory);
  raw.operation = 2;
  raw.memory_kind = 3;
  raw.bytes = 4096;
  raw.time = 77;
  raw.address = 0x7f00;
  raw.pool_bytes = 1 << 20;
  Activity activity;
  REQUIRE(Decode(raw, &activity) == Decoded::activity);
  CHECK(activity.is_release);
  CHECK(activity.start == 77);
  CHECK_FALSE(activity.is_pooled);
  CHECK(activity.pool_bytes == 0);  // the field is of a pool only
  raw.operation = 1;
  raw.pool_type = 1;
  REQUIRE(Decode(raw, &activity) == Decoded::activity);
  CHECK_FALSE(activity.is_release);
  CHECK(activity.pool_bytes == 1 << 20);
}

TEST_CASE("an overhead names a thread only if its object is one") {
  cupti::OverheadActivity raw = {};
  raw.kind = static_cast<uint32_t>(Kind::overhead);
  raw.overhead_kind = 1 << 16;
  raw.object_kind = 2;
  raw.thread = 55;
  raw.start = 10;
  raw.end = 30;
  Activity activity;
  REQUIRE(Decode(raw, &activity) == Decoded::activity);
  CHECK(activity.thread == 55);
  CHECK(activity.end == 30);
  raw.object_kind = 3;
  REQUIRE(Decode(raw, &activity) == Decoded::activity);
  CHECK(activity.thread == 0);
}

TEST_CASE("kinds that nobody knows, and records that are cut") {
  const uint32_t unknown[16] = {12345};
  Activity activity;
  CHECK(Decode(unknown, &activity) == Decoded::unknown_kind);
  const cupti::KernelActivity kernel = Kernel("gemm");
  const auto* bytes = reinterpret_cast<const uint8_t*>(&kernel);
  for (size_t length = 0; length < sizeof kernel; ++length) {
    const std::vector<uint8_t> cut(bytes, bytes + length);  // so that a sanitizer sees its end
    REQUIRE(DecodeActivity(cut.data(), length, &activity) == Decoded::too_short);
  }
}

// Collects the records that activities become.
struct Collected {
  std::vector<RecordKind> kinds;
  std::vector<uint32_t> ids;
  std::vector<uint32_t> shapes;

  static void Add(void* to, const void* record, uint32_t bytes) {
    auto* collected = static_cast<Collected*>(to);
    const auto& head = *static_cast<const RecordHead*>(record);
    REQUIRE(head.bytes == bytes);
    collected->kinds.push_back(head.kind);
    collected->ids.push_back(head.id);
    if (const auto* kernel = As<KernelRecord>(head); head.kind == RecordKind::kernel) {
      collected->shapes.push_back(kernel->shape);
    }
  }
};

uint32_t InternFirstLetter(const char* text) { return static_cast<uint32_t>(text[0]); }

TEST_CASE("places and shapes are written before the first record that names them, and once") {
  ForgetDefinitions();
  Collected collected;
  const RecordSink sink{&collected, Collected::Add};
  const auto add = [&](const char* name, uint32_t stream) {
    cupti::KernelActivity raw = Kernel(name);
    raw.stream = stream;
    Activity activity;
    REQUIRE(Decode(raw, &activity) == Decoded::activity);
    AddActivity(activity, InternFirstLetter, sink);
  };
  add("gemm", 7);
  add("gemm", 7);
  add("relu", 7);
  add("gemm", 8);
  using K = RecordKind;
  CHECK(collected.kinds == std::vector<K>{K::kernel_shape, K::lane, K::kernel, K::kernel,
                                          K::kernel_shape, K::kernel, K::lane, K::kernel});
  CHECK(collected.ids == std::vector<uint32_t>{1, 1, 1, 1, 2, 1, 2, 2});
  CHECK(collected.shapes == std::vector<uint32_t>{1, 1, 2, 1});
}

TEST_CASE("a thousand shapes keep their numbers while the table grows") {
  ForgetDefinitions();
  Collected collected;
  const RecordSink sink{&collected, Collected::Add};
  for (int round = 0; round < 2; ++round) {
    for (int32_t i = 1; i <= 1000; ++i) {
      cupti::KernelActivity raw = Kernel("gemm");
      raw.grid[0] = i;
      Activity activity;
      REQUIRE(Decode(raw, &activity) == Decoded::activity);
      AddActivity(activity, InternFirstLetter, sink);
    }
  }
  REQUIRE(collected.shapes.size() == 2000);
  for (uint32_t i = 0; i < 2000; ++i) REQUIRE(collected.shapes[i] == i % 1000 + 1);
  ForgetDefinitions();
}

}  // namespace
}  // namespace tfprof::capture::capture_decode_test
