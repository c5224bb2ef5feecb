// SPDX-License-Identifier: Apache-2.0
// Real libraries walk buffers that we made: record sizes are what they are believed to be, so that
// the fake CUPTI cannot drift from the real one. Libraries are those of the system, and of
// TFPROF_CUPTI_LIBS (separated by colons); without any, nothing is tested.
#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "capture/abi/cupti.h"
#include "capture/abi/decode.h"

namespace tfprof::capture::walker_test {
namespace {

using cupti::Kind;

struct Size {
  Kind kind;
  size_t v11_8, v12_9, v13_0;
};
constexpr Size kSizes[] = {
    {Kind::concurrent_kernel, 200, 208, 216},
    {Kind::copy, 88, 96, 96},
    {Kind::peer_copy, 96, 96, 96},
    {Kind::fill, 88, 88, 88},
    {Kind::memory, 120, 128, 128},
    {Kind::wait, 40, 56, 56},
    {Kind::overhead, 40, 56, 56},
    {Kind::runtime, 40, 40, 40},
    {Kind::driver, 40, 40, 40},
    {Kind::graph, 48, 56, 56},
    {Kind::device, 176, 184, 184},
    {Kind::context, 16, 32, 32},
};

std::vector<std::string> Libraries() {
  std::vector<std::string> paths = {"/usr/local/cuda/lib64/libcupti.so.13"};
  std::string further =
      std::getenv("TFPROF_CUPTI_LIBS") != nullptr ? std::getenv("TFPROF_CUPTI_LIBS") : "";
  while (!further.empty()) {
    const size_t colon = further.find(':');
    paths.push_back(further.substr(0, colon));
    further = colon == further.npos ? "" : further.substr(colon + 1);
  }
  return paths;
}

size_t SizeIn(const Size& size, uint32_t version) {
  return version >= 130000 ? size.v13_0 : version >= 28 ? size.v12_9 : size.v11_8;
}

void Walk(const std::string& path) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  const auto version_of =
      reinterpret_cast<decltype(cupti::Functions::GetVersion)>(dlsym(library, "cuptiGetVersion"));
  const auto next = reinterpret_cast<decltype(cupti::Functions::ActivityGetNextRecord)>(
      dlsym(library, "cuptiActivityGetNextRecord"));
  uint32_t version = 0;
  version_of(&version);
  if (version == 0 || version > 130099) return;  // later ones walk with a driver only
  INFO(path << ", version " << version);
  alignas(8) uint8_t buffer[4096] = {};
  size_t used = 0;
  for (const Size& size : kSizes) {
    std::memcpy(buffer + used, &size.kind, sizeof size.kind);
    used += SizeIn(size, version);
  }
  void* record = nullptr;
  size_t at = 0;
  for (const Size& size : kSizes) {
    REQUIRE(next(buffer, used, &record) == cupti::kSuccess);
    REQUIRE(static_cast<uint8_t*>(record) == buffer + at);
    Activity activity;
    CHECK(DecodeActivity(buffer + at, used - at, &activity) == Decoded::activity);
    CHECK(activity.kind == size.kind);
    at += SizeIn(size, version);
  }
  CHECK(next(buffer, used, &record) != cupti::kSuccess);
}

TEST_CASE("real libraries find the records where we put them") {
  for (const std::string& path : Libraries()) Walk(path);
}

}  // namespace
}  // namespace tfprof::capture::walker_test
