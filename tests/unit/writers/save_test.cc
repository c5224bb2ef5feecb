// SPDX-License-Identifier: Apache-2.0
// What writers/ writes, read by our own loaders and by libprotobuf.
#include <catch2/catch.hpp>

#include "core/store/check.h"
#include "loaders/formats.h"
#include "loaders/open.h"
#include "loaders/tensorflow/device_lane.h"
#include "proto/tfprof_log.pb.h"
#include "tests/support/store_of.h"
#include "tests/support/store_rows.h"
#include "views/views.h"
#include "writers/profile.h"

namespace tfprof::save_test {
namespace {

struct Saved {
  std::string bytes;
  std::vector<Note> notes;

  pb::ProfileProto Message() const {
    pb::ProfileProto message;
    REQUIRE(message.ParseFromString(bytes));
    return message;
  }
  const Note* Find(std::string_view part) const {
    for (const Note& note : notes) {
      if (note.what.Text().find(part) != std::string::npos) return &note;
    }
    return nullptr;
  }
};

Saved Save(const Store& store) {
  Saved saved;
  Sink sink;
  Context context;
  saved.notes = WriteProfile(store, sink, context).value();
  saved.bytes = sink.buffer;
  return saved;
}

StorePtr Open(const std::vector<Input>& inputs) {
  Context context;
  return Load(inputs, context).value();
}

const pb::ProfileNode& NodeNamed(const pb::ProfileProto& profile, const std::string& name) {
  for (const auto& [id, node] : profile.nodes()) {
    if (node.name() == name) return node;
  }
  FAIL("no node " + name);
  throw 0;
}

const std::string kData = "testdata/tensorflow/";

}  // namespace

TEST_CASE("save: a profile is written with the facts that were read") {
  for (const char* name : {"mnist_softmax", "convnet", "rnn_while", "two_devices"}) {
    INFO(name);
    const StorePtr store = Open({{kData + name + "/profile.pb"}});
    const Saved saved = Save(*store);
    CHECK(Difference(StoreRows(*LoadProfile(saved.bytes)), StoreRows(*store)) == "");
    CHECK(Save(*LoadProfile(saved.bytes)).bytes == saved.bytes);
  }
}

TEST_CASE("save: the facts of separate files survive saving once and twice") {
  for (const char* name : {"mnist_softmax", "convnet", "rnn_while", "two_devices"}) {
    INFO(name);
    const std::string folder = kData + name + "/";
    const Saved once =
        Save(*Open({{folder + "graph.pb"}, {folder + "run_meta_0"}, {folder + "op_log"}}));
    CHECK(Save(*LoadProfile(once.bytes)).bytes == once.bytes);
  }
}

TEST_CASE("save: a saved profile does not differ from the files that it was made of") {
  const std::string folder = kData + "mnist_softmax/";
  const StorePtr files = Open({{folder + "graph.pb"},
                               {folder + "op_log"},
                               {folder + "run_meta_0"},
                               {folder + "run_meta_1"},
                               {folder + "run_meta_2"}});
  REQUIRE(files->has_nanoseconds);  // a profile has whole microseconds
  const StorePtr saved = LoadProfile(Save(*files).bytes);
  Context context;
  Query query;
  query.place.exact = true;
  query.diff.base = files;
  query.fail_if = {"step>+0.01%"};
  const Report report = Diff(saved, Indexes(saved), query, context).value();
  for (const std::string_view status : report.tables[0].Find("status")->texts) {
    CHECK(status == "same");
  }
  CHECK(report.Find("exceeded")->texts.empty());
}

TEST_CASE("save: known profiles keep their facts") {
  for (const std::string& path : ReferenceFiles("profile.pb")) {
    INFO(path);
    const StorePtr store = LoadProfile(ReadWhole(path));
    CHECK(Difference(StoreRows(*LoadProfile(Save(*store).bytes)), StoreRows(*store)) == "");
  }
}

TEST_CASE("save: times, runs and memory of a node are by step and device") {
  const StorePtr store =
      StoreOf({{.name = "x", .type = "MatMul", .types = {"tag"}, .float_ops = 7}},
              {{.node = "x", .device = "/job:w/gpu:0", .start_us = 20, .us = 0, .bytes = 64},
               {.node = "x", .device = "/job:w/gpu:0", .start_us = 10, .us = 3},
               {.node = "x", .device = "/job:w/gpu:0/stream:all", .start_us = 30, .us = 9},
               {.node = "x", .device = "/job:w/gpu:0/stream:4", .start_us = 5, .us = 9},
               {.node = "x", .step = 3, .device = "/job:w/gpu:0", .start_us = 0}});
  const pb::ProfileProto profile = Save(*store).Message();
  CHECK(profile.steps_size() == 2);
  const pb::ProfileNode& node = NodeNamed(profile, "x");
  CHECK(node.float_ops() == 7);
  CHECK(node.canonical_device() == "/job:w/gpu:0");
  CHECK(node.host_device() == "/job:w/cpu:0");
  CHECK(node.op_types_size() == 3);
  const pb::ExecProfile& exec = node.execs().at(0);
  CHECK(exec.run_count() == 2);
  CHECK(exec.all_start_micros() == 5);
  CHECK(exec.latest_end_micros() == 39);
  CHECK(exec.devices_size() == 3);
  REQUIRE(exec.cpu_execs_size() == 1);
  CHECK(exec.cpu_execs(0).value().times(0).int64_values(0) == 10);
  CHECK(exec.cpu_execs(0).value().times(1).int64_values(1) == 1);  // 0 counts as 1
  CHECK(exec.accelerator_execs_size() == 1);
  REQUIRE(exec.memory_execs_size() == 2);  // one per run: the first has none
  CHECK(exec.memory_execs(0).requested_bytes() == 0);
  CHECK(exec.memory_execs(1).requested_bytes() == 64);
  CHECK(node.execs().at(3).run_count() == 0);
  CHECK(node.execs().at(3).cpu_execs_size() == 0);
}

TEST_CASE("save: facts that a profile cannot store are counted") {
  const StorePtr store =
      StoreOf({{.name = "x"}}, {{.node = "x", .device = "/gpu:0", .us = 2},
                                {.node = "x", .device = "/gpu:1", .us = 5},
                                {.node = "x", .device = "/gpu:0/stream:4", .us = 7, .bytes = 8},
                                {.node = "MEMCPYHtoD", .device = "/gpu:0/memcpy", .us = 11}});
  const Saved saved = Save(*store);
  REQUIRE(saved.Find("second device") != nullptr);
  CHECK(saved.Find("second device")->cost_ps == 5 * kPsPerUs);
  REQUIRE(saved.Find("without times") != nullptr);
  CHECK(saved.Find("without times")->cost_ps == 7 * kPsPerUs);
  REQUIRE(saved.Find("no graph node") != nullptr);
  CHECK(saved.Find("no graph node")->cost_ps == 11 * kPsPerUs);
  REQUIRE(saved.Find("memory of executions") != nullptr);
  CHECK(saved.notes.size() == 4);
}

TEST_CASE("save: 0 bytes stay 0 bytes, and a run without memory stays without") {
  for (const char* name : {"mnist_softmax", "convnet", "rnn_while", "two_devices"}) {
    INFO(name);
    const std::string folder = kData + name + "/";
    const StorePtr store = Open({{folder + "graph.pb"}, {folder + "run_meta_0"}});
    const StorePtr again = LoadProfile(Save(*store).bytes);
    size_t of_nodes = 0, of_zero = 0;
    for (const ExecMemory& row : store->exec_memory) {
      if (!store->labels[store->events.label[row.event.value].value].node.some()) continue;
      ++of_nodes;
      of_zero += (row.requested | row.output | row.temp) == 0 ? 1 : 0;
    }
    CHECK(of_zero > 0);
    CHECK(of_zero < of_nodes);
    CHECK(again->exec_memory.size() == of_nodes);
  }
}

TEST_CASE("save: an empty profile is recognized when it is opened again") {
  StoreBuilder builder;
  const StorePtr nothing = builder.Finish().value();
  CHECK(DetectFormat(Save(*nothing).bytes, "nothing").value() == "profile");
  CHECK(DetectFormat(Save(*StoreOf({{}})).bytes, "unnamed").value() == "profile");
  CHECK(DetectFormat(Save(*StoreOf({{.name = "x"}})).bytes, "named").value() == "profile");
  const pb::ProfileProto message = Save(*nothing).Message();
  CHECK(message.nodes_size() == 0);
  for (const char* name : {"graph.pb", "run_meta_0", "op_log", "ckpt.index"}) {
    INFO(name);
    const StorePtr store = Open({{kData + "convnet/" + name}});
    const Saved saved = Save(*store);
    CHECK(DetectFormat(saved.bytes, name).value() == "profile");
    CHECK(LoadProfile(saved.bytes)->nodes.size() == store->nodes.size());
  }
}

TEST_CASE("save: inputs missing in the graph survive in a field that the original ignores") {
  const StorePtr store = StoreOf({{.name = "x", .inputs = {"gone", "w", "lost"}}, {.name = "w"}});
  const Saved saved = Save(*store);
  CHECK(NodeNamed(saved.Message(), "x").inputs_size() == 1);
  const StorePtr again = LoadProfile(saved.bytes);
  const std::span<const Edge> edges = again->Inputs(again->nodes[0]);
  REQUIRE(edges.size() == 3);
  CHECK(!edges[0].producer.some());
  CHECK(edges[1].producer == NodeId(1));
  CHECK(edges[1].input_slot == 1);
  CHECK(!edges[2].producer.some());
}

TEST_CASE("save: executions outside of any step stay outside") {
  StoreBuilder builder;
  builder.SetEpoch(0);
  const NodeId node = builder.AddNode(builder.Name("x"), builder.Name("Op"), true);
  const LaneId lane = AddDeviceLane("/device:cpu:0", builder);
  builder.BeginRows(lane, StepId());
  builder.AddNodeLane(node, lane);
  builder.AddEvent(1500 * kPsPerNs, 700 * kPsPerNs, builder.AddLabel(builder.Name("x"), node), 0);
  const Saved saved = Save(*builder.Finish().value());
  CHECK(saved.Message().steps_size() == 0);
  CHECK(saved.Find("whole microseconds") != nullptr);
  const StorePtr again = LoadProfile(saved.bytes);
  CHECK(again->steps.empty());
  REQUIRE(again->EventCount() == 1);
  CHECK(again->events.duration_ps[0] == kPsPerUs);
}

TEST_CASE("save: times from 0 on are shifted, because 0 means no time") {
  const StorePtr store =
      StoreOf({{.name = "x"}}, {{.node = "x", .start_us = 7}, {.node = "x", .start_us = -3}});
  const Saved saved = Save(*store);
  const pb::ExecProfile exec = NodeNamed(saved.Message(), "x").execs().at(0);
  CHECK(exec.cpu_execs(0).value().times(0).int64_values(0) == 1);
  CHECK(exec.cpu_execs(0).value().times(1).int64_values(0) == 11);
  CHECK(saved.Find("shifted times") != nullptr);
}

TEST_CASE("save: an op log stores types, float operations and code") {
  const StorePtr store = StoreOf({{.name = "x",
                                   .types = {"tag"},
                                   .float_ops = 7,
                                   .stack = std::vector<TestFrame>{{"a.py", 3, "f"}}},
                                  {.name = "plain"}});
  Sink sink;
  Context context;
  CHECK(WriteOpLog(*store, sink, context).value().entries == 1);
  pb::OpLogProto log;
  REQUIRE(log.ParseFromString(sink.buffer));
  REQUIRE(log.log_entries_size() == 1);
  CHECK(log.log_entries(0).types(0) == "tag");
  CHECK(log.log_entries(0).float_ops() == 7);
  const pb::CodeDef::Trace& frame = log.log_entries(0).code_def().traces(0);
  CHECK(log.id_to_string().at(frame.file_id()) == "a.py");
  CHECK(log.id_to_string().at(frame.function_id()) == "f");
}

TEST_CASE("save: it can be cancelled") {
  const StorePtr store = StoreOf({{.name = "x"}}, {{.node = "x"}});
  Sink sink;
  for (int64_t polls = 0; polls < 3; ++polls) {
    Context context;
    context.polls_until_cancel = polls;
    const auto written = WriteProfile(*store, sink, context);
    REQUIRE(!written);
    CHECK(written.error().kind == ErrorKind::cancelled);
  }
}

}  // namespace tfprof::save_test
