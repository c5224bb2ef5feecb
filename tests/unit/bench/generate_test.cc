// SPDX-License-Identifier: Apache-2.0
// The generators of benchmark inputs write what libprotobuf reads as the same facts.
#include "bench/generators/generate.h"

#include <catch2/catch.hpp>
#include <set>

#include "bench/generators/model.h"
#include "proto/graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "proto/xplane.pb.h"

namespace tfprof::generate_test {
namespace {

constexpr int64_t kNodes = 300;

// Parsed, and without a byte that the schema does not know.
template <class Message>
Message Parse(const Sink& sink) {
  Message message;
  REQUIRE(message.ParseFromString(sink.buffer));
  const size_t all_bytes = message.ByteSizeLong();
  message.DiscardUnknownFields();
  REQUIRE(message.ByteSizeLong() == all_bytes);
  return message;
}

int64_t NodesWithKernel() {
  int64_t count = 0;
  for (int64_t i = 0; i < kNodes; ++i) count += NodeOfModel(i).has_kernel ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("names of the generated model are distinct, and inputs precede their consumers") {
  std::set<std::string> names;
  for (int64_t i = 0; i < 5'000; ++i) {
    names.insert(NodeNameOfModel(i));
    for (const int64_t input : NodeOfModel(i).inputs) REQUIRE(input < i);
  }
  REQUIRE(names.size() == 5'000);
}

TEST_CASE("every node completes once in a step") {
  std::set<int64_t> completed;
  for (int64_t k = 0; k < kNodes; ++k) completed.insert(CompletionOrder(k, kNodes, 7));
  REQUIRE(completed.size() == kNodes);
  REQUIRE(*completed.begin() == 0);
  REQUIRE(*completed.rbegin() == kNodes - 1);
}

TEST_CASE("a generated XSpace has the expected events, names and attributes") {
  Sink sink;
  const int64_t written = WriteXSpace({.nodes = kNodes, .steps = 4}, sink).value().records;
  REQUIRE(written > kNodes * 3);
  const auto space = Parse<pb::XSpace>(sink);

  int64_t events = 0;
  for (const pb::XPlane& plane : space.planes()) {
    for (const pb::XLine& line : plane.lines()) {
      events += line.events_size();
      for (const pb::XEvent& event : line.events()) {
        REQUIRE(plane.event_metadata().count(event.metadata_id()) == 1);
        for (const pb::XStat& stat : event.stats()) {
          REQUIRE(plane.stat_metadata().count(stat.metadata_id()) == 1);
        }
      }
    }
  }
  REQUIRE(events == written);
  REQUIRE(space.planes_size() == 9);
}

TEST_CASE("a generated graph has its nodes, with inputs among them") {
  Sink sink;
  REQUIRE(WriteGraph(kNodes, sink));
  const auto graph = Parse<pb::GraphDef>(sink);

  REQUIRE(graph.node_size() == kNodes);
  std::set<std::string> names;
  int64_t inputs = 0;
  for (const pb::NodeDef& node : graph.node()) {
    for (const std::string& input : node.input()) {
      REQUIRE(names.count(input[0] == '^' ? input.substr(1) : input) == 1);
      ++inputs;
    }
    names.insert(node.name());
  }
  REQUIRE(inputs > kNodes);
}

TEST_CASE("a generated op log has a stack of known texts for every node") {
  Sink sink;
  REQUIRE(WriteOpLog(kNodes, sink));
  const auto log = Parse<pb::OpLogProto>(sink);

  REQUIRE(log.log_entries_size() == kNodes);
  for (const pb::OpLogEntry& entry : log.log_entries()) {
    REQUIRE(entry.code_def().traces_size() > 0);
    for (const auto& frame : entry.code_def().traces()) {
      REQUIRE(log.id_to_string().count(frame.file_id()) == 1);
      REQUIRE(log.id_to_string().count(frame.function_id()) == 1);
      REQUIRE(log.id_to_string().count(frame.line_id()) == 1);
    }
  }
}

TEST_CASE("generated steps have the records that the generator counts") {
  Sink sink;
  const Generated generated = WriteRunMetadata({.nodes = kNodes, .steps = 3}, 0, sink).value();
  const auto run = Parse<pb::RunMetadata>(sink);

  int64_t records = 0;
  int64_t memory_records = 0;
  for (const auto& device : run.step_stats().dev_stats()) {
    records += device.node_stats_size();
    for (const auto& record : device.node_stats()) {
      REQUIRE(record.all_start_micros() > 0);
      REQUIRE(record.memory_size() == record.output_size());
      memory_records += record.memory_size();
    }
  }
  REQUIRE(run.step_stats().dev_stats_size() == 4 * 3);
  REQUIRE(records == 3 * (kNodes + 2 * NodesWithKernel()));
  REQUIRE(generated.records == records);
  REQUIRE(generated.memory_records == memory_records);
}

TEST_CASE("a generated profile has the executions that the generator counts") {
  Sink sink;
  const Generated generated = WriteProfile({.nodes = kNodes, .steps = 3}, sink).value();
  const auto profile = Parse<pb::ProfileProto>(sink);

  int64_t records = 0;
  int64_t memory_records = 0;
  REQUIRE(profile.nodes().size() == kNodes);
  for (const auto& [id, node] : profile.nodes()) {
    REQUIRE(node.id() == id);
    REQUIRE(node.name() == NodeNameOfModel(id));
    REQUIRE(node.execs().size() == 3);
    for (const auto& [slot, producer] : node.inputs()) {
      REQUIRE(profile.nodes().count(producer) == 1);
    }
    for (const auto& [step, exec] : node.execs()) {
      records += exec.cpu_execs_size() + exec.accelerator_execs_size();
      memory_records += exec.memory_execs_size();
    }
  }
  REQUIRE(generated.records == records);
  REQUIRE(generated.memory_records == memory_records);
}

TEST_CASE("equal arguments generate equal bytes, other step counts others") {
  Sink first, again, later;
  REQUIRE(WriteRunMetadata({.nodes = kNodes, .steps = 2}, 0, first));
  REQUIRE(WriteRunMetadata({.nodes = kNodes, .steps = 2}, 0, again));
  REQUIRE(WriteRunMetadata({.nodes = kNodes, .steps = 2}, 2, later));
  REQUIRE(first.buffer == again.buffer);
  REQUIRE(first.buffer != later.buffer);
}

}  // namespace tfprof::generate_test
