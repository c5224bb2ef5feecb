// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/store/call_stacks.h"
#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "proto/tfprof_log.pb.h"
#include "tests/support/facts/profile_facts.h"
#include "tests/support/random_message.h"
#include "tests/support/store_rows.h"

namespace tfprof::profile_test {
namespace {

void Compare(const std::string& bytes) {
  pb::ProfileProto profile;
  REQUIRE(profile.ParseFromString(bytes));
  REQUIRE(Difference(ProfileFacts(*LoadProfile(bytes)), ProfileFacts(profile)) == "");
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

TEST_CASE("profile: recorded files are read like libprotobuf reads them") {
  const std::vector<std::string> paths = ReferenceFiles("profile.pb");
  if (paths.empty()) WARN("no reference files; only random messages are compared");
  for (const std::string& path : paths) {
    CAPTURE(path);
    Compare(ReadWhole(path));
  }
}

TEST_CASE("profile: random messages are read like libprotobuf reads them") {
  for (uint32_t seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    pb::ProfileProto profile;
    FillRandomly(&profile, &random);
    Compare(seed % 2 == 0 ? profile.SerializeAsString() : ScrambledBytes(profile, &random));
  }
}

TEST_CASE("profile: a run of 1 us took no time if its memory was recorded at its start") {
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

TEST_CASE("profile: pairs are events, and other devices keep events that count nothing") {
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

TEST_CASE("profile: runs without times are counted by an unplaced event") {
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

TEST_CASE("profile: nodes ascend by id, the first with a name counts, and edges find both") {
  pb::ProfileProto profile;
  for (const int id : {7, 3, 12}) {
    auto& node = (*profile.mutable_nodes())[id];
    node.set_name(id == 3 ? "z" : "same");
    node.set_op(std::to_string(id));
    (*node.mutable_inputs())[0] = 12;
    (*node.mutable_inputs())[1] = 99;
  }
  const std::string bytes = profile.SerializeAsString();
  const StorePtr store = LoadProfile(bytes);
  REQUIRE(store->nodes.size() == 2);
  REQUIRE(store->Text(store->nodes[0].name) == "z");
  REQUIRE(store->Text(store->nodes[1].type) == "7");
  REQUIRE(store->edges[0].producer == NodeId(1));
  REQUIRE(!store->edges[1].producer.some());
  REQUIRE(store->notes.size() == 2);
  const Note& unknown = store->notes[1];
  REQUIRE(unknown.what == note::unknown_inputs);
  REQUIRE(unknown.count == 2);
  const std::string of_z = std::to_string(bytes.find("\x0a\x01z"));
  REQUIRE_THAT(unknown.first_place, Catch::EndsWith(of_z));
}

TEST_CASE("profile: ids may be far apart, and the last node with an id counts") {
  std::string bytes;
  for (const auto& [id, name] : {std::pair(int64_t{1} << 40, "far"),
                                 {int64_t{-5}, "least"},
                                 {int64_t{3}, "replaced"},
                                 {int64_t{3}, "three"}}) {
    pb::ProfileProto one;
    auto& node = (*one.mutable_nodes())[id];
    node.set_name(name);
    (*node.mutable_inputs())[0] = int64_t{1} << 40;
    bytes += one.SerializeAsString();
  }
  const StorePtr store = LoadProfile(bytes);
  REQUIRE(store->nodes.size() == 3);
  REQUIRE(store->Text(store->nodes[0].name) == "least");
  REQUIRE(store->Text(store->nodes[1].name) == "three");
  for (const Edge& edge : store->edges) REQUIRE(edge.producer == NodeId(2));
}

TEST_CASE("profile: nodes with one call stack share it; each counts its missing texts") {
  pb::ProfileProto profile;
  (*profile.mutable_id_to_string())[1] = "train.py";
  for (int id = 0; id < 5; ++id) {
    auto& node = (*profile.mutable_nodes())[id];
    node.set_name(std::to_string(id));
    auto* frame = node.mutable_trace()->add_traces();
    frame->set_file_id(1);
    frame->set_function_id(2);  // which is not told
    frame->set_lineno(id == 4 ? 8 : 7);
  }
  const StorePtr store = LoadProfile(profile.SerializeAsString());
  Context context;
  const CallStacks code = ReadCallStacks(*store, context).value();
  REQUIRE(code.stacks.size() == 2);
  const auto stack_of = [&](int id) { return code.of_id[store->nodes[id].stack.value]; };
  REQUIRE(stack_of(0) == stack_of(3));
  REQUIRE(code.Of(store->nodes[4].stack)[0].line == 8);
  REQUIRE(store->notes.empty());
  REQUIRE(code.notes.size() == 1);
  REQUIRE(code.notes[0].count == 5);
  REQUIRE(code.notes[0].first_place.find("test: byte ") == 0);
}

TEST_CASE("profile: a truncated file is an error with a place; the complete part can be kept") {
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

}  // namespace tfprof::profile_test
