// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "loaders/tensorflow/device_lane.h"

// Small stores written down in tests:
//   StoreOf({{.name = "a/x", .type = "MatMul", .inputs = {"w"}}, {.name = "w"}},
//           {{.node = "a/x", .us = 5}});

namespace tfprof {

struct TestFrame {
  std::string file = "";
  int32_t line = 0;
  std::string function = "";
};

struct TestNode {
  std::string name = "";
  std::string type = "Op";
  std::vector<std::string> inputs = {};  // names; unknown ones become dangling edges
  std::vector<std::string> types = {};   // added types
  int64_t float_ops = 0;
  std::optional<std::vector<int64_t>> parameter = {};  // shape; {} is a scalar
  std::optional<std::vector<int64_t>> output = {};     // shape of output 0
  std::string data_format = "";
  std::optional<std::vector<TestFrame>> stack = {};  // outermost first
};

// One execution, by default 1 us on the cpu in step 0.
struct TestRun {
  std::string node = "";  // empty: a label without node
  int64_t step = 0;
  std::string device = "/device:cpu:0";
  int64_t start_us = 1000;  // 0: not recorded
  int64_t us = 1;
  std::optional<int64_t> bytes = {};  // adds an ExecMemory row; other absent sizes are 0
  int64_t peak_bytes = 0;
  int64_t residual_bytes = 0;
  int64_t output_bytes = 0;
  std::optional<int64_t> occurrences = {};  // an Aggregate row
};

inline void AddTestNode(const TestNode& spec, StoreBuilder& builder) {
  const NodeId id = builder.AddNode(builder.Name(spec.name), builder.Name(spec.type), true);
  builder.node(id).float_ops = spec.float_ops;
  if (spec.parameter) builder.node(id).parameter = builder.AddShape(*spec.parameter);
  if (!spec.data_format.empty()) builder.AddDataFormat(id, builder.Name(spec.data_format));
  for (const std::string& type : spec.types) builder.AddType(id, builder.Name(type));
  if (spec.output) {
    const OutputShape shape{0, builder.AddShape(*spec.output)};
    builder.SetOutputShapes(id, {&shape, 1});
  }
  if (!spec.stack) return;
  std::vector<Frame> frames;
  for (const TestFrame& frame : *spec.stack) {
    frames.push_back(
        {builder.Name(frame.file), builder.Name(frame.function), NameId(), frame.line, 0});
  }
  builder.node(id).stack = builder.AddStack(frames);
  builder.node(id).has_trace = true;
  builder.SetCodeTraces();
}

inline void LinkTestNode(const TestNode& spec, StoreBuilder& builder) {
  std::vector<Edge> edges;
  for (const std::string& input : spec.inputs) {
    edges.push_back({builder.FindNode(builder.Name(input)), static_cast<int32_t>(edges.size()), 0});
  }
  builder.SetInputs(builder.FindNode(builder.Name(spec.name)), edges);
}

inline void AddTestRun(const TestRun& spec, StoreBuilder& builder) {
  const LaneId lane = AddDeviceLane(spec.device, builder);
  const NodeId node = builder.FindNode(builder.Name(spec.node));
  builder.BeginRows(lane, builder.AddStep(spec.step));
  if (node.some()) builder.AddNodeLane(node, lane);
  const int64_t start = spec.start_us == 0 ? kNoTime : builder.TimeFromMicros(spec.start_us);
  const EventId event = builder.AddEvent(start, builder.DurationFromMicros(spec.us),
                                         builder.AddLabel(builder.Name(spec.node), node), 0);
  if (spec.occurrences) builder.AddAggregate(event, *spec.occurrences);
  if (!spec.bytes) return;
  ExecMemory memory;
  memory.event = event;
  memory.first_output = builder.next_output();
  memory.time_ps = start;
  memory.requested = *spec.bytes;
  memory.peak = spec.peak_bytes;
  memory.residual = spec.residual_bytes;
  memory.output = spec.output_bytes;
  builder.AddMemory(memory);
}

inline StorePtr StoreOf(const std::vector<TestNode>& nodes, const std::vector<TestRun>& runs = {}) {
  StoreBuilder builder;
  builder.SetEpoch(0);
  for (const TestNode& node : nodes) AddTestNode(node, builder);
  for (const TestNode& node : nodes) LinkTestNode(node, builder);
  for (const TestRun& run : runs) AddTestRun(run, builder);
  return builder.Finish().value();
}

}  // namespace tfprof
