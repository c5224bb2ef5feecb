// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_kinds.h"
#include "core/report/measure_scale.h"
#include "tests/support/store_of.h"

namespace tfprof::exact_sums_test {
namespace {

constexpr std::string_view kStream = "/device:gpu:0/stream:all";

struct Summed {
  StorePtr store;
  NodeSums sums;
  MeasureScale scale;

  NodeId Node(std::string_view name) const { return store->NodeNamed(store->names.Find(name)); }
  int64_t Of(std::string_view name, Measure measure) const {
    return At(sums.values[Node(name).value], measure);
  }
  double Printed(std::string_view name, Measure measure) const {
    return scale.Printed(measure, Of(name, measure));
  }
};

Summed Sum(const StorePtr& store, const PlaceFilter& place = PlaceFilter::Exact()) {
  Context context;
  const NodeAccounts accounts = MakeAccounts(*store, place, context).value();
  return {store, SumNodes(*store, accounts, place, context).value(), ScaleOf(*store, place)};
}

}  // namespace

TEST_CASE(
    "every node is divided by the same number of steps, also by those in which it did not run") {
  const StorePtr store =
      StoreOf({{.name = "once"}, {.name = "always"}}, {{.node = "once", .step = 1, .us = 21},
                                                       {.node = "always", .step = 0, .us = 1},
                                                       {.node = "always", .step = 1, .us = 1},
                                                       {.node = "always", .step = 2, .us = 2}});
  const Summed mean = Sum(store);
  CHECK(mean.scale.divisor == 3);
  CHECK(mean.Of("once", Measure::micros) == 21 * kPsPerUs);
  CHECK(mean.Printed("once", Measure::micros) == 7);
  CHECK(mean.Printed("always", Measure::micros) == Approx(4.0 / 3));
  CHECK(mean.Printed("once", Measure::run_count) == Approx(1.0 / 3));
  CHECK(mean.Of("once", Measure::node_count) == 1);
  const Summed sum = Sum(store, {.sum_steps = true, .exact = true});
  CHECK(sum.Printed("always", Measure::micros) == 4);
  const Summed range = Sum(store, {.step = 0, .last_step = 1, .exact = true});
  CHECK(range.Printed("once", Measure::micros) == 10.5);
}

TEST_CASE("device and host time are never added") {
  const StorePtr store = StoreOf({{.name = "kernel"}, {.name = "host"}},
                                 {{.node = "kernel", .device = "/gpu:0", .us = 3},
                                  {.node = "kernel", .device = std::string(kStream), .us = 5},
                                  {.node = "host", .device = "/cpu:0", .us = 8}});
  const Summed summed = Sum(store);
  CHECK(summed.Of("kernel", Measure::micros) == 5 * kPsPerUs);
  CHECK(summed.Of("kernel", Measure::cpu_micros) == 3 * kPsPerUs);
  CHECK(summed.Of("host", Measure::micros) == 0);
  CHECK(summed.Of("host", Measure::cpu_micros) == 8 * kPsPerUs);
}

TEST_CASE("an execution of 0 us counts as 0, also in a mean") {
  const StorePtr store = StoreOf({{.name = "x"}}, {{.node = "x", .us = 0}});
  CHECK(Sum(store).Of("x", Measure::micros) == 0);
  CHECK(Sum(store).Of("x", Measure::run_count) == 1);
}

TEST_CASE("a call has its time without the union of what lies within it") {
  // The call takes 100 us. Records within it cover 10 to 40 and 50 to 60; one runs past its end.
  const StorePtr store =
      StoreOf({{.name = "call", .type = "StatefulPartitionedCall"}, {.name = "a"}, {.name = "b"}},
              {{.node = "call", .start_us = 1000, .us = 100},
               {.node = "a", .start_us = 1010, .us = 20},
               {.node = "b", .start_us = 1020, .us = 20},
               {.node = "b", .device = "/device:cpu:1", .start_us = 1050, .us = 10},
               {.node = "a", .start_us = 1090, .us = 20}});
  const Summed summed = Sum(store);
  CHECK(summed.Of("call", Measure::micros) == 60 * kPsPerUs);
  CHECK(summed.sums.ContainedPs(summed.Node("call")) == 40 * kPsPerUs);
  CHECK(summed.sums.ContainedPs(summed.Node("a")) == 0);
}

TEST_CASE("of two calls with equal times, neither contains the other") {
  const StorePtr store =
      StoreOf({{.name = "c", .type = "PartitionedCall"}, {.name = "d", .type = "If"}},
              {{.node = "c", .us = 9}, {.node = "d", .us = 9}});
  CHECK(Sum(store).Of("c", Measure::micros) == 9 * kPsPerUs);
  CHECK(Sum(store).Of("d", Measure::micros) == 9 * kPsPerUs);
}

TEST_CASE("calls are known by type, without a graph by the name") {
  const auto calls = [](const TestNode& node) {
    const StorePtr store = StoreOf({node});
    return CallsOthers(*store, store->nodes[0]);
  };
  CHECK(calls({.name = "x", .type = "StatelessWhile"}));
  CHECK(calls({.name = "a/StatefulPartitionedCall_12", .type = "a/StatefulPartitionedCall_12"}));
  CHECK_FALSE(calls({.name = "PartitionedCall", .type = "MatMul"}));
  CHECK_FALSE(calls({.name = "x", .type = "While_1"}));
}

TEST_CASE("only variables have parameters, and only runs have flops") {
  const std::vector<int64_t> shape = {2, 3};
  const StorePtr store = StoreOf({{.name = "v", .type = "VarHandleOp", .parameter = shape},
                                  {.name = "p", .type = "Placeholder", .parameter = shape},
                                  {.name = "t",
                                   .type = "Op",
                                   .types = {"_trainable_variables"},
                                   .float_ops = 7,
                                   .parameter = shape}},
                                 {{.node = "v"}});
  const Summed summed = Sum(store);
  CHECK(summed.Of("v", Measure::params) == 6);
  CHECK(summed.Of("p", Measure::params) == 0);
  CHECK(summed.Of("t", Measure::params) == 6);
  CHECK(summed.Of("t", Measure::float_ops) == 0);
  CHECK(summed.Of("t", Measure::node_count) == 0);
  CHECK((summed.sums.present[summed.Node("p").value] & kHasParams) == 0);
}

TEST_CASE("thresholds of printed values become thresholds of sums") {
  TreeFilter tree;
  tree.min_micros = 5;
  tree.min_params = 5;
  tree.min_bytes = kNoInt;
  const TreeFilter scaled = Scaled(tree, {.exact = true, .divisor = 3, .time = Unit::ps_as_us});
  CHECK(scaled.min_micros == 15 * kPsPerUs);
  CHECK(scaled.min_params == 5);
  CHECK(scaled.min_bytes == kNoInt);
}

}  // namespace tfprof::exact_sums_test
