// SPDX-License-Identifier: Apache-2.0
#include "loaders/torch_names.h"

#include <catch2/catch.hpp>
#include <utility>

namespace tfprof::torch_names_test {

TEST_CASE("PyTorch's names say what is an operation, and what it does") {
  struct Case {
    std::string_view name;
    EventClass of;
    EventRole role = EventRole::none;
  };
  using enum EventRole;
  for (const Case& known : {
           Case{"aten::mm", EventClass::op},
           {"aten::item", EventClass::op, read_result},
           {"autograd::engine::evaluate_function: MmBackward0", EventClass::op},
           {"torch::autograd::AccumulateGrad", EventClass::op},
           {"enumerate(DataLoader)#_Iter.__next__", EventClass::annotation, input_fetch},
           {"Optimizer.step#AdamW.step", EventClass::annotation, update},
           {"Optimizer.zero_grad#AdamW.zero_grad", EventClass::annotation},
           {"gloo:all_reduce", EventClass::annotation, collective},
           {"forward", EventClass::annotation},
           {"Solver::step", EventClass::annotation},
           {"dynamo", EventClass::op, compile},
           {"compile_attempt_0 (dynamo_timed)", EventClass::op, compile},
           {"", EventClass::annotation},
       }) {
    INFO(known.name);
    CHECK(torch::ClassOf(known.name) == known.of);
    CHECK(torch::RoleOf(known.name, known.of) == known.role);
  }
  CHECK(torch::RoleOf("aten::item", EventClass::annotation) == none);
  CHECK(torch::RoleOf("Optimizer.step#SGD.step", EventClass::op) == update);  // as until 2020
  CHECK(torch::RoleOf("Optimizer.step#SGD.step", EventClass::python_call) == none);
}

}  // namespace tfprof::torch_names_test
