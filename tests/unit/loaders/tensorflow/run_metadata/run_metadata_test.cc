// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "core/store/rounded_time.h"
#include "loaders/formats.h"
#include "loaders/tensorflow/run_metadata/copy_label.h"
#include "loaders/tensorflow/run_metadata/timeline_label.h"
#include "proto/run_metadata.pb.h"
#include "tests/support/opening.h"
#include "tests/support/random_message.h"
#include "tests/support/store_rows.h"

namespace tfprof::run_metadata_test {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

StorePtr LoadBytes(const std::vector<std::string>& files) {
  StoreBuilder builder;
  Context context;
  for (size_t i = 0; i < files.size(); ++i) {
    LoadArguments arguments{static_cast<int64_t>(i)};
    REQUIRE(kRunMetadataLoader.load(MemoryFile(files[i]), arguments, builder, context));
  }
  const StorePtr store = builder.Finish().value();
  REQUIRE(BrokenInvariant(*store) == "");
  return store;
}

// What libprotobuf's reading of the same files gives, by the rules of the original.
struct Oracle {
  std::vector<std::string> lines;
  std::vector<std::string> nodes;
  std::map<std::string, std::vector<std::string>> lanes_of_node;
  std::set<std::string> lanes, covered;
  std::vector<std::pair<size_t, size_t>> coverage;

  std::string Memory(const pb::NodeExecStats& record) {
    ExecMemory sum;
    std::vector<OutputMemory> outputs;
    bool any = record.has_memory_stats();
    sum.temp = record.memory_stats().temp_memory_size();
    sum.persistent = record.memory_stats().persistent_memory_size();
    sum.requested = sum.peak = sum.temp + sum.persistent;
    sum.residual = sum.persistent;
    for (const auto& memory : record.memory()) {
      any = true;
      sum.requested += memory.total_bytes();
      sum.peak += memory.peak_bytes();
      sum.residual += memory.live_bytes();
      if (memory.allocator_name().find("GPU") == std::string::npos) continue;
      sum.in_use = std::max({sum.in_use, int64_t{0}, memory.allocator_bytes_in_use()});
    }
    for (const auto& output : record.output()) {
      if (!output.tensor_description().has_allocation_description()) continue;
      any = true;
      const auto& buffer = output.tensor_description().allocation_description();
      const int64_t bytes = std::max(buffer.allocated_bytes(), buffer.requested_bytes());
      outputs.push_back({output.slot(), bytes, buffer.ptr()});
      sum.output += bytes;
    }
    if (!any || record.all_start_micros() <= 0) return "";
    return MemoryText(sum, record.all_start_micros() + record.op_end_rel_micros(), outputs);
  }

  void Allocations(const pb::NodeExecStats& record) {
    for (const auto& memory : record.memory()) {
      for (const auto& change : memory.allocation_records()) {
        lines.push_back(AllocationText(record.node_name(), memory.allocator_name(),
                                       std::max<int64_t>(0, change.alloc_micros()),
                                       change.alloc_bytes()));
      }
    }
  }

  // The node of a record, or "-".
  std::string Node(const std::string& label) {
    const std::string name = label.substr(0, label.find(':'));
    if (std::find(nodes.begin(), nodes.end(), name) != nodes.end()) {
      covered.insert(name);
      return "=" + name;
    }
    if (name == "RecvTensor" || name == "_SOURCE" || name.find("MEMCPY") != name.npos) return "-";
    nodes.push_back(name);
    return "=" + name;
  }

  void Record(const std::string& lane, int64_t step, const pb::NodeExecStats& record) {
    RowText row{lane, record.node_name(), Node(record.node_name()), Memory(record), "1", step};
    row.start_us = std::max<int64_t>(0, record.all_start_micros());
    row.duration_us = std::max<int64_t>(0, record.op_end_rel_micros());
    lines.push_back(Line(row));
    if (row.start_us > 0) Allocations(record);
    if (row.node != "-") {
      auto& list = lanes_of_node[row.node.substr(1)];
      if (std::find(list.begin(), list.end(), lane) == list.end()) list.push_back(lane);
    }
  }

  void File(int64_t step, const pb::RunMetadata& message) {
    bool gpu = false, stream = false;
    for (const auto& device : message.step_stats().dev_stats()) {
      const std::string lane = Lower(device.device());
      lanes.insert(lane);
      gpu |= lane.find("gpu") != lane.npos;
      stream |= lane.find("gpu") != lane.npos && lane.find("stream:all") != lane.npos;
      for (const auto& record : device.node_stats()) Record(lane, step, record);
    }
    if (message.has_step_stats()) lines.push_back(fmt::format("step {} {}", step, gpu && !stream));
    coverage.emplace_back(covered.size(), nodes.size());
  }

  std::vector<std::string> Lines() const {
    std::vector<std::string> all = lines;
    for (const std::string& lane : lanes) all.push_back("lane " + lane);
    for (size_t i = 0; i < nodes.size(); ++i) {
      const auto found = lanes_of_node.find(nodes[i]);
      all.push_back(fmt::format(
          "node {} id={} type={} types= lanes={} inputs= parameter=-2[] shapes= ops=0 trace=no",
          nodes[i], i, nodes[i], fmt::join(found->second, "|")));
    }
    all.push_back("traces false");
    return all;
  }
};

void Compare(const std::vector<std::string>& files) {
  Oracle oracle;
  for (size_t i = 0; i < files.size(); ++i) {
    pb::RunMetadata message;
    REQUIRE(message.ParseFromString(files[i]));
    oracle.File(static_cast<int64_t>(i), message);
  }
  const StorePtr store = LoadBytes(files);
  REQUIRE(Difference(StoreRows(*store), oracle.Lines()) == "");
  for (size_t i = 0; i < files.size(); ++i) {
    REQUIRE(store->sources[i].covered_nodes == static_cast<int64_t>(oracle.coverage[i].first));
    REQUIRE(store->sources[i].known_nodes == static_cast<int64_t>(oracle.coverage[i].second));
  }
}

// Bytes of a step with one device and one record.
pb::RunMetadata OneRecord(pb::NodeExecStats** record) {
  pb::RunMetadata message;
  auto* device = message.mutable_step_stats()->add_dev_stats();
  device->set_device("/job:x/device:CPU:0");
  *record = device->add_node_stats();
  (*record)->set_node_name("a/b:MatMul");
  (*record)->set_all_start_micros(1'500'000'000'000'000);
  (*record)->set_op_end_rel_micros(7);
  return message;
}

}  // namespace

TEST_CASE("run metadata: recorded and random files are read like libprotobuf reads them") {
  const std::vector<std::string> paths = ReferenceFiles("run_meta");
  if (paths.empty()) WARN("no reference files; only random messages are compared");
  for (const std::string& path : paths) {
    CAPTURE(path);
    Compare({ReadWhole(path)});
  }
}

TEST_CASE("run metadata: random messages are read like libprotobuf reads them") {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::string> files;
    for (int i = 0; i < 2; ++i) {
      pb::RunMetadata message;
      FillRandomly(message.mutable_step_stats(), &random);
      files.push_back(seed % 2 == 0 ? message.SerializeAsString()
                                    : ScrambledBytes(message, &random));
    }
    Compare(files);
  }
}

TEST_CASE("run metadata: a duplicate message is merged, even if split in the middle") {
  pb::NodeExecStats* record = nullptr;
  const std::string one = OneRecord(&record).SerializeAsString();
  Compare({one + one});
  pb::DeviceStepStats device;
  device.add_node_stats()->set_node_name("early");
  // The device behind the records, and twice.
  std::string bytes = device.SerializeAsString();
  device.Clear();
  device.set_device("/gpu:1");
  bytes += device.SerializeAsString();
  device.set_device("/gpu:0");
  bytes += device.SerializeAsString();
  const std::string step = "\x0a" + std::string(1, static_cast<char>(bytes.size())) + bytes;
  Compare({"\x0a" + std::string(1, static_cast<char>(step.size())) + step});
}

TEST_CASE("run metadata: nanoseconds are kept, and the original's microseconds follow from them") {
  pb::NodeExecStats* record = nullptr;
  pb::RunMetadata message = OneRecord(&record);
  // From 0.9 us to 7.1 us after a whole microsecond: 7 of them, but only 6.2 us.
  record->set_all_start_nanos(1'500'000'000'000'000'900);
  record->set_op_end_rel_nanos(6'200);
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  CHECK(store->has_nanoseconds);
  CHECK(store->events.duration_ps[0] == 6'200 * kPsPerNs);
  CHECK(store->events.start_ps[0] == 900 * kPsPerNs);
  CHECK(RoundedStart(*store, 0) == 0);
  CHECK(RoundedLength(*store, 0) == 7 * kPsPerUs);
}

TEST_CASE("run metadata: nanoseconds that contradict the microseconds do not count") {
  pb::NodeExecStats* record = nullptr;
  pb::RunMetadata message = OneRecord(&record);
  record->set_all_start_nanos(1'500'000'000'000'000'000);  // without an end
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  CHECK_FALSE(store->has_nanoseconds);
  CHECK(store->events.duration_ps[0] == 7 * kPsPerUs);
}

TEST_CASE("run metadata: a record without a start time has no memory but is present") {
  pb::NodeExecStats* record = nullptr;
  pb::RunMetadata message = OneRecord(&record);
  record->set_all_start_micros(0);
  record->add_memory()->set_total_bytes(5);
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  REQUIRE(store->EventCount() == 1);
  REQUIRE(store->events.start_ps[0] == kNoTime);
  REQUIRE(store->lanes[0].unplaced == 1);
  REQUIRE(store->exec_memory.empty());
  REQUIRE(HasNote(*store, "without a start time"));
}

TEST_CASE("run metadata: runtime records are kept and noted, but are not nodes") {
  pb::NodeExecStats* record = nullptr;
  pb::RunMetadata message = OneRecord(&record);
  record->set_node_name("edge_5_MEMCPYHtoD");
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  REQUIRE(store->nodes.empty());
  REQUIRE(store->EventCount() == 1);
  REQUIRE(!store->labels[0].node.some());
  REQUIRE(store->notes.size() == 1);
  REQUIRE(store->notes[0].cost_ps == 7 * kPsPerUs);
}

TEST_CASE("run metadata: empty step statistics are a step, missing ones are not") {
  REQUIRE(LoadBytes({""})->steps.empty());
  REQUIRE(LoadBytes({""})->sources[0].covered_nodes == 0);
  REQUIRE(LoadBytes({std::string("\x0a\0", 2)})->steps.size() == 1);
}

TEST_CASE("run metadata: one extreme time does not shift the others") {
  pb::RunMetadata message;
  auto* device = message.mutable_step_stats()->add_dev_stats();
  for (const int64_t start : {INT64_C(9'000'000'000'000'000'000), INT64_C(1'500'000'000'000'000),
                              INT64_C(1'500'000'000'000'100)}) {
    device->add_node_stats()->set_all_start_micros(start);
  }
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  REQUIRE(store->epoch_ns == 1'500'000'000'000'000'000);
  REQUIRE(store->events.start_ps[1] == 100 * kPsPerUs);
  REQUIRE(store->events.start_ps[2] == kMaxPs);
}

TEST_CASE("run metadata: a damaged record is skipped, a damaged file is an error with a place") {
  pb::NodeExecStats* record = nullptr;
  pb::RunMetadata message = OneRecord(&record);
  const std::string bytes = message.SerializeAsString();
  std::string odd = bytes;
  odd[odd.find("a/b") - 1] = 0x70;  // the name is longer than the record
  const StorePtr store = LoadBytes({odd});
  REQUIRE(store->EventCount() == 0);
  REQUIRE(HasNote(*store, "malformed records"));

  message.mutable_step_stats()->mutable_dev_stats(0)->add_node_stats()->set_node_name("second");
  const std::string whole = message.SerializeAsString();
  for (size_t size = 1; size < whole.size(); ++size) {
    StoreBuilder builder;
    Context context;
    const auto result =
        kRunMetadataLoader.load(MemoryFile(whole.substr(0, size)), {}, builder, context);
    REQUIRE(!result);
    REQUIRE(result.error().kind == ErrorKind::corrupt);
    REQUIRE(result.error().where.find("test: byte ") == 0);
  }
  StoreBuilder builder;
  Context context;
  context.limits.partial = true;
  REQUIRE(
      kRunMetadataLoader.load(MemoryFile(whole.substr(0, whole.size() - 3)), {}, builder, context));
  REQUIRE(builder.Finish().value()->EventCount() == 1);
}

TEST_CASE("run metadata: loading can be cancelled") {
  pb::NodeExecStats* record = nullptr;
  StoreBuilder builder;
  Context context;
  context.polls_until_cancel = 0;
  const auto result = kRunMetadataLoader.load(MemoryFile(OneRecord(&record).SerializeAsString()),
                                              {}, builder, context);
  REQUIRE(!result);
  REQUIRE(result.error().kind == ErrorKind::cancelled);
}

TEST_CASE("the text of a record has the type of its kernel") {
  CHECK(TypeInTimelineLabel("a/b = Conv2D(x, y/read)") == "Conv2D");
  CHECK(TypeInTimelineLabel("[CPU 1.0MB] a = Const()") == "Const");
  CHECK(TypeInTimelineLabel("Identity(conv2/kernel)") == "Identity");
  CHECK(TypeInTimelineLabel("a = _MklNativeConv2D(x)") == "Conv2D");  // another kernel of the same
  CHECK(TypeInTimelineLabel("r = _FusedMatMul(x, w, b)") == "_FusedMatMul");
  CHECK(TypeInTimelineLabel("").empty());
  CHECK(TypeInTimelineLabel("a note (of someone)").empty());
  CHECK(TypeInTimelineLabel("(x)").empty());
}

TEST_CASE("without a graph names are types, and noted; kernels of another type are kept") {
  pb::RunMetadata run;
  pb::DeviceStepStats* device = run.mutable_step_stats()->add_dev_stats();
  device->set_device("/device:CPU:0");
  const auto add = [&](const std::string& name, const std::string& label) {
    pb::NodeExecStats* record = device->add_node_stats();
    record->set_node_name(name);
    record->set_timeline_label(label);
    record->set_all_start_micros(1'000'000);
  };
  add("relu", "relu = _FusedMatMul(x)");
  add("x", "x = Placeholder()");
  add("bare", "");
  // The type of each node, and of its kernel if that is another one; how many types are noted.
  const auto types = [&](bool notes, bool graph) {
    StoreBuilder builder;
    if (graph) {
      builder.AddNode(builder.Name("relu"), builder.Name("Relu"), true);
      builder.AddNode(builder.Name("x"), builder.Name("Placeholder"), true);
    }
    Context context;
    const std::string bytes = run.SerializeAsString();
    REQUIRE(kRunMetadataLoader.load(MemoryFile(bytes), {.notes_types = notes}, builder, context));
    const StorePtr store = builder.Finish().value();
    REQUIRE(BrokenInvariant(*store) == "");
    std::string all;
    for (const Node& node : store->nodes) all += std::string(store->Text(node.type)) + " ";
    for (const RanAs& ran : store->ran_as)
      all += fmt::format("[{} {}]", store->Text(store->nodes[ran.node.value].name),
                         store->Text(ran.type));
    for (const Note& noted : store->notes) {
      if (noted.what.row == &note::names_as_types) all += std::to_string(noted.count);
    }
    return all;
  };
  CHECK(types(true, false) == "relu x bare [relu _FusedMatMul][x Placeholder]3");
  CHECK(types(false, false) == "relu x bare ");
  CHECK(types(true, true) == "Relu Placeholder bare [relu _FusedMatMul]");
}

TEST_CASE("without a graph, nodes have the inputs in the texts of their records") {
  pb::RunMetadata run;
  pb::DeviceStepStats* device = run.mutable_step_stats()->add_dev_stats();
  device->set_device("/device:CPU:0");
  const auto add = [&](const std::string& name, const std::string& label) {
    pb::NodeExecStats* record = device->add_node_stats();
    record->set_node_name(name);
    record->set_timeline_label(label);
    record->set_all_start_micros(1'000'000);
  };
  add("sum", "sum = AddN(gone, w/read, split:1, ^init)");
  add("w/read", "Identity(w)");
  add("split", "split = Split()");
  add("init", "init = NoOp()");
  const auto inputs_of_first = [&](bool notes) {
    StoreBuilder builder;
    Context context;
    const std::string bytes = run.SerializeAsString();
    REQUIRE(kRunMetadataLoader.load(MemoryFile(bytes), {.notes_types = notes}, builder, context));
    const StorePtr store = builder.Finish().value();
    std::string all;
    for (const Edge& edge : store->Inputs(store->nodes[0])) {
      all += fmt::format("{}:{} {};", store->Text(store->nodes[edge.producer.value].name),
                         edge.output_slot, edge.input_slot);
    }
    return all;
  };
  CHECK(inputs_of_first(true) == "w/read:0 1;split:1 2;init:-1 3;");
  CHECK(inputs_of_first(false).empty());  // as the original
  CHECK(InputsInTimelineLabel("a note (of someone)").empty());
}

TEST_CASE("run metadata: the copies of device tracers are recognized, whatever their form") {
  const auto check = [](const char* name, const char* label, const char* device,
                        const CopyLabel& expected) {
    CAPTURE(name, label, device);
    const std::optional<CopyLabel> copy = CopyOfRecord(name, label, device);
    REQUIRE(copy);
    CHECK(copy->direction == expected.direction);
    CHECK(copy->bytes == expected.bytes);
    CHECK(copy->from == expected.from);
    CHECK(copy->to == expected.to);
    CHECK(copy->op == expected.op);
  };
  const EventRole to_device = EventRole::copy_to_device, to_host = EventRole::copy_to_host;
  check("a/b:MEMCPYHtoD", "MEMCPYHtoD 400 bytes (Pageable to Device)", "/gpu:0/memcpy",
        {to_device, 400, "Pageable", "Device", "a/b"});
  check("unknown:MEMCPYDtoH", "MEMCPYDtoH 8 bytes (Device to Pinned)", "/gpu:0/stream:7",
        {to_host, 8, "Device", "Pinned", ""});
  check("a/b:CopyDeviceToHost", "CopyDeviceToHost 12 bytes", "/device:GPU:0/memcpy",
        {to_host, 12, "", "", "a/b"});
  check("a/b", "a/b bytes:64 aync to device:1", "/device:GPU:0/stream:9<MemcpyD2H>",
        {to_host, 64, "", "", "a/b"});
  check("a/b", "a/b bytes:64 aync", "/device:GPU:0/memcpy", {EventRole::none, 64, "", "", "a/b"});
  check("a/b:MatMul", "MemcpyH2D kind_src:pageable kind_dst:device size:5 dest:0 async:1",
        "/device:GPU:0/memcpy", {to_device, 5, "pageable", "device", "a/b"});
  check("MemcpyP2P", "MemcpyP2P size:7", "/device:GPU:0/memcpy",
        {EventRole::copy_to_peer, 7, "", "", ""});
  check("a/b", "", "/device:GPU:0/memcpy", {EventRole::none, kNoInt, "", "", "a/b"});
  CHECK_FALSE(CopyOfRecord("a/b", "sgemm regs:12 grid:1,1,1@@a/b", "/gpu:0/stream:7"));
  CHECK_FALSE(CopyOfRecord("a/b:Conv2D", "", "/gpu:0/stream:7"));
}

TEST_CASE("run metadata: copies are kept beside the nodes, those of other devices are not") {
  pb::RunMetadata message;
  const auto add = [&](const char* device, const char* name, const char* label, int64_t start_us) {
    auto* of_device = message.mutable_step_stats()->add_dev_stats();
    of_device->set_device(device);
    auto* record = of_device->add_node_stats();
    record->set_node_name(name);
    record->set_timeline_label(label);
    record->set_all_start_micros(start_us);
    record->set_op_end_rel_micros(3);
  };
  add("/device:CPU:0", "MEMCPYHtoD", "", 1'500'000'000'000'001);
  add("/gpu:0/memcpy", "a:MEMCPYHtoD", "MEMCPYHtoD 9 bytes (Pinned to Device)",
      1'500'000'000'000'005);
  add("/gpu:0/memcpy", "b:MEMCPYDtoH", "", 1'500'000'000'000'002);
  add("/gpu:0/memcpy", "c:MEMCPYDtoH", "", 0);
  const StorePtr store = LoadBytes({message.SerializeAsString()});
  REQUIRE(store->copies.size() == 2);  // in order of time; one has no start
  CHECK(store->copies[0].direction == EventRole::copy_to_host);
  CHECK(store->copies[0].bytes == kNoInt);
  CHECK(store->Text(store->copies[0].op) == "b");
  CHECK(store->copies[1].bytes == 9);
  CHECK(store->Text(store->copies[1].from) == "pinned");
  CHECK(store->events.duration_ps[store->copies[1].event.value] == 3 * kPsPerUs);
}

}  // namespace tfprof::run_metadata_test
