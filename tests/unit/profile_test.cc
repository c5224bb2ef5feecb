// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/check.h"
#include "loaders/formats.h"
#include "proto/tfprof_log.pb.h"
#include "tests/unit/random_message.h"
#include "tests/unit/store_rows.h"

namespace tfprof {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

// What libprotobuf's reading of the same file gives. Only events that a profile states itself are
// compared here (those of 0 occurrences are a matter of accounting, tested below).
struct Oracle {
  const pb::ProfileProto& profile;
  std::vector<std::string> lines;
  std::map<int64_t, std::string> names;  // node id -> name
  std::map<std::string, int64_t> first_of_name;

  std::string Text(const std::string& text, int64_t id) const {
    if (!text.empty()) return text;
    const auto at = profile.id_to_string().find(id);
    return at == profile.id_to_string().end() ? "" : at->second;
  }

  static std::string Shape(const google::protobuf::RepeatedField<int64_t>& dims) {
    return fmt::format("{}[{}]", dims.empty() ? -2 : dims.size(), fmt::join(dims, ","));
  }

  std::vector<std::string> Inputs(const pb::ProfileNode& node) const {
    std::map<int32_t, std::string> sorted;
    for (const auto& [slot, id] :
         std::map<int32_t, int64_t>(node.inputs().begin(), node.inputs().end())) {
      const auto source = node.src_output_index().find(id);
      const auto name = names.find(id);
      sorted[slot] = fmt::format("{}{}:{}", slot, name == names.end() ? "-" : "=" + name->second,
                                 source == node.src_output_index().end() ? 0 : source->second);
    }
    for (const auto& [slot, id] : node.outputs()) {  // -1: the graph lacked an input
      if (id == -1) sorted.try_emplace(slot, fmt::format("{}-:0", slot));
    }
    std::vector<std::string> texts;
    for (const auto& [slot, text] : sorted) texts.push_back(text);
    return texts;
  }

  void Node(size_t id, const pb::ProfileNode& node) {
    std::set<std::string> types(node.op_types().begin(), node.op_types().end());
    types.erase(node.op());
    types.erase(node.canonical_device());
    std::vector<std::string> shapes;
    std::map<int32_t, std::string> sorted;
    for (const auto& [slot, shape] : node.output_shapes())
      sorted[slot] = Shape(shape.int64_values());
    for (const auto& [slot, shape] : sorted) shapes.push_back(fmt::format("{}:{}", slot, shape));
    std::string trace = node.has_trace() ? "" : "no";
    for (const auto& t : node.trace().traces()) {
      trace += fmt::format("({}:{}:{}:{}:{})", Text(t.file(), t.file_id()), t.lineno(),
                           Text(t.function(), t.function_id()), t.func_start_line(),
                           Text(t.line(), t.line_id()));
    }
    lines.push_back(
        fmt::format("node {} id={} type={} types={} inputs={} parameter={} shapes={} "
                    "ops={} trace={}",
                    node.name(), id, node.op(), fmt::join(types, "|"), fmt::join(Inputs(node), "|"),
                    Shape(node.shape()), fmt::join(shapes, "|"), node.float_ops(), trace));
    std::string format;
    for (const pb::AttrEntry& entry : node.attrs()) {
      if (entry.key() == "data_format") format = entry.value().s();
    }
    if (!format.empty()) lines.push_back(fmt::format("data_format ={} {}", node.name(), format));
  }

  // `ends`: when the memory of each run was noted, us; a run that ended when it began took no time,
  // though profiles tell it as 1 us.
  bool Times(const std::string& name, int64_t step, const pb::ExecTimeEntry& times,
             const std::vector<int64_t>& ends) {
    size_t run = 0;
    for (const auto& pair : times.value().times()) {
      if (pair.int64_values_size() < 2) continue;
      RowText row{Lower(times.key()), name, "=" + name, "", "1", step};
      row.start_us = std::max<int64_t>(0, pair.int64_values(0));
      row.duration_us = std::max<int64_t>(0, pair.int64_values(1));
      if (run < ends.size() && row.duration_us == 1 && ends[run] > 0 && ends[run] == row.start_us) {
        row.duration_us = 0;
      }
      ++run;
      lines.push_back(Line(row));
    }
    return run > 0;
  }

  static std::string Memory(const pb::ExecMemory& memory) {
    ExecMemory row;
    row.requested = memory.requested_bytes();
    row.peak = memory.peak_bytes();
    row.residual = memory.residual_bytes();
    row.output = memory.output_bytes();
    row.temp = memory.host_temp_bytes() + memory.accelerator_temp_bytes();
    row.persistent = memory.host_persistent_bytes() + memory.accelerator_persistent_bytes();
    if (memory.allocator_bytes_in_use() != 0) row.in_use = memory.allocator_bytes_in_use();
    std::vector<OutputMemory> outputs;
    for (const auto& [slot, output] : memory.output_memory()) {
      outputs.push_back({slot, output.bytes(), output.ptr()});
    }
    return MemoryText(row, std::max<int64_t>(0, memory.memory_micros()), outputs);
  }

  void Exec(const pb::ProfileNode& node, int64_t step, const pb::ExecProfile& exec) {
    const std::string& name = node.name();
    std::map<std::string, pb::ExecTimeEntry> cpu, accelerator;
    for (const auto& entry : exec.cpu_execs()) cpu[entry.key()] = entry;
    for (const auto& entry : exec.accelerator_execs()) accelerator[entry.key()] = entry;
    std::vector<int64_t> ends;
    for (const auto& memory : exec.memory_execs()) ends.push_back(memory.memory_micros());
    for (const auto& devices : {cpu, accelerator}) {
      for (const auto& [device, entry] : devices) {
        const bool counts = device == node.canonical_device();
        const bool any = Times(name, step, entry, counts ? ends : std::vector<int64_t>());
        if (counts && any) ends.clear();
      }
    }
    for (const auto& memory : exec.memory_execs()) {
      const std::string text = Memory(memory);
      if (text.find_first_of("123456789", text.find(' ')) != std::string::npos) {
        lines.push_back("memory " + text);
      }
    }
    for (const auto& change : exec.allocations()) {
      lines.push_back(AllocationText(name, "", std::max<int64_t>(0, change.alloc_micros()),
                                     change.alloc_bytes()));
    }
  }

  std::vector<std::string> Lines() {
    std::map<int64_t, const pb::ProfileNode*> nodes;
    for (const auto& [id, node] : profile.nodes()) nodes[id] = &node;
    for (const auto& [id, node] : nodes) names[id] = node->name();
    for (const auto& [id, node] : nodes) {
      if (!first_of_name.try_emplace(node->name(), id).second) continue;
      Node(first_of_name.size() - 1, *node);
      for (const auto& [step, exec] : node->execs()) Exec(*node, step, exec);
    }
    lines.push_back(fmt::format("traces {}", profile.has_trace()));
    return lines;
  }
};

// The lines of the store that the oracle can tell.
std::vector<std::string> OwnLines(const Store& store) {
  std::vector<std::string> own;
  for (std::string line : StoreRows(store)) {
    const auto begins = [&](const char* with) { return line.rfind(with, 0) == 0; };
    if (begins("lane ") || begins("step ") || begins("declared ")) continue;
    if (begins("node ")) {
      const size_t lanes = line.rfind(" lanes="), inputs = line.rfind(" inputs=");
      line.erase(lanes, inputs - lanes);
    }
    if (begins("event ")) {
      for (size_t at = line.find(" <"); at != std::string::npos; at = line.find('<', at + 3)) {
        const size_t from = line[at] == ' ' ? at + 1 : at;
        const std::string text = line.substr(from, line.find('>', from) + 1 - from);
        // A row of zeros on an unplaced event says nothing.
        if (text.find_first_of("123456789", text.find(' ')) != std::string::npos) {
          own.push_back("memory " + text);
        }
      }
      if (line.find(" runs=1 ") == std::string::npos) continue;
      line = line.substr(0, line.find(" runs=1 ") + 8);
    }
    own.push_back(line);
  }
  return own;
}

void Compare(const std::string& bytes) {
  pb::ProfileProto profile;
  REQUIRE(profile.ParseFromString(bytes));
  Oracle oracle{profile, {}, {}, {}};
  REQUIRE(Difference(OwnLines(*LoadProfile(bytes)), oracle.Lines()) == "");
}

pb::ProfileProto OneExec(pb::ExecProfile** exec) {
  pb::ProfileProto profile;
  profile.add_steps(3);
  pb::ProfileNode& node = (*profile.mutable_nodes())[0];
  node.set_name("n");
  node.set_op("MatMul");
  node.set_canonical_device("/gpu:0");
  *exec = &(*node.mutable_execs())[3];
  return profile;
}

void AddPair(int64_t start, int64_t duration, pb::ExecTimeEntry* entry) {
  auto* pair = entry->mutable_value()->add_times();
  pair->add_int64_values(start);
  pair->add_int64_values(duration);
}

std::vector<std::string> EventLines(const pb::ProfileProto& profile) {
  std::vector<std::string> events;
  for (const std::string& line : StoreRows(*LoadProfile(profile.SerializeAsString()))) {
    if (line.rfind("event ", 0) == 0) events.push_back(line);
  }
  return events;
}

}  // namespace

TEST_CASE("profile: recorded files read as libprotobuf reads them") {
  const std::vector<std::string> paths = ReferenceFiles("profile.pb");
  if (paths.empty()) WARN("no reference files; only random messages are compared");
  for (const std::string& path : paths) {
    CAPTURE(path);
    Compare(ReadWhole(path));
  }
}

TEST_CASE("profile: random messages read as libprotobuf reads them") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    pb::ProfileProto profile;
    FillRandomly(&profile, &random);
    Compare(seed % 2 == 0 ? profile.SerializeAsString() : ScrambledBytes(profile, &random));
  }
}

TEST_CASE("profile: a run told as 1 us took none when its memory was noted at its start") {
  pb::ExecProfile* exec = nullptr;
  pb::ProfileProto profile = OneExec(&exec);
  exec->set_run_count(2);
  exec->set_all_start_micros(100);
  exec->set_latest_end_micros(111);
  exec->add_devices("/gpu:0");
  auto* times = exec->add_cpu_execs();
  times->set_key("/gpu:0");
  AddPair(100, 1, times);
  AddPair(110, 1, times);
  exec->add_memory_execs()->set_memory_micros(100);
  exec->add_memory_execs()->set_memory_micros(111);
  const auto event = [](int start, int duration) {
    return fmt::format("event lane=/gpu:0 step=3 label=n node==n start={} duration={} runs=1 ",
                       start, duration);
  };
  REQUIRE(Difference(EventLines(profile), {event(100, 0), event(110, 1)}) == "");
}

TEST_CASE("profile: pairs are events, other devices stay as events that count nothing") {
  pb::ExecProfile* exec = nullptr;
  pb::ProfileProto profile = OneExec(&exec);
  exec->set_run_count(2);
  exec->set_all_start_micros(90);
  exec->set_latest_end_micros(200);
  exec->add_devices("/gpu:0");
  exec->add_devices("/gpu:0/stream:12");
  auto* times = exec->add_cpu_execs();
  times->set_key("/gpu:0");
  AddPair(100, 5, times);
  AddPair(110, 6, times);
  auto* memory = exec->add_memory_execs();
  memory->set_requested_bytes(1);
  memory = exec->add_memory_execs();
  memory->set_requested_bytes(2);
  const auto event = [](const char* lane, int start, int duration, const char* runs,
                        const char* memory) {
    return fmt::format("event lane={} step=3 label=n node==n start={} duration={} runs={} {}", lane,
                       start, duration, runs, memory);
  };
  const auto zero = [](int requested) {
    return fmt::format(
        "<0 requested={} peak=0 residual=0 output=0 temp=0 persistent=0 in_use=none>", requested);
  };
  REQUIRE(Difference(EventLines(profile), {event("/gpu:0", 100, 5, "1", zero(1).c_str()),
                                           event("/gpu:0", 110, 6, "1", zero(2).c_str()),
                                           event("/gpu:0/stream:12", 0, 0, "(0)", "")}) == "");
  const StorePtr store = LoadProfile(profile.SerializeAsString());
  REQUIRE(store->declared.size() == 1);
  REQUIRE(store->declared[0].first_start_ps == 0);  // the first time of the file
  REQUIRE(store->declared[0].last_end_ps == 110 * kPsPerUs);
  REQUIRE(store->Text(store->lanes[store->node_lanes[0].value].name) == "/gpu:0");
}

TEST_CASE("profile: a step without times is present all the same") {
  pb::ExecProfile* exec = nullptr;
  pb::ProfileProto profile = OneExec(&exec);
  REQUIRE(EventLines(profile) ==
          std::vector<std::string>{
              "event lane=/gpu:0 step=3 label=n node==n start=0 duration=0 runs=(0) "});
  exec->add_devices("/gpu:0");
  REQUIRE(EventLines(profile).size() == 1);
}

TEST_CASE("profile: runs that have no times are counted by an event without place") {
  pb::ExecProfile* exec = nullptr;
  pb::ProfileProto profile = OneExec(&exec);
  exec->set_run_count(5);
  AddPair(100, 5, exec->add_cpu_execs());
  exec->mutable_cpu_execs(0)->set_key("/gpu:0");
  REQUIRE(Difference(EventLines(profile),
                     {"event lane=/gpu:0 step=3 label=n node==n start=100 duration=5 runs=1 ",
                      "event lane=/gpu:0 step=3 label=n node==n start=0 duration=0 runs=(4) "}) ==
          "");
  exec->set_run_count(0);
  const StorePtr store = LoadProfile(profile.SerializeAsString());
  REQUIRE(store->notes.size() == 1);
}

TEST_CASE("profile: nodes by ascending id, the first of a name counts, edges find both") {
  pb::ProfileProto profile;
  for (const int id : {7, 3, 12}) {
    auto& node = (*profile.mutable_nodes())[id];
    node.set_name(id == 3 ? "z" : "same");
    node.set_op(std::to_string(id));
    (*node.mutable_inputs())[0] = 12;
    (*node.mutable_inputs())[1] = 99;
  }
  const StorePtr store = LoadProfile(profile.SerializeAsString());
  REQUIRE(store->nodes.size() == 2);
  REQUIRE(store->Text(store->nodes[0].name) == "z");
  REQUIRE(store->Text(store->nodes[1].type) == "7");
  REQUIRE(store->edges[0].producer == NodeId(1));
  REQUIRE(!store->edges[1].producer.some());
  REQUIRE(store->notes.size() == 2);
}

TEST_CASE("profile: a cut off file is a placed error; what is whole can be kept") {
  pb::ExecProfile* exec = nullptr;
  pb::ProfileProto profile = OneExec(&exec);
  profile.set_has_trace(true);
  const std::string whole = profile.SerializeAsString();
  int errors = 0;
  for (size_t size = 1; size < whole.size(); ++size) {
    StoreBuilder builder;
    Context context;
    const auto result =
        kProfileLoader.load(MemoryFile(whole.substr(0, size)), {}, builder, context);
    if (result) continue;  // cut between two fields
    ++errors;
    REQUIRE(result.error().kind == ErrorKind::corrupt);
    REQUIRE(result.error().where.find("test: byte ") == 0);
  }
  REQUIRE(errors >= static_cast<int>(whole.size()) - 4);
  StoreBuilder builder;
  Context context;
  context.limits.partial = true;
  REQUIRE(kProfileLoader.load(MemoryFile(whole.substr(0, whole.size() - 1)), {}, builder, context));
  REQUIRE(builder.Finish().value()->nodes.size() == 1);
}

}  // namespace tfprof
