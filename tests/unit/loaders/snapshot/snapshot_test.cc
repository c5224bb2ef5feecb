// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/store/builder.h"
#include "core/store/check.h"
#include "loaders/formats.h"
#include "loaders/snapshot/details.h"
#include "tests/support/pickle_of.h"
#include "tests/support/source_of.h"

namespace tfprof::snapshot_test {
namespace {

using pickled::Dict;
using pickled::Integer;
using pickled::List;
using pickled::Text;
using Items = std::vector<std::pair<std::string, std::string>>;

std::string FrameOf(std::string_view file, int64_t line, std::string_view function) {
  return Dict({{"filename", Text(file)}, {"line", Integer(line)}, {"name", Text(function)}});
}

std::string Entry(std::string_view action, int64_t address, int64_t bytes, int64_t time_us,
                  const Items& more = {}) {
  Items items = {{"action", Text(action)},
                 {"addr", Integer(address)},
                 {"size", Integer(bytes)},
                 {"stream", Integer(0)},
                 {"time_us", Integer(time_us)}};
  items.insert(items.end(), more.begin(), more.end());
  return Dict(items);
}

std::string BlockOf(int64_t address, int64_t bytes, std::string_view state,
                    const Items& more = {}) {
  Items items = {{"address", Integer(address)}, {"size", Integer(bytes)}, {"state", Text(state)}};
  items.insert(items.end(), more.begin(), more.end());
  return Dict(items);
}

std::string SegmentOf(int64_t bytes, const std::vector<std::string>& blocks, int64_t device = 0) {
  return Dict({{"device", Integer(device)},
               {"address", Integer(1000)},
               {"total_size", Integer(bytes)},
               {"stream", Integer(0)},
               {"segment_type", Text("large")},
               {"blocks", List(blocks)}});
}

std::string Snapshot(const std::vector<std::string>& segments,
                     const std::vector<std::string>& entries) {
  return pickled::File(
      Dict({{"segments", List(segments)}, {"device_traces", List({List(entries)})}}));
}

Result<StorePtr> Load(const std::string& bytes) {
  StoreBuilder store;
  Context context;
  TFPROF_TRY(kSnapshotLoader.load(SourceOf(bytes, "memory.pickle"), {}, store, context));
  TFPROF_ASSIGN(StorePtr finished, store.Finish());
  REQUIRE(BrokenInvariant(*finished).empty());
  return finished;
}

// What is told of an allocation or a free.
struct Told {
  int64_t time_us, bytes, in_use, available;
  std::string source;
};

std::vector<Told> AllocationsOf(const StorePtr& store) {
  constexpr DetailKey kKeys[] = {AttributeKey::allocation_bytes, AttributeKey::bytes_in_use,
                                 AttributeKey::bytes_available, AttributeKey::source};
  Context context;
  const auto columns = ReadColumns(*store, ProcessId(0), kKeys, context).value();
  std::vector<Told> told;
  for (uint32_t row = 0; row < store->EventCount(); ++row) {
    const EventRole role = store->labels[store->events.label[row].value].role;
    if (role != EventRole::allocation && role != EventRole::deallocation) continue;
    told.push_back({store->events.start_ps[row] / kPsPerUs, columns[0].Integer(row),
                    columns[1].Integer(row), columns[2].Integer(row),
                    std::string(columns[3].Text(row))});
  }
  return told;
}

}  // namespace

TEST_CASE("bytes in use and reserved follow from the end of a snapshot backwards") {
  // At the end 30 + 5 are held, 5 of them since before the history, and 100 are taken. The history
  // begins with the free of another block that was held before, and takes 40 of the 100.
  const StorePtr store =
      Load(Snapshot(
               {SegmentOf(60,
                          {BlockOf(1000, 32, "active_allocated", {{"requested_size", Integer(30)}}),
                           BlockOf(1032, 28, "inactive")}),
                SegmentOf(40,
                          {BlockOf(2000, 8, "active_allocated", {{"requested_size", Integer(5)}}),
                           BlockOf(2008, 32, "inactive")})},
               {Entry("free_completed", 3000, 7, 100), Entry("alloc", 1032, 20, 110),
                Entry("segment_alloc", 2000, 40, 120), Entry("alloc", 1000, 30, 130),
                Entry("free_requested", 1032, 20, 140), Entry("free_completed", 1032, 20, 150)}))
          .value();
  std::vector<std::pair<int64_t, int64_t>> in_use;  // time in us, bytes
  std::vector<int64_t> reserved, bytes;
  for (const Told& told : AllocationsOf(store)) {
    in_use.emplace_back(told.time_us, told.in_use);
    reserved.push_back(told.in_use + told.available);
    bytes.push_back(told.bytes);
  }
  using Bytes = std::vector<int64_t>;
  REQUIRE(bytes == Bytes{7, 5, 7, 20, 30, 20});
  REQUIRE(in_use == std::vector<std::pair<int64_t, int64_t>>{
                        {0, 7}, {0, 12}, {0, 5}, {10, 25}, {30, 55}, {50, 35}});
  REQUIRE(reserved == Bytes{60, 60, 60, 60, 100, 100});
}

TEST_CASE("segments of a snapshot: what is held, free and the largest free block") {
  const StorePtr store =
      Load(Snapshot(
               {SegmentOf(
                    100, {BlockOf(1000, 30, "active_allocated"), BlockOf(1030, 20, "inactive"),
                          BlockOf(1050, 10, "active_pending_free"), BlockOf(1060, 40, "inactive")}),
                SegmentOf(8, {BlockOf(5000, 8, "inactive")}, 1)},
               {}))
          .value();
  REQUIRE(store->segments.size() == 2);
  REQUIRE(store->segments[0].held_bytes == 40);
  REQUIRE(store->segments[0].free_bytes == 60);
  REQUIRE(store->segments[0].largest_free_bytes == 40);
  REQUIRE(store->Text(store->segments[1].allocator) == "GPU:1");
  // Without a history the blocks that are held are known, and their sizes alone.
  const std::vector<Told> told = AllocationsOf(store);
  REQUIRE(told.size() == 2);
  REQUIRE(told[1].in_use == 40);
}

TEST_CASE("segments alone, with histories of blocks, are a snapshot of an old PyTorch") {
  const std::string history =
      List({Dict({{"addr", Integer(1000)},
                  {"real_size", Integer(12)},
                  {"frames", List({FrameOf("/home/user/train.py", 3, "step")})}})});
  const std::string bytes = pickled::File(
      List({SegmentOf(
          64,
          {Dict({{"size", Integer(16)}, {"state", Text("active_allocated")}, {"history", history}}),
           Dict({{"size", Integer(48)}, {"state", Text("inactive")}})})}),
      2);
  const StorePtr store = Load(bytes).value();
  const std::vector<Told> told = AllocationsOf(store);
  REQUIRE(told.size() == 1);
  REQUIRE(told[0].bytes == 12);
  REQUIRE(told[0].source == "train.py:3 step");
}

TEST_CASE("where completed frees are left out, the requested ones count") {
  const StorePtr store =
      Load(Snapshot({}, {Entry("alloc", 1, 10, 5), Entry("free_requested", 1, 10, 6)})).value();
  const std::vector<Told> told = AllocationsOf(store);
  REQUIRE(told.size() == 2);
  REQUIRE(told[1].in_use == 0);
}

TEST_CASE("the line of a program, and the operator, that asked for memory") {
  snapshot::Facts facts;
  facts.frames = {{"", "at::_ops::empty_strided::call(int)", 0},
                  {"??", "at::_ops::mm::redispatch(at::Tensor)", 0},
                  {"/venv/site-packages/torch/nn/modules/linear.py", "forward", 130},
                  {"/home/user/model.py", "forward", 7},
                  {"/home/user/train.py", "<module>", 20}};
  facts.stacks = {{0, 5}, {2, 1}, {0, 2}};
  REQUIRE(snapshot::SourceOf(facts, 0) == "model.py:7 forward");
  REQUIRE(snapshot::SourceOf(facts, 1) == "linear.py:130 forward");
  REQUIRE(snapshot::SourceOf(facts, 2).empty());
  REQUIRE(snapshot::SourceOf(facts, snapshot::kNoStack).empty());
  REQUIRE(snapshot::OperatorOf(facts, 0) == "aten::mm");
  REQUIRE(snapshot::OperatorOf(facts, 1).empty());
}

TEST_CASE("regions of the program are events of a line of their own") {
  const auto mark = [](std::string_view stage, std::string_view name, int64_t time_us) {
    return Dict({{"stage", Text(stage)},
                 {"name", Text(name)},
                 {"device", Integer(0)},
                 {"time_us", Integer(time_us)}});
  };
  const std::string bytes = pickled::File(
      Dict({{"segments", List({})},
            {"device_traces", List({List({Entry("alloc", 1, 10, 100)})})},
            {"external_annotations",
             List({mark("START", "ProfilerStep#3", 100), mark("START", "forward", 101),
                   mark("END", "forward", 103), mark("END", "ProfilerStep#3", 108),
                   mark("START", "open", 109)})}}));
  const StorePtr store = Load(bytes).value();
  REQUIRE(store->lanes.size() == 2);
  const Lane& marks = store->lanes[1];
  REQUIRE(marks.rows.count == 2);
  const uint32_t step = marks.rows.first;
  REQUIRE(store->events.duration_ps[step] == 8 * kPsPerUs);
  REQUIRE(store->Text(store->labels[store->events.label[step].value].name) == "ProfilerStep#3");
  REQUIRE(AllocationsOf(store).size() == 1);
}

TEST_CASE("files that are no snapshot are refused") {
  REQUIRE_FALSE(Load(pickled::File(Dict({{"a", Integer(1)}}))).has_value());
  REQUIRE_FALSE(Load("\x80\x04").has_value());
  REQUIRE(kSnapshotLoader.score("\x80\x04\x95segments") == 100);
  REQUIRE(kSnapshotLoader.score("\x80\x04K\x01.") == 0);
  REQUIRE(kSnapshotLoader.score("segments") == 0);
}

TEST_CASE("a snapshot whose parts are shared without end is refused") {
  // A list of segments that are all the same one, which has all the same block: 200 x 200 blocks.
  std::string blocks = "](" + BlockOf(1, 1, "active_allocated") + "\x94";
  for (int i = 0; i < 200; ++i) blocks += std::string("h\x00", 2);
  const std::string segment = Dict({{"total_size", Integer(1)}, {"blocks", blocks + "e"}});
  std::string segments = "](" + segment + "\x94";
  for (int i = 0; i < 200; ++i) segments += "h\x01";
  REQUIRE_FALSE(Load(pickled::File(Dict({{"segments", segments + "e"}}))).has_value());
}

}  // namespace tfprof::snapshot_test
