// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "core/store/check.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"

// Small traces of PyTorch written down in tests.
//   KinetoOf({{"cpu_op", "aten::mm", 10, 5}, {"kernel", "gemm", 12, 3, 7, R"("correlation": 4)"}})

namespace tfprof {

struct KinetoEvent {
  std::string category;
  std::string name;
  int64_t start_us = 0;
  int64_t us = 0;
  int64_t thread = 1;     // of a device: the stream
  std::string args = "";  // members of `args`
};

// Events of host categories are in process 1, those of devices on device 0.
inline StorePtr KinetoOf(const std::vector<KinetoEvent>& events) {
  std::string text = "[";
  for (const KinetoEvent& event : events) {
    const bool on_device = event.category == "kernel" || event.category.starts_with("gpu_");
    text += text.size() == 1 ? "" : ",\n";
    text += R"({"ph": "X", "cat": ")" + event.category + R"(", "name": ")" + event.name +
            R"(", "pid": )" + (on_device ? "0" : "1") + R"(, "tid": )" +
            std::to_string(event.thread) + R"(, "ts": )" + std::to_string(event.start_us) +
            R"(, "dur": )" + std::to_string(event.us) + R"(, "args": {)" + event.args + "}}";
  }
  const TestFolder folder;
  const std::string path = folder / "a.json";
  WriteFile(path, text + "]");
  Context context;
  const Result<StorePtr> store = Load({{path}}, context);
  REQUIRE(store.has_value());
  REQUIRE(BrokenInvariant(**store) == "");
  return *store;
}

}  // namespace tfprof
