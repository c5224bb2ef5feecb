// SPDX-License-Identifier: Apache-2.0
#include "analysis/tfdata/iterator_facts.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "analysis/indexes.h"
#include "analysis/ops/input_ops.h"
#include "tests/support/trace_of.h"
#include "views/tfdata/advice.h"
#include "views/views.h"

namespace tfprof::iterator_facts_test {
namespace {

constexpr int64_t kUs = kPsPerUs;

struct Run {
  int64_t start_us = 0;
  int64_t us = 0;
};

// The program waits from 100 us to 200 us for an iterator that may work on this many elements at
// once; threads run Python.
StorePtr Waiting(const std::vector<std::vector<Run>>& threads, int64_t parallelism = kNoInt,
                 const std::string& type = "PyFunc", const std::string& iterator = "MapAndBatch") {
  TestDetails inner{{"iterator", int64_t{2}}, {"parent_iterator", int64_t{1}}};
  if (parallelism != kNoInt) inner["parallelism"] = parallelism;
  std::vector<TestLane> lanes = {
      {"main",
       {{"Iterator::Root", 100 * kUs, 100 * kUs, {{"iterator", int64_t{1}}}},
        {"Iterator::Root::" + iterator, 101 * kUs, 98 * kUs, inner}}}};
  for (const std::vector<Run>& runs : threads) {
    TestLane lane{.name = "tf_data_private_threadpool"};
    for (const Run& run : runs) {
      lane.events.push_back({"f/" + type + ":" + type, run.start_us * kUs, run.us * kUs});
    }
    lanes.push_back(std::move(lane));
  }
  return TraceOf({{.lanes = std::move(lanes)}});
}

IteratorFacts FactsIn(const StorePtr& store) {
  Context context;
  const Pipelines found = Pipelines::Build(*store, context).value();
  const WaitingCalls waits{found.pipelines.at(0).process, {found.roots.at(0).call}};
  return FactsOf(*store, found, "Iterator::Root::MapAndBatch", std::span(&waits, 1), context)
      .value();
}

std::string AdviceIn(const StorePtr& store) {
  Context context;
  const Report report = TfData(store, Indexes(store), {}, context).value();
  return std::string(report.tables.at(0).Find("advice")->texts.at(0));
}

bool Says(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr std::string_view kHelpsWaiting = "only helps while the function waits";

}  // namespace

TEST_CASE("Python runs count for the part within the wait") {
  const IteratorFacts facts = FactsIn(Waiting({{{10, 20}, {90, 30}, {130, 20}}, {{150, 100}}}));
  CHECK(facts.waited_ps == 100 * kUs);
  CHECK(facts.python_runs == 3);
  CHECK(facts.python_ps == (20 + 20 + 50) * kUs);
  CHECK(facts.python_covered_ps == 90 * kUs);
  CHECK(facts.PythonAtATime() == Approx(1));
  CHECK(facts.NeverOverlap());
  CHECK(facts.IsPython());
  CHECK(facts.parallelism == kNoInt);
  CHECK(DisplayTextOf(facts) ==
        "Python functions ran for 90.0% of the wait: 3 runs, 1.00 at a time on average.");
}

TEST_CASE("overlapping Python runs are concurrent") {
  const IteratorFacts facts =
      FactsIn(Waiting({{{100, 40}, {140, 40}}, {{100, 40}, {140, 20}}}, 8, "EagerPyFunc"));
  CHECK(facts.parallelism == 8);
  CHECK(facts.python_runs == 4);
  CHECK(facts.PythonAtATime() == Approx(140.0 / 80));
  CHECK_FALSE(facts.NeverOverlap());
}

TEST_CASE("Python that covers less than half of the wait is not its cause") {
  CHECK_FALSE(FactsIn(Waiting({{{100, 50}}})).IsPython());
  CHECK(FactsIn(Waiting({{{100, 51}}})).IsPython());
  const IteratorFacts none = FactsIn(Waiting({{{100, 90}}}, 4, "MatMul"));
  CHECK(none.python_runs == 0);
  CHECK(std::isnan(none.PythonAtATime()));
  CHECK_FALSE(none.IsPython());
  CHECK(DisplayTextOf(none).empty());
  CHECK_FALSE(IteratorFacts().IsPython());
}

TEST_CASE("the operation that runs during most of the wait is known, unless it waits itself") {
  CHECK(FactsIn(Waiting({{{100, 51}}}, 4, "DecodeJpeg")).operation == "DecodeJpeg");
  CHECK(FactsIn(Waiting({{{100, 50}}}, 4, "DecodeJpeg")).operation.empty());
  CHECK(FactsIn(Waiting({{{100, 90}}}, 4, "PartitionedCall")).operation.empty());
  CHECK(FactsIn(Waiting({{{90, 200}}}, 4, "IteratorGetNext")).operation.empty());
}

TEST_CASE("advice on Python depends on the recorded parallelism") {
  const std::vector<std::vector<Run>> one_by_one = {{{100, 40}}, {{145, 45}}};
  const std::vector<std::vector<Run>> overlapping = {{{100, 90}}, {{100, 80}}};
  const std::string one = AdviceIn(Waiting(one_by_one, 1));
  CHECK(Says(one, "2 runs, 1.00 at a time"));
  CHECK(Says(one, "processes one element at a time (parallelism 1)"));
  CHECK(Says(one, kHelpsWaiting));
  CHECK(Says(one, "GIL"));
  CHECK_FALSE(Says(one, "raise a fixed"));
  const std::string many = AdviceIn(Waiting(one_by_one, 8));
  CHECK(Says(many, "8 elements at once, and they never overlap"));
  CHECK(Says(many, "does not help"));
  CHECK(Says(AdviceIn(Waiting(one_by_one)), "if num_parallel_calls is more than 1"));
  const std::string locked = AdviceIn(Waiting(overlapping, 8));
  CHECK(Says(locked, "1.89 at a time"));
  CHECK(Says(locked, "includes waiting for the GIL"));
  CHECK_FALSE(Says(locked, "raise a fixed"));
  const std::string map = AdviceIn(Waiting(one_by_one, kNoInt, "PyFunc", "Map"));
  CHECK(Says(map, "processes one element at a time"));
  CHECK_FALSE(Says(map, "set num_parallel_calls"));
  const std::string prefetch = AdviceIn(Waiting(one_by_one, kNoInt, "PyFunc", "Prefetch"));
  CHECK(Says(prefetch, "buffer is empty"));
  CHECK(Says(prefetch, "GIL"));
  // Python is told, what reads files is not made faster by that.
  const std::string reader = AdviceIn(Waiting(one_by_one, kNoInt, "PyFunc", "TFRecord"));
  CHECK(Says(reader, "1.00 at a time"));
  CHECK(Says(reader, "storage"));
}

TEST_CASE("advice covers iterators that are parallel by name but process one element at a time") {
  CHECK(Says(AdviceIn(Waiting({}, 1)), "Set num_parallel_calls"));
  CHECK(Says(AdviceIn(Waiting({}, 2)), "raise a fixed num_parallel_calls"));
  CHECK(Says(AdviceIn(Waiting({}, 1, "", "Map")), "calls its function for one element"));
}

TEST_CASE("machine-readable tables have the numbers; pipelines that are not slow have none") {
  Context context;
  const StorePtr store = Waiting({{{100, 90}}}, 1);
  const Report report = TfData(store, Indexes(store), {}, context).value();
  const Table& table = report.tables.at(0);
  CHECK(table.Find("parallelism")->integers == std::vector<int64_t>{1});
  CHECK(table.Find("python_runs")->integers == std::vector<int64_t>{1});
  CHECK(table.Find("python_at_a_time")->reals.at(0) == Approx(1));
  const StorePtr fast =
      TraceOf({{.lanes = {{"main",
                           {{"Iterator::Root", 0, kUs, {{"iterator", int64_t{1}}}},
                            {"f:PyFunc", 0, kUs}}}}}});
  const Report none = TfData(fast, Indexes(fast), {}, context).value();
  CHECK(none.tables.at(0).Find("python_runs")->integers == std::vector<int64_t>{kNoInt});
  CHECK(none.tables.at(0).Find("advice")->texts.at(0).data() == nullptr);
}

TEST_CASE("the costliest input operation has the same facts") {
  Context context;
  const StorePtr store = Waiting({{{100, 40}}, {{140, 50}}}, 1);
  const Indexes indexes(store);
  const InputOps ops = FindInputOps(*store, indexes, {}, context).value();
  REQUIRE(ops.Costliest() != nullptr);
  CHECK(ops.Costliest()->name == "Iterator::Root::MapAndBatch");
  const IteratorFacts facts = FactsOfCostliest(*store, indexes, ops, {}, context).value();
  CHECK(facts.python_runs == 2);
  CHECK(facts.parallelism == 1);
  Query elsewhere;
  elsewhere.place.host = "another";
  CHECK(FactsOfCostliest(*store, indexes, ops, elsewhere.place, context).value().waited_ps == 0);
  CHECK(FactsOfCostliest(*store, indexes, InputOps(), {}, context).value().waited_ps == 0);
}

TEST_CASE("self time of input operations excludes work of other threads for them") {
  const auto call = [](const std::string& name, int64_t start_ps, int64_t ps, int64_t id,
                       int64_t parent) {
    return TestEvent{
        "Iterator::" + name, start_ps, ps, {{"iterator", id}, {"parent_iterator", parent}}};
  };
  const auto hand = [](const std::string& name, int64_t start_ps, int64_t ps, int64_t element) {
    return TestEvent{name, start_ps, ps, {{"element", element}}};
  };
  // Two Maps work for Prefetch, from 20 to 60 and from 40 to 75, one began before it.
  const StorePtr store = TraceOf(
      {{.lanes = {
            {"main",
             {call("Root", 0, 100, 1, 0), call("Root::Prefetch", 20, 70, 2, 1),
              call("Batch", 45, 10, 9, 0), hand("PrefetchConsume", 80, 2, 7),
              hand("PrefetchConsume", 84, 2, 8)}},
            {"a", {hand("PrefetchProduce", 10, 52, 7), call("Root::Prefetch::Map", 10, 50, 3, 2)}},
            {"b",
             {hand("PrefetchProduce", 40, 36, 8), call("Root::Prefetch::Map", 40, 35, 3, 2)}}}}});
  Context context;
  const Indexes indexes(store);
  InputOps ops = FindInputOps(*store, indexes, {}, context).value();
  const auto of = [&](std::string_view name) {
    return *std::find_if(ops.ops.begin(), ops.ops.end(),
                         [&](const InputOp& op) { return op.name == name; });
  };
  CHECK(of("Iterator::Root::Prefetch").own_ps == kNoInt);
  REQUIRE(AddOwnTimes(*store, indexes, {}, &ops, context));
  CHECK(of("Iterator::Root").own_ps == 30);  // on its own thread, so self has it already
  CHECK(of("Iterator::Root").self_ps == 30);
  CHECK(of("Iterator::Root::Prefetch").self_ps == 60);  // less what another pipeline does meanwhile
  CHECK(of("Iterator::Root::Prefetch").own_ps == 70 - 55);
  CHECK(of("Iterator::Root::Prefetch::Map").own_ps == 85);
  CHECK(ops.Costliest()->name == "Iterator::Root::Prefetch::Map");
}

}  // namespace tfprof::iterator_facts_test
