// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/store/builder.h"
#include "loaders/python_names.h"
#include "loaders/torch_names.h"
#include "loaders/xspace/event_roles.h"

// Small traces written down in tests: processes, their lanes, events with details.
//   TraceOf({{.name = "/host:CPU",
//             .lanes = {{.name = "main", .events = {{"launch", 10, 5, {{"correlation", 7}}}}}}}});

namespace tfprof {

using TestValue = std::variant<int64_t, uint64_t, double, std::string>;
using TestDetails = std::map<std::string, TestValue>;

struct TestEvent {
  std::string name = "";
  int64_t start_ps = 0;  // kNoTime: not recorded
  int64_t ps = 1;
  TestDetails details = {};
  int64_t occurrences = 1;  // of an event without a start
};

constexpr int64_t kTestNs = 1000;  // ps

// A kernel of that operation; empty: no operation is recorded.
inline TestEvent TestKernel(std::string name, int64_t start_ns, int64_t ns, const std::string& op) {
  TestDetails details{{"work", int64_t{0}}, {"launch", std::string("regs:1")}};
  if (!op.empty()) details["op"] = op;
  return {std::move(name), start_ns * kTestNs, ns * kTestNs, details};
}

struct TestLane {
  std::string name = "";
  std::vector<TestEvent> events = {};
  LaneRole role = LaneRole::other;  // other: thread of a host, stream of a device
  bool derived = false;
  int64_t id = 0;
};

struct TestProcess {
  std::string name = "/host:CPU";
  std::vector<TestLane> lanes = {};
  std::string host = "host";
  DeviceKind device = DeviceKind::gpu;               // of a process whose name begins with /device:
  std::map<std::string, TestDetails> of_label = {};  // by event name
  std::string vendor = "";                           // of the device
};

// The data from which the details of such a trace are read.
struct TestDetailState {
  std::vector<TestDetails> of_event;  // by Events::detail
  std::vector<TestDetails> of_label;  // by LabelId
};

inline Detail DetailOf(const std::string& key, const TestValue& value) {
  Detail detail;
  detail.key = key;
  if (const auto* integer = std::get_if<int64_t>(&value)) {
    detail.kind = ValueKind::integer;
    detail.bits = static_cast<uint64_t>(*integer);
  } else if (const auto* natural = std::get_if<uint64_t>(&value)) {
    detail.kind = ValueKind::natural;
    detail.bits = *natural;
  } else if (const auto* real = std::get_if<double>(&value)) {
    detail.kind = ValueKind::real;
    detail.bits = std::bit_cast<uint64_t>(*real);
  } else {
    detail.kind = ValueKind::text;
    detail.text = std::get<std::string>(value);
  }
  return detail;
}

inline Detail FindTestDetail(const TestDetailState& state, const Store& store, uint32_t row,
                             const std::string& key) {
  if (key == "launched") {
    const bool is_launched =
        FindTestDetail(state, store, row, "correlation").kind != ValueKind::absent;
    return is_launched ? DetailOf(key, int64_t{1}) : Detail();
  }
  const TestDetails& own = state.of_event[store.events.detail[row]];
  const TestDetails& shared = state.of_label[store.events.label[row].value];
  if (const auto at = own.find(key); at != own.end()) return DetailOf(at->first, at->second);
  if (const auto at = shared.find(key); at != shared.end()) return DetailOf(at->first, at->second);
  return {};
}

// Row i belongs to rows[i]. Empty if no row has the key, unless `others_have` it.
inline DetailColumn ReadTestRows(const TestDetailState& state, const Store& store,
                                 const std::vector<uint32_t>& rows, std::string_view key,
                                 bool others_have = false) {
  DetailColumn column;
  column.rows = {0, static_cast<uint32_t>(rows.size())};
  bool any = others_have;
  for (size_t first = 0; first < rows.size(); first += DetailBlock::kRows) {
    std::vector<uint8_t> kinds;
    std::vector<uint64_t> bits;
    for (size_t i = first; i < std::min(rows.size(), first + DetailBlock::kRows); ++i) {
      const Detail detail = FindTestDetail(state, store, rows[i], std::string(key));
      kinds.push_back(static_cast<uint8_t>(detail.kind));
      const bool is_text = detail.kind == ValueKind::text;
      bits.push_back(is_text ? column.text_of.size() : detail.bits);
      if (is_text) column.text_of.push_back(column.texts.Intern(detail.text));
      any |= detail.kind != ValueKind::absent;
    }
    column.blocks.emplace_back(kinds, bits);
  }
  return any ? std::move(column) : DetailColumn();
}

inline Result<std::vector<DetailColumn>> ReadTestColumns(const TestDetailState& state,
                                                         const Store& store, ProcessId process,
                                                         DetailKeys keys, Context&) {
  const Range lanes = store.processes[process.value].lanes;
  std::vector<uint32_t> rows;
  for (uint32_t lane = lanes.first; lane < lanes.first + lanes.count; ++lane) {
    const Range of_lane = store.lanes[lane].rows;
    for (uint32_t i = 0; i < of_lane.count; ++i) rows.push_back(of_lane.first + i);
  }
  std::vector<DetailColumn> columns;
  for (const DetailKey key : keys) {
    columns.push_back(ReadTestRows(state, store, rows, key.name()));
    if (columns.back().rows.count > 0) columns.back().rows.first = rows[0];
  }
  return columns;
}

inline Result<std::vector<DetailColumn>> ReadChosenTestRows(const TestDetailState& state,
                                                            const Store& store, ProcessId process,
                                                            std::span<const EventId> events,
                                                            DetailKeys keys, Context& context) {
  std::vector<uint32_t> rows;
  for (const EventId event : events) rows.push_back(event.value);
  TFPROF_ASSIGN(const auto of_all, ReadTestColumns(state, store, process, keys, context));
  std::vector<DetailColumn> columns;
  for (size_t i = 0; i < keys.size(); ++i) {
    columns.push_back(ReadTestRows(state, store, rows, keys[i].name(), of_all[i].rows.count > 0));
  }
  return columns;
}

inline std::vector<Detail> AllTestDetails(const TestDetails& details) {
  std::vector<Detail> all;
  for (const auto& [key, value] : details) all.push_back(DetailOf(key, value));
  return all;
}

inline void AddTestLane(const TestLane& spec, const std::map<std::string, LabelId>& labels,
                        ProcessId process, bool is_host, DeviceKind device, StoreBuilder& builder,
                        TestDetailState* state) {
  Lane lane;
  lane.name = lane.display = builder.Name(spec.name);
  lane.process = process;
  lane.id = spec.id;
  lane.derived = spec.derived;
  lane.tick_ps = 1;
  lane.role = spec.role;
  if (spec.role == LaneRole::other) lane.role = is_host ? LaneRole::thread : LaneRole::stream;
  if (is_host && xspace::IsInputThread(spec.name)) lane.role = LaneRole::input_thread;
  lane.nesting = is_host || spec.role != LaneRole::other ? Nesting::stack : Nesting::serial;
  lane.measures = is_host ? Measures::host_time : Measures::accelerator_time;
  const bool tells_work = device != DeviceKind::tpu || spec.role == LaneRole::ops;
  if (!is_host && (spec.derived || !tells_work)) lane.measures = Measures::nothing;
  builder.BeginRows(builder.AddLane(lane), StepId());
  for (const TestEvent& event : spec.events) {
    const EventId row = builder.AddEvent(event.start_ps, event.ps, labels.at(event.name),
                                         static_cast<uint32_t>(state->of_event.size()));
    if (event.start_ps == kNoTime) builder.AddAggregate(row, event.occurrences);
    state->of_event.push_back(event.details);
  }
}

// 1 for /device:GPU:1; -1: the name does not end with a digit.
inline int32_t TestOrdinal(const std::string& name) {
  const char last = name.empty() ? ':' : name.back();
  return last >= '0' && last <= '9' ? last - '0' : -1;
}

// "//a/b" is the range b of the program, inside of the range a.
inline Label TestLabel(const std::string& name, ProcessKind kind, StoreBuilder& builder) {
  const auto [role, suffix, prefix] = xspace::EventRoleOf(name, kind);
  Label label{builder.Name(name), NodeId(), NameId(), role, suffix, prefix};
  label.python = AddPythonFunction(ParseXlaPythonName(name), &builder);
  if (kind == ProcessKind::host && xspace::IsRuntimeCall(name)) {
    label.of = EventClass::runtime_call;
  }
  if (!name.starts_with("//")) return label;
  const std::string range = name.substr(name.rfind('/') + 1);
  label.path = label.name;
  label.name = builder.Name(range);
  label.of = torch::ClassOf(range);
  label.role = torch::RoleOf(range, label.of);
  return label;
}

inline void AddTestProcess(const TestProcess& spec, SourceId source, uint32_t index,
                           StoreBuilder& builder, TestDetailState* state) {
  const bool is_host = !spec.name.starts_with("/device:");
  Process process;
  process.name = builder.Name(spec.name);
  process.host = builder.AddHost(builder.Name(spec.host));
  process.source = source;
  process.index = index;
  process.kind = is_host ? ProcessKind::host : ProcessKind::device;
  const ProcessId id = builder.AddProcess(process);
  if (!is_host) {
    Device device;
    device.host = process.host;
    device.process = id;
    device.kind = spec.device;
    device.ordinal = TestOrdinal(spec.name);
    if (!spec.vendor.empty()) device.vendor = builder.Name(spec.vendor);
    const DeviceId added = builder.AddDevice(device);
    builder.process(id).device = added;
  }
  std::map<std::string, LabelId> labels;
  const LabelId first = builder.next_label();
  for (const TestLane& lane : spec.lanes) {
    for (const TestEvent& event : lane.events) {
      if (labels.count(event.name) > 0) continue;
      labels[event.name] = builder.AddLabel(TestLabel(event.name, process.kind, builder));
      const auto recorded = spec.of_label.find(event.name);
      state->of_label.push_back(recorded == spec.of_label.end() ? TestDetails() : recorded->second);
    }
  }
  builder.process(id).labels = {first.value, static_cast<uint32_t>(labels.size())};
  for (const TestLane& lane : spec.lanes) {
    AddTestLane(lane, labels, id, is_host, spec.device, builder, state);
  }
}

// `add_more` adds what else the file has.
inline StorePtr TraceOf(const std::vector<TestProcess>& processes,
                        const std::function<void(StoreBuilder&, SourceId)>& add_more = {}) {
  StoreBuilder builder;
  builder.SetEpoch(0);
  const SourceId source = builder.AddSource({});
  const auto state = std::make_shared<TestDetailState>();
  uint32_t index = 0;
  for (const TestProcess& process : processes) {
    AddTestProcess(process, source, index++, builder, state.get());
  }
  if (add_more) add_more(builder, source);
  DetailReader& reader = builder.source(source).details;
  reader.columns = [state](const Store& store, ProcessId process_id, DetailKeys keys,
                           Context& context) {
    return ReadTestColumns(*state, store, process_id, keys, context);
  };
  reader.chosen = [state](const Store& store, ProcessId process_id, std::span<const EventId> events,
                          DetailKeys keys, Context& context) {
    return ReadChosenTestRows(*state, store, process_id, events, keys, context);
  };
  reader.event = [state](const Store& store, EventId event) -> Result<std::vector<Detail>> {
    return AllTestDetails(state->of_event[store.events.detail[event.value]]);
  };
  reader.label = [state](const Store&, LabelId label) -> Result<std::vector<Detail>> {
    return AllTestDetails(state->of_label[label.value]);
  };
  return builder.Finish().value();
}

// The row of the n-th event of that name, in row order.
inline uint32_t RowNamed(const Store& store, std::string_view name, int nth = 0) {
  for (uint32_t row = 0; row < store.EventCount(); ++row) {
    const NameId of = store.labels[store.events.label[row].value].name;
    if (store.Text(of) == name && nth-- == 0) return row;
  }
  return EventId::kNone;
}

}  // namespace tfprof
