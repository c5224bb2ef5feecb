// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/eager.h"

#include <catch2/catch.hpp>

#include "tests/support/trace_of.h"

namespace tfprof::eager_test {
namespace {

TestDetails IsFunc(int64_t value) { return {{"function_call", value}}; }

TEST_CASE("an operation is eager if its innermost executor runs single operations") {
  const StorePtr store = TraceOf({{.lanes = {{.events = {{"EagerExecute: f", 0, 100, IsFunc(1)},
                                                         {"a:MatMul", 10, 5},
                                                         {"EagerExecute: x", 20, 50, IsFunc(0)},
                                                         {"region", 25, 40},
                                                         {"b:MatMul", 30, 5},
                                                         {"c:MatMul", 80, 5},
                                                         {"d:MatMul", 200, 5}}}}}});
  Context context;
  const DetailColumn is_func =
      ReadColumn(*store, ProcessId(0), AttributeKey::function_call, context).value();
  const std::vector<uint8_t> eager = EagerRows(*store, store->lanes[0], is_func);
  const auto of = [&](std::string_view name) { return eager[RowNamed(*store, name)] != 0; };
  CHECK_FALSE(of("a:MatMul"));
  CHECK(of("b:MatMul"));
  CHECK_FALSE(of("c:MatMul"));
  CHECK_FALSE(of("d:MatMul"));
  CHECK(EagerRows(*store, store->lanes[0], DetailColumn()).empty());
}

}  // namespace
}  // namespace tfprof::eager_test
