// SPDX-License-Identifier: Apache-2.0
#include "loaders/merge/unrelated_runs.h"

#include <catch2/catch.hpp>

#include "core/store/note_catalogue.h"
#include "core/store/same_run.h"
#include "loaders/open.h"
#include "proto/xplane.pb.h"
#include "tests/support/source_of.h"

namespace tfprof::unrelated_runs_test {
namespace {

constexpr int64_t kSecond = 1'000'000'000;  // ns

// A trace whose recorder says when it ran; at 0: it does not.
std::string Trace(int64_t begin_ns, int64_t end_ns, const std::string& machine) {
  pb::XSpace space;
  if (!machine.empty()) space.add_hostnames(machine);
  pb::XPlane& host = *space.add_planes();
  host.set_name("/host:CPU");
  (*host.mutable_event_metadata())[1].set_name("op");
  host.add_lines()->add_events()->set_metadata_id(1);
  pb::XPlane& plane = *space.add_planes();
  plane.set_name("Task Environment");
  int64_t id = 0;
  for (const auto& [key, ns] :
       {std::pair{"profile_start_time", begin_ns}, {"profile_stop_time", end_ns}}) {
    ++id;
    (*plane.mutable_stat_metadata())[id].set_id(id);
    (*plane.mutable_stat_metadata())[id].set_name(key);
    pb::XStat& stat = *plane.add_stats();
    stat.set_metadata_id(id);
    stat.set_uint64_value(static_cast<uint64_t>(ns));
  }
  return space.SerializeAsString();
}

struct Span {
  int64_t first_s;
  int64_t last_s;
  std::string machine = {};
};

// The places of the notes about traces of such seconds, which are called a, b, c ...; and how many.
std::string NotedOf(const std::vector<Span>& spans) {
  const TestFolder folder;
  std::vector<Input> inputs;
  for (const Span& span : spans) {
    const char name = static_cast<char>('a' + inputs.size());
    const std::string path = folder / (std::string(1, name) + ".xplane.pb");
    constexpr int64_t kBegin = 1'700'000'000;
    WriteFile(path, span.first_s < 0 ? Trace(0, 5, "")
                                     : Trace((kBegin + span.first_s) * kSecond,
                                             (kBegin + span.last_s) * kSecond, span.machine));
    inputs.push_back({path});
  }
  Context context;
  const StorePtr store = Load(inputs, context).value();
  std::string noted;
  for (const Note& note : store->notes) {
    if (note.what != note::other_runs) continue;
    noted += note.first_place.substr(note.first_place.rfind('/') + 1, 1);
    noted += std::to_string(note.count);
  }
  CHECK(IsOneRun(*store) == noted.empty());
  return noted;
}

TEST_CASE("traces of the same time belong to one run") {
  CHECK(NotedOf({{0, 10}}).empty());
  CHECK(NotedOf({{0, 10}, {0, 10}, {2, 12}}).empty());
  CHECK(NotedOf({{0, 10}, {50, 60}}).empty());  // clocks differ
  CHECK(NotedOf({{0, 100}, {190, 290}}).empty());
  CHECK(NotedOf({{0, 100}, {90, 190}, {180, 280}}).empty());
  CHECK(NotedOf({{0, 10}, {-1, -1}}).empty());  // nobody knows
  CHECK(NotedOf({{-1, -1}, {-1, -1}}).empty());
}

TEST_CASE("traces of other times are noted as other runs") {
  CHECK(NotedOf({{0, 10}, {100, 110}}) == "b1");
  CHECK(NotedOf({{100, 110}, {0, 10}}) == "a1");
  CHECK(NotedOf({{0, 10}, {100, 110}, {101, 111}}) == "a1");
  CHECK(NotedOf({{0, 10}, {1, 9}, {100, 110}, {900, 910}}) == "c2");
  CHECK(NotedOf({{0, 10}, {100'000'000, 100'000'010}, {-1, -1}}) == "b1");  // years
}

TEST_CASE(
    "a machine records once per run, unless several of its programs record at the same time") {
  CHECK(NotedOf({{0, 10, "m"}, {20, 30, "m"}, {20, 30, "n"}}) == "a1");
  CHECK(NotedOf({{0, 10, "m"}, {20, 30, "n"}}).empty());
  CHECK(NotedOf({{0, 10, "m"}, {9, 12, "m"}}).empty());
  CHECK(NotedOf({{0, 0, "m"}, {9, 12, "m"}}).empty());  // nobody knows when the first one ended
}

}  // namespace
}  // namespace tfprof::unrelated_runs_test
