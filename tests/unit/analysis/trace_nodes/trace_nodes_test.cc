// SPDX-License-Identifier: Apache-2.0
#include "core/store/call_stacks.h"
#include "core/store/note_catalogue.h"
#include "views/on_nodes.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "tests/support/trace_of.h"
#include "views/views.h"

namespace tfprof::trace_nodes_test {
namespace {

using Lines = std::multiset<std::string>;

TraceNodes NodesOf(const StorePtr& store, const Query& query = {}) {
  Context context;
  return TraceNodes::Build(Indexes(store), {query.place, NodeGranularity::one_per_name}, context)
      .value();
}

// "lane: name|type ps x runs".
Lines Rows(const Store& store) {
  Lines lines;
  for (const Lane& lane : store.lanes) {
    for (uint32_t i = 0; i < lane.rows.count; ++i) {
      const uint32_t row = lane.rows.first + i;
      const Node& node = store.nodes[store.labels[store.events.label[row].value].node.value];
      int64_t runs = 1;
      for (const Aggregate& a : store.aggregates) {
        if (a.event.value == row) runs = a.occurrences;
      }
      lines.insert(fmt::format("{}: {}|{} {} x {}", store.Text(lane.name), store.Text(node.name),
                               store.Text(node.type), store.events.duration_ps[row], runs));
    }
  }
  return lines;
}

const Note* NoteOf(const Store& store, const NoteRow& row) {
  for (const Note& note : store.notes) {
    if (note.what.row == &row) return &note;
  }
  return nullptr;
}

TestDetails Op(const std::string& op) { return {{"op", op}}; }

// A thread that runs MatMul with Mul inside and launches kernels; two GPUs.
StorePtr Training() {
  TestDetails first = {{"correlation", int64_t{1}}}, second = {{"correlation", int64_t{2}}};
  TestDetails named = Op("dense/BiasAdd:BiasAdd");
  named["correlation"] = int64_t{2};
  return TraceOf(
      {{.lanes = {{.name = "main",
                   .events = {{"step", 0, 1000},
                              {"dense/MatMul:MatMul", 10, 100},
                              {"runtime", 15, 80},
                              {"dense/Mul:Mul", 20, 30},
                              {"launch", 60, 5, first},
                              {"launch", 500, 5, second},
                              {"dense/MatMul:MatMul", 600, 7},
                              {"dense/Mul:Mul", kNoTime, 40, {}, 8}}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "Stream #1",
                   .events = {{"sgemm", 200, 50, first},
                              {"bias", 510, 9, named},
                              {"MemcpyH2D", 700, 4},
                              {"mystery", 800, 3}}},
                  {.name = "Steps", .events = {{"0", 0, 999, Op("x:X")}}, .derived = true}}},
       {.name = "/device:GPU:1",
        .lanes = {
            {.name = "Stream #1", .events = {{"bias", 510, 11, Op("dense/BiasAdd:BiasAdd")}}}}}});
}

}  // namespace

TEST_CASE("nodes of a trace: events name them, else their launches, else they are copies") {
  const TraceNodes nodes = NodesOf(Training());
  CHECK(Rows(*nodes.store) == Lines{"/host:CPU: dense/MatMul|MatMul 77 x 2",
                                    "/host:CPU: dense/Mul|Mul 70 x 9",
                                    "/device:GPU:0: dense/MatMul|MatMul 50 x 1",
                                    "/device:GPU:0: dense/BiasAdd|BiasAdd 9 x 1",
                                    "/device:GPU:0: MemcpyHToD|MemcpyHToD 4 x 1",
                                    "/device:GPU:1: dense/BiasAdd|BiasAdd 11 x 1"});
  const Note* unnamed = NoteOf(*nodes.store, note::unattributed_work);
  REQUIRE(unnamed != nullptr);
  CHECK(unnamed->count == 1);
  CHECK(unnamed->cost_ps == 3);
  CHECK(unnamed->first_place == "mystery");
}

TEST_CASE("nodes of a trace: an operation runs as often as its most frequent kernel") {
  std::vector<TestEvent> calls, kernels, second;
  for (int64_t i = 0; i < 5; ++i) {
    const int64_t at = 100 * i;
    const TestDetails launch{{"correlation", i + 1}};
    calls.push_back({"dense/MatMul:MatMul", at, 9});
    calls.push_back({"other/Sum:Sum", at + 50, 9});
    calls.push_back({"launch", at + 51, 2, launch});
    kernels.push_back({"gemm", at, 3, Op("dense/MatMul:MatMul")});
    kernels.push_back({"splitk", at + 10, 2, Op("dense/MatMul:MatMul")});
    kernels.push_back({"gemm", at + 20, 1, Op("alone/MatMul:MatMul")});
    kernels.push_back({"splitk", at + 30, 1, Op("alone/MatMul:MatMul")});
    kernels.push_back({"sum", at + 60, 1, launch});
    kernels.push_back({"sum of sums", at + 70, 1, launch});
    kernels.push_back({"MemcpyH2D", at + 80, 1});
    kernels.push_back({"MemcpyHtoD (pinned)", at + 90, 1});
    second.push_back({"splitk", at, 1, Op("alone/MatMul:MatMul")});
  }
  kernels.push_back({"splitk", kNoTime, 1, Op("alone/MatMul:MatMul"), 4});
  const TraceNodes nodes = NodesOf(TraceOf({{.lanes = {{.name = "main", .events = calls}}},
                                            {.name = "/device:GPU:0",
                                             .lanes = {{.name = "Stream #1", .events = kernels},
                                                       {.name = "Stream #2", .events = second}}}}));
  const Lines rows = Rows(*nodes.store);
  CHECK(rows.count("/device:GPU:0: dense/MatMul|MatMul 25 x 5") == 1);
  CHECK(rows.count("/device:GPU:0: alone/MatMul|MatMul 15 x 14") == 1);  // on both, and the sum
  CHECK(rows.count("/device:GPU:0: other/Sum|Sum 10 x 5") == 1);
  CHECK(rows.count("/device:GPU:0: MemcpyHToD|MemcpyHToD 10 x 10") == 1);  // each is one
}

TEST_CASE("nodes of a trace: iterators of tf.data have no time in which they wait for others") {
  const TestDetails root{{"iterator", int64_t{1}}}, inner{{"iterator", int64_t{2}}};
  const StorePtr trace =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"Iterator::Root::Map", 0, 100, root},
                                      {"in/place:PyFunc", 10, 20},  // on the same thread
                                      {"train:MatMul", 200, 100}}},
                          {.name = "another", .events = {{"train/Add:Add", 82, 5}}},  // unrelated
                          {.name = "tf_data_private_threadpool/1",
                           .events = {{"PyFunc:PyFunc", 20, 60},
                                      {"Cast:Cast", 90, 20},     // half of it after the iterator
                                      {"Cast:Cast", 150, 20}}},  // nobody waits
                          {.name = "tf_Compute/1", .events = {{"PyFunc:PyFunc", 60, 10}}}}}});
  const auto lines = [](const StorePtr& store) { return Rows(*NodesOf(store).store); };
  // 0 to 10, 80 to 90.
  CHECK(lines(trace).count("/host:CPU: Iterator::Root::Map|Dataset 20 x 1") == 1);
  CHECK(lines(trace).count("/host:CPU: in/place|PyFunc 20 x 1") == 1);
  CHECK(lines(trace).count("/host:CPU: PyFunc|PyFunc 70 x 2") == 1);
  CHECK(lines(trace).count("/host:CPU: Cast|Cast 40 x 2") == 1);
}

TEST_CASE("nodes of a trace: iterators do not have the time of those that work for them") {
  // The thread of the prefetch takes an element; another thread produces it.
  const auto numbered = [](int64_t iterator, int64_t parent) {
    return TestDetails{{"iterator", iterator}, {"parent_iterator", parent}};
  };
  const TestDetails element{{"iterator", int64_t{2}}, {"element", int64_t{5}}};
  const StorePtr trace = TraceOf(
      {{.lanes = {{.name = "main",
                   .events = {{"Iterator::Root", 0, 100, {{"iterator", int64_t{1}}}},
                              {"Iterator::Root::Prefetch", 5, 90, numbered(2, 1)},
                              {"PrefetchConsume", 94, 1, element}}},
                  {.name = "tf_data_iterator_resource/1",
                   .events = {{"PrefetchProduce", 10, 70, element},
                              {"Iterator::Root::Prefetch::Generator", 20, 60, numbered(3, 2)},
                              {"PyFunc:PyFunc", 30, 40}}}}}});
  const auto rows = Rows(*NodesOf(trace).store);
  CHECK(rows.count("/host:CPU: Iterator::Root|Dataset 10 x 1") == 1);
  CHECK(rows.count("/host:CPU: Iterator::Root::Prefetch|Dataset 30 x 1") == 1);
  CHECK(rows.count("/host:CPU: Iterator::Root::Prefetch::Generator|Dataset 20 x 1") == 1);
  CHECK(rows.count("/host:CPU: PyFunc|PyFunc 40 x 1") == 1);
}

TEST_CASE("nodes of a trace: operations hold what allocators gave them until it is freed") {
  const auto memory = [](const std::string& op, int64_t bytes, int64_t address) {
    return TestDetails{{"op", op},
                       {"requested_bytes", bytes},
                       {"address", address},
                       {"allocation_bytes", bytes + 28},
                       {"allocator", "GPU"}};
  };
  const StorePtr trace =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"dense/MatMul:MatMul", 10, 80},
                                      {"MemoryAllocation", 20, 1, memory("dense/MatMul", 100, 1)},
                                      {"MemoryAllocation", 30, 1, memory("dense/MatMul", 50, 2)},
                                      {"MemoryDeallocation", 40, 1, memory("", 100, 1)},
                                      {"MemoryAllocation", 50, 1, memory("dense/MatMul", 60, 3)},
                                      {"MemoryAllocation", 60, 1, memory("gone", 9, 4)},
                                      {"dense/Add:Add", 100, 5}}}}}});
  const auto made = [&](bool reads_memory) {
    Context context;
    return TraceNodes::Build(Indexes(trace), {{}, NodeGranularity::one_per_name, reads_memory},
                             context)
        .value();
  };
  CHECK(made(false).store->exec_memory.empty());
  const StorePtr store = made(true).store;
  REQUIRE(store->exec_memory.size() == 1);
  const ExecMemory& of = store->exec_memory[0];
  CHECK(store->Text(store->labels[store->events.label[of.event.value].value].name) ==
        "dense/MatMul");
  CHECK(of.requested == 100 + 50 + 60);
  CHECK(of.peak == 100 + 50);
  CHECK(of.residual == 50 + 60);
  Query query;
  query.place.exact = true;
  query.display.select = {Attribute::bytes, Attribute::output_bytes};
  Context context;
  const Report report = AnswerForNodes(tfprof::Op, NodeGranularity::one_per_name, trace,
                                       Indexes(trace), query, context)
                            .value();
  const Table& table = report.tables[0];
  REQUIRE(table.Find("name")->texts == std::vector<std::string_view>{"Add", "MatMul"});
  CHECK(table.Find("requested_bytes")->Integer(0) == kNoInt);
  CHECK(table.Find("requested_bytes")->Integer(1) == 210);
  CHECK(table.Find("output_bytes")->Integer(1) == kNoInt);  // not recorded
}

TEST_CASE("nodes of a trace: answers say over how many devices, hosts and steps times are summed") {
  const auto device = [](const std::string& name, const std::string& host) {
    return TestProcess{
        .name = name,
        .lanes = {{.name = "Stream", .events = {{"k", 5, 10, Op("a/MatMul:MatMul")}}}},
        .host = host};
  };
  const auto says = [](const StorePtr& trace, const Query& asked) {
    Query query = asked;
    query.place.exact = true;
    Context context;
    const Report report = AnswerForNodes(tfprof::Op, NodeGranularity::one_per_name, trace,
                                         Indexes(trace), query, context)
                              .value();
    const Property* values = report.Find("step");
    return values == nullptr || values->head.empty() ? std::string() : values->display_text;
  };
  const TestDetails first{{"step_number", int64_t{3}}, {"root_level", int64_t{1}}};
  const TestDetails second{{"step_number", int64_t{4}}, {"root_level", int64_t{1}}};
  const TestProcess host{
      .lanes = {{.name = "main", .events = {{"train", 0, 50, first}, {"train", 60, 50, second}}}}};
  const StorePtr two =
      TraceOf({host, device("/device:GPU:0", "host"), device("/device:GPU:1", "host")});
  CHECK(says(two, {}) == "sum of 2 devices, 2 steps");
  Query one_device;
  one_device.place.device = "GPU:1";
  CHECK(says(two, one_device) == "sum of 2 steps");
  CHECK(says(TraceOf({device("/device:GPU:0", "host")}), {}).empty());
  // Two functions that no step marks.
  const TestProcess functions{.lanes = {{.name = "main",
                                         .events = {{"ExecutorState::Process", 0, 50},
                                                    {"ExecutorState::Process", 60, 50}}}}};
  const StorePtr unmarked =
      TraceOf({functions, device("/device:GPU:0", "host"), device("/device:GPU:1", "host")});
  CHECK(says(unmarked, {}) == "sum of 2 devices");
}

TEST_CASE("nodes of a trace: a note reports the difference between device and trace clocks") {
  const auto note_of = [](int64_t own_ps) {
    const TestDetails own{{"own_duration_ps", own_ps}};
    const TestDetails tiny{{"own_duration_ps", int64_t{5}}};
    const StorePtr store = TraceOf({{.name = "/device:TPU:0",
                                     .lanes = {{.name = "XLA Ops",
                                                .events = {{"copy-done.1", 0, 1000, own},
                                                           {"add.1", 1000, 1000},
                                                           {"tiny.1", 2000, 10, tiny}},
                                                .role = LaneRole::ops}},
                                     .device = DeviceKind::tpu}});
    const TraceNodes nodes = NodesOf(store);
    const Note* note = NoteOf(*nodes.store, note::times_by_trace_clock);
    return note == nullptr ? std::string() : note->what.Text();
  };
  // Of single operations, tiny.1 takes too little to count.
  CHECK(note_of(600).find("differ by 25.2% in total and by up to 66.7% for single operations") !=
        std::string::npos);
  CHECK(note_of(995).empty());
}

TEST_CASE("nodes of a trace: of events that start together the longest encloses the others") {
  const TestDetails first = {{"correlation", int64_t{1}}}, second = {{"correlation", int64_t{2}}},
                    third = {{"correlation", int64_t{3}}};
  const TraceNodes nodes =
      NodesOf(TraceOf({{.lanes = {{.name = "main",
                                   .events = {{"launch", 10, 5, first},
                                              {"inner:Inner", 10, 20},
                                              {"outer:Outer", 10, 90},
                                              {"launch", 40, 5, second},
                                              {"late:Late", 95, 30},
                                              {"launch", 200, 5, third}}}}},
                       {.name = "/device:GPU:0",
                        .lanes = {{.name = "Stream #1",
                                   .events = {{"of inner", 300, 1, first},
                                              {"of outer", 310, 2, second},
                                              {"void ns::none<2, int>(int)", 320, 4, third}}}}}}));
  CHECK(Rows(*nodes.store) == Lines{"/host:CPU: inner|Inner 20 x 1",
                                    "/host:CPU: outer|Outer 70 x 1", "/host:CPU: late|Late 30 x 1",
                                    "/device:GPU:0: inner|Inner 1 x 1",
                                    "/device:GPU:0: outer|Outer 2 x 1"});
  const Note* unnamed = NoteOf(*nodes.store, note::unattributed_work);
  REQUIRE(unnamed != nullptr);
  CHECK(unnamed->cost_ps == 4);
  CHECK(unnamed->first_place == "none<2>");
}

TEST_CASE("nodes of a trace: -host and -device select the work that counts") {
  Query query;
  query.place.device = "gpu:1";
  CHECK(Rows(*NodesOf(Training(), query).store) ==
        Lines{"/device:GPU:1: dense/BiasAdd|BiasAdd 11 x 1"});
  query.place.device =
      "gpu:0";  // launched by a thread that is not asked for: only that is needed of it
  const StorePtr gpu = NodesOf(Training(), query).store;
  CHECK(std::none_of(gpu->nodes.begin(), gpu->nodes.end(),
                     [&](const Node& node) { return gpu->Text(node.name) == "dense/Mul"; }));
  CHECK(
      Rows(*NodesOf(Training(), query).store).count("/device:GPU:0: dense/MatMul|MatMul 50 x 1") ==
      1);
  query.place.device.clear();
  query.place.host = "another";
  CHECK(Rows(*NodesOf(Training(), query).store).empty());
}

TEST_CASE("nodes of a trace: -step selects the events of its group; other steps are errors") {
  const auto in = [](const std::string& op, int64_t group) {
    return TestDetails{{"op", op}, {"group", group}};
  };
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"a:A", 0, 5, {{"group", int64_t{4}}}},
                                      {"a:A", 10, 6, {{"group", int64_t{5}}}},
                                      {"a:A", 20, 7}}}}},
               {.name = "/device:GPU:0",
                .lanes = {{.name = "1",
                           .events = {{"k", 0, 8, in("a:A", 4)},
                                      {"k", 10, 9, in("a:A", 5)},
                                      {"unknown", 20, 1, {{"group", int64_t{5}}}}}}}}});
  Query query;
  query.place.step = 4;
  const TraceNodes nodes = NodesOf(store, query);
  CHECK(Rows(*nodes.store) == Lines{"/host:CPU: a|A 5 x 1", "/device:GPU:0: a|A 8 x 1"});
  CHECK(NoteOf(*nodes.store, note::unattributed_work) == nullptr);
  const Note* stepless = NoteOf(*nodes.store, note::work_of_no_step);
  REQUIRE(stepless != nullptr);
  CHECK(stepless->count == 1);
  CHECK(stepless->cost_ps == 7);
  CHECK(NoteOf(*NodesOf(store).store, note::work_of_no_step) == nullptr);
  query.place.step = 6;
  Context context;
  CHECK(TraceNodes::Build(Indexes(store), {query.place, NodeGranularity::one_per_name}, context)
            .error()
            .kind == ErrorKind::usage);
}

TEST_CASE("nodes of a trace: enclosing instructions count without the enclosed ones") {
  TestProcess tpu{.name = "/device:TPU:0", .device = DeviceKind::tpu};
  tpu.lanes = {{.name = "XLA Ops",
                .events = {{"while.1", 0, 100}, {"dot.2", 10, 30}, {"dot.2", 50, 20}},
                .role = LaneRole::ops},
               {.name = "Steps", .events = {{"1", 0, 100}}, .role = LaneRole::steps}};
  tpu.of_label = {{"dot.2",
                   {{"op", std::string("jit(f)/dot_general:")},
                    {"op_category", std::string("convolution")},
                    {"flops", int64_t{7}},
                    {"source", std::string("model.py:12")}}},
                  {"while.1", {{"program", uint64_t{9}}, {"op_category", std::string("while")}}}};
  const TraceNodes nodes = NodesOf(TraceOf({tpu}));
  CHECK(Rows(*nodes.store) == Lines{"/device:TPU:0: program 9/while.1|while 50 x 1",
                                    "/device:TPU:0: jit(f)/dot_general/dot.2|dot_general 50 x 2"});
  const Note* nested = NoteOf(*nodes.store, note::operations_within_operations);
  REQUIRE(nested != nullptr);
  CHECK(nested->cost_ps == 50);
  const Store& store = *nodes.store;
  const Node& dot = store.nodes[1];
  CHECK(dot.float_ops == 7);
  REQUIRE(dot.has_trace);
  Context context;
  const CallStacks stacks = ReadCallStacks(store, context).value();
  REQUIRE(stacks.Of(dot.stack).size() == 1);
  const Frame& frame = stacks.Of(dot.stack)[0];
  CHECK(stacks.Text(frame.file) == "model.py");
  CHECK(frame.line == 12);
}

TEST_CASE("nodes of a trace: every row of op has its time on all devices, and its runs") {
  Query query;
  query.display.select = {Attribute::micros, Attribute::accelerator_micros, Attribute::cpu_micros,
                          Attribute::occurrence};
  query.tree.max_depth = TreeFilter::kAnyDepth;
  std::vector<TestEvent> kernels, calls;
  for (int i = 0; i < 3; ++i) {
    kernels.push_back({"k", i * 10'000'000, 400'000, Op("a/b:B")});
    calls.push_back({"a/b:B", i * 10'000'000, 5'000'000});
  }
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main", .events = calls}}},
               {.name = "/device:GPU:0", .lanes = {{.name = "1", .events = kernels}}},
               {.name = "/device:GPU:1", .lanes = {{.name = "1", .events = kernels}}}});
  Context context;
  const Report report = AnswerForNodes(tfprof::Op, NodeGranularity::one_per_name, store,
                                       Indexes(store), query, context)
                            .value();
  const Table& table = report.tables.at(0);
  REQUIRE(table.PrintedRows() == 1);
  CHECK(table.Find("micros")->spec.unit == Unit::ps_as_us);
  CHECK(table.Find("micros")->Integer(0) == 17'400'000);
  CHECK(table.Find("accelerator_micros")->Integer(0) == 2'400'000);
  CHECK(table.Find("cpu_micros")->Integer(0) == 15'000'000);
  CHECK(table.Find("occurrence_run")->Integer(0) == 3);
  for (const int64_t least_us : {2, 3}) {
    query.tree.min_accelerator_micros = least_us;
    const Report shown = AnswerForNodes(tfprof::Op, NodeGranularity::one_per_name, store,
                                        Indexes(store), query, context)
                             .value();
    CHECK(shown.tables.at(0).PrintedRows() == (least_us == 2 ? 1 : 0));
  }
}

TEST_CASE("nodes of a trace: without host operations, cpu time is absent, not 0") {
  const auto op_of = [](const std::string& on_host, const std::string& device) {
    const StorePtr store = TraceOf(
        {{.lanes = {{.name = "main", .events = {{on_host, 0, 5'000'000}}}}},
         {.name = "/device:GPU:0", .lanes = {{.name = "1", .events = {{"k", 9, 4, Op("a:A")}}}}}});
    Context context;
    Query query;
    query.display.select = {Attribute::micros, Attribute::cpu_micros};
    query.place.device = device;
    return AnswerForNodes(tfprof::Op, NodeGranularity::one_per_name, store, Indexes(store), query,
                          context)
        .value();
  };
  const auto total = [](const Report& report) {
    const Property* const property = report.Find("total_host_us");
    return property == nullptr ? int64_t{-1} : property->integer;
  };
  const Report of_both = op_of("b:B", ""), of_device = op_of("thread", ""),
               asked = op_of("b:B", "gpu");
  CHECK(of_both.tables[0].Find("cpu_micros")->Integer(0) == 0);
  CHECK(of_both.tables[0].Find("cpu_micros")->Integer(1) == 5'000'000);
  CHECK(total(of_both) == 5'000'000);
  for (const Report* report : {&of_device, &asked}) {
    CHECK(report->tables[0].Find("micros")->Integer(0) == 4);
    CHECK(report->tables[0].Find("cpu_micros")->Integer(0) == kNoInt);
    CHECK(total(*report) == kNoInt);
  }
}

TEST_CASE("nodes of a trace: a store with a graph is used directly") {
  CHECK_FALSE(LacksNodes(*StoreBuilder().Finish().value()));
  CHECK(LacksNodes(*Training()));
}

TEST_CASE("nodes of a trace: building them can be cancelled at every poll") {
  const StorePtr store = Training();
  for (int64_t polls = 0; polls < 30; ++polls) {
    Context context;
    context.polls_until_cancel = polls;
    const auto made =
        TraceNodes::Build(Indexes(store), {{}, NodeGranularity::one_per_name}, context);
    if (!made) CHECK(made.error().kind == ErrorKind::cancelled);
  }
}

TEST_CASE("-step accepts the steps of devices, and those of hosts if hosts are selected") {
  const auto kernel = [](int64_t group, int64_t at) {
    return TestEvent{"k", at, 5, {{"group", group}, {"correlation", at}}};
  };
  const TestDetails train = {{"group", int64_t{7}}, {"step_text", std::string("train 7")}};
  const StorePtr store =
      TraceOf({{.lanes = {{.name = "main",
                           .events = {{"train", 0, 100, train},
                                      {"MatMul", 10, 20, {{"group", int64_t{7}}}}}}}},
               {.name = "/device:GPU:0",
                .lanes = {{.name = "Stream #1", .events = {kernel(4, 10), kernel(5, 20)}}}}});
  const Indexes indexes(store);
  Context context;
  Query threads;
  threads.place.device = "host:cpu";  // a host may tell others than its devices
  for (const Query& places : {Query(), threads}) {
    const std::vector<int64_t> numbers =
        StepNumbers(*store, indexes, places.place, context).value();
    CHECK(numbers == (places.place.device.empty() ? std::vector<int64_t>{4, 5}
                                                  : std::vector<int64_t>{4, 5, 7}));
    for (const int64_t number : {4, 5, 6, 7}) {
      Query query = places;
      query.place.step = number;
      const bool known = std::find(numbers.begin(), numbers.end(), number) != numbers.end();
      CHECK(ChooseEvents(*store, indexes, query.place, context).has_value() == known);
    }
  }
}

}  // namespace tfprof::trace_nodes_test
