// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/asking.h"
#include "tests/support/store_of.h"

namespace tfprof {

StorePtr SmallProfile() {
  static const StorePtr store = StoreOf(
      {{.name = "w", .type = "VariableV2", .parameter = {{3, 4}}, .stack = {{{"a.py", 3, "main"}}}},
       {.name = "conv1/mul",
        .type = "MatMul",
        .inputs = {"w"},
        .float_ops = 24,
        .output = {{3, 4}},
        .stack = {{{"a.py", 3, "main"}, {"b.py", 9, "conv"}}}},
       {.name = "conv1/add", .type = "AddV2", .inputs = {"conv1/mul", "w"}, .types = {"tag"}},
       {.name = "layer_0/x", .type = "Relu", .inputs = {"conv1/add"}},
       {.name = "layer_1/x", .type = "Relu", .inputs = {"layer_0/x"}},
       {.name = "loss", .type = "Mean", .inputs = {"layer_1/x"}}},
      {{.node = "conv1/mul",
        .device = "/job:w/device:GPU:0",
        .start_us = 10,
        .us = 40,
        .bytes = 64},
       {.node = "conv1/mul", .device = "/job:w/device:GPU:0/stream:all", .start_us = 12, .us = 30},
       {.node = "conv1/add", .start_us = 60, .us = 7, .bytes = 4096, .peak_bytes = 5000},
       {.node = "layer_0/x", .start_us = 70, .us = 5},
       {.node = "layer_1/x", .start_us = 80, .us = 6},
       {.node = "conv1/mul", .step = 1, .start_us = 110, .us = 50},
       {.node = "loss", .step = 1, .start_us = 170, .us = 1}});
  return store;
}

}  // namespace tfprof
