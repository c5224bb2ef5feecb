// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "core/store/check.h"
#include "core/store/graph_ops.h"
#include "loaders/formats.h"
#include "loaders/open.h"
#include "loaders/tensorflow/run_metadata/run_metadata.h"
#include "proto/graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "tests/support/random_message.h"
#include "tests/support/source_of.h"
#include "tests/support/store_rows.h"

// Run metadata is read in pieces on several threads; nothing of the store may depend on how.

namespace tfprof::run_several_test {
namespace {

using Files = std::vector<std::string>;

// Threads, bytes of a part, and which files are read together: all, two or three, none.
constexpr size_t kAll = size_t{1} << 40;
constexpr RunSplit kSplits[] = {
    {1}, {1, 1}, {1, 300}, {2, 1, 0, kAll}, {16, 64}, {3, 300, kAll, 20000}, {4, 70, 0, 1}};

template <class Load>
Result<StorePtr> LoadWith(const Files& files, Context& context, Load load) {
  std::vector<SourceFile> sources;
  for (size_t i = 0; i < files.size(); ++i) {
    sources.push_back(SourceOf(files[i], fmt::format("file {}", i)));
  }
  std::vector<FileToLoad> to_load;
  for (const SourceFile& source : sources) {
    // Two files for each step, as of two hosts; the second host has devices without one.
    const auto number = static_cast<int64_t>(to_load.size());
    to_load.push_back({source, {number / 2, number % 2 == 0 ? "" : "/job:b"}});
  }
  StoreBuilder builder;
  TFPROF_TRY(load(to_load, builder, context));
  StorePtr store = builder.Finish().value();
  REQUIRE(BrokenInvariant(*store) == "");
  return store;
}

Result<StorePtr> LoadSplit(const Files& files, const RunSplit& split, Context& context) {
  return LoadWith(files, context, [&](const auto& to_load, StoreBuilder& store, Context& c) {
    return LoadRuns(to_load, split, store, c);
  });
}

// One after the other, each in one piece.
Result<StorePtr> LoadInTurn(const Files& files, Context& context) {
  return LoadWith(files, context,
                  [&](const auto& to_load, StoreBuilder& store, Context& c) -> Result<void> {
                    for (const FileToLoad& file : to_load) {
                      TFPROF_TRY(LoadRuns({&file, 1}, {1, kAll}, store, c));
                    }
                    return {};
                  });
}

// All tables that run metadata fills, row by row.
Files Everything(const Store& store) {
  Files lines = {fmt::format("epoch {}", store.epoch_ns)};
  const auto add = [&](auto... values) {
    std::string line;
    ((line += fmt::format("{} ", values)), ...);
    lines.push_back(line);
  };
  for (uint32_t i = 0; i < store.names.size(); ++i) add("name", store.names[NameId(i)]);
  for (const Step& step : store.steps) add("step", step.number, step.lacks_accelerator_stream);
  for (const Lane& lane : store.lanes) {
    add("lane", lane.name.value, lane.display.value, lane.rows.first, lane.rows.count,
        lane.unplaced, lane.step_runs.first, lane.step_runs.count);
  }
  for (const StepRun& run : store.step_runs) add("run", run.first_row, run.step.value);
  for (const Label& label : store.labels) add("label", label.name.value, label.node.value);
  for (const Node& node : store.nodes) {
    add("node", node.name.value, node.type.value, node.defined, node.lanes.first, node.lanes.count);
  }
  for (const LaneId lane : store.node_lanes) add("lane of a node", lane.value);
  for (size_t i = 0; i < store.EventCount(); ++i) {
    add("event", store.events.start_ps[i], store.events.duration_ps[i],
        store.events.label[i].value);
  }
  for (const ExecMemory& row : store.exec_memory) {
    add("memory", row.event.value, row.first_output, row.time_ps, row.requested, row.peak,
        row.residual, row.output, row.temp, row.persistent, row.in_use);
  }
  for (const OutputMemory& row : store.outputs) add("output", row.slot, row.bytes, row.address);
  for (const AllocationPlace& row : store.allocation_places) {
    add("allocations", row.offset, row.bytes, row.event.value);
  }
  for (const Source& source : store.sources) {
    add("source", source.path, source.covered_nodes, source.known_nodes, source.allocations.first,
        source.allocations.count);
  }
  for (const Note& note : store.notes) {
    add("note", note.what.Text(), note.count, note.first_place, note.cost_ps);
  }
  return lines;
}

void RequireTheSame(const Files& files, bool partial = false) {
  Context context;
  context.limits.partial = partial;
  const Result<StorePtr> in_turn = LoadInTurn(files, context);
  for (const RunSplit& split : kSplits) {
    CAPTURE(split.threads, split.part_bytes, split.max_bytes);
    const Result<StorePtr> store = LoadSplit(files, split, context);
    REQUIRE(store.has_value() == in_turn.has_value());
    if (store) {
      REQUIRE(Everything(**store) == Everything(**in_turn));
    } else {
      REQUIRE(store.error().where == in_turn.error().where);
      REQUIRE(store.error().what == in_turn.error().what);
    }
  }
}

Files RandomFiles(uint32_t seed) {
  std::mt19937 random(seed);
  Files files;
  for (uint32_t i = 0; i < 1 + seed % 5; ++i) {
    pb::RunMetadata message;
    FillRandomly(message.mutable_step_stats(), &random);
    files.push_back(i % 2 == 0 ? message.SerializeAsString() : ScrambledBytes(message, &random));
  }
  return files;
}

Files RecordedFiles() {
  Files files;
  for (const char* number : {"1", "2", "10"}) {
    files.push_back(ReadFile(std::string("testdata/models/run_metas/run_meta_") + number));
  }
  files.push_back(ReadFile("testdata/tensorflow/convnet/run_meta_0"));
  return files;
}

}  // namespace

TEST_CASE("run metadata files give the same store with any number of pieces and threads") {
  RequireTheSame(RecordedFiles());
  for (uint32_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    RequireTheSame(RandomFiles(seed));
  }
}

TEST_CASE("of several run metadata files, the first bad one is named, or kept in part") {
  Files files = RecordedFiles();
  for (const size_t i : {1, 3}) files[i].resize(files[i].size() * 2 / 3);
  for (const RunSplit& split : kSplits) {
    Context context;
    const Result<StorePtr> store = LoadSplit(files, split, context);
    REQUIRE(!store.has_value());
    REQUIRE(store.error().kind == ErrorKind::corrupt);
    REQUIRE(store.error().where.find("file 1: byte ") == 0);
  }
  RequireTheSame(files);
  RequireTheSame(files, true);
}

TEST_CASE("loading run metadata files can be cancelled early and late") {
  const Files files = RecordedFiles();
  for (const RunSplit& split : kSplits) {
    int polls = 0;
    for (;; ++polls) {
      Context context;
      context.polls_until_cancel = polls;
      const Result<StorePtr> store = LoadSplit(files, split, context);
      if (store) break;
      REQUIRE(store.error().kind == ErrorKind::cancelled);
      polls += polls / 4;
    }
    CHECK(polls > 1);
  }
}

TEST_CASE("of several run metadata files, the truncated one is named") {
  const TestFolder folder;
  Context context;
  std::vector<SourceFile> sources;
  for (size_t i = 0; i < 3; ++i) {
    const std::string path = folder / std::to_string(i);
    WriteFile(path, RecordedFiles()[i]);
    sources.push_back(OpenSource(path, context).value());
  }
  std::vector<FileToLoad> files;
  for (const SourceFile& source : sources) files.push_back({source, {}});
  REQUIRE(truncate(sources[1].path.c_str(), 100) == 0);
  for (const RunSplit& split : kSplits) {
    StoreBuilder store;
    const Result<void> loaded = LoadRuns(files, split, store, context);
    REQUIRE(!loaded.has_value());
    REQUIRE(loaded.error().what == "the file shrank while it was read");
    REQUIRE(loaded.error().where.find(sources[1].path) == 0);
  }
}

TEST_CASE("run metadata: shapes of outputs, of a file and of bytes in memory") {
  pb::RunMetadata run;
  pb::DeviceStepStats* const device = run.mutable_step_stats()->add_dev_stats();
  device->set_device("/job:localhost/replica:0/task:0/device:CPU:0");
  pb::NodeExecStats* const node = device->add_node_stats();
  node->set_node_name("x:MatMul");
  node->set_all_start_micros(1'700'000'000'000'000);
  const auto add = [&](int slot, pb::DataType type, const std::vector<int64_t>& dims) {
    pb::NodeOutput* const output = node->add_output();
    output->set_slot(slot);
    output->mutable_tensor_description()->set_dtype(type);
    auto* const shape = output->mutable_tensor_description()->mutable_shape();
    for (const int64_t dim : dims) shape->add_dim()->set_size(dim);
  };
  add(0, pb::DT_FLOAT, {3, 4});
  add(1, pb::DT_FLOAT, {});
  add(2, pb::DT_RESOURCE, {});
  node->add_output()->set_slot(3);
  *device->add_node_stats() = *node;  // a loop: equal shapes once more
  pb::GraphDef graph;
  graph.add_node()->set_name("x");
  graph.mutable_node(0)->set_op("MatMul");
  const TestFolder folder;
  WriteFile(folder / "graph", graph.SerializeAsString());
  WriteFile(folder / "run_meta", run.SerializeAsString());
  const auto bytes = std::make_shared<const std::string>(run.SerializeAsString());
  const std::pair<Input, size_t> cases[] = {
      {{.path = folder / "run_meta", .format = "run_metadata"}, 4},
      {{.path = "bytes", .format = "run_metadata", .bytes = bytes}, 2}};
  for (const auto& [input, expected] : cases) {
    Context context;
    const Input of_graph{.path = folder / "graph", .format = "graphdef"};
    const StorePtr store = Load({of_graph, input}, context).value();
    REQUIRE(store->sources[1].details.run_shapes != nullptr);
    std::vector<RunShape> shapes;
    REQUIRE(store->sources[1].details.run_shapes(*store, &shapes));
    REQUIRE(shapes.size() == expected);
    CHECK(store->Text(store->nodes[shapes[0].node.value].name) == "x");
    CHECK(shapes[0].dims == std::vector<int64_t>{3, 4});
    CHECK(shapes[1].slot == 1);
    CHECK(shapes[1].dims.empty());
  }
}

namespace {

// An execution of one node, with an output.
Input GrowingStep(int64_t number, int micros) {
  pb::RunMetadata run;
  pb::DeviceStepStats* const device = run.mutable_step_stats()->add_dev_stats();
  device->set_device("/job:localhost/replica:0/task:0/device:CPU:0");
  pb::NodeExecStats* const node = device->add_node_stats();
  node->set_node_name("x");
  node->set_all_start_micros(1'700'000'000'000'000 + number);
  node->set_all_end_rel_micros(micros);
  node->add_memory()->set_total_bytes(number);
  node->mutable_memory(0)->add_allocation_records()->set_alloc_bytes(number);
  pb::NodeOutput* const output = node->add_output();
  output->mutable_tensor_description()->mutable_allocation_description()->set_requested_bytes(
      number);
  return Input{.path = "step",
               .format = "--run_meta_path",
               .empty_is_message = true,
               .bytes = std::make_shared<const std::string>(run.SerializeAsString()),
               .step = number};
}

std::vector<int64_t> OutputBytes(const Store& store) {
  std::vector<int64_t> bytes;
  for (size_t row = 0; row < store.exec_memory.size(); ++row) {
    const Range outputs = store.OutputsOf(row);
    for (const OutputMemory& output : store.outputs.Rows(outputs.first, outputs.count)) {
      bytes.push_back(output.bytes);
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("a store that grows has the records of one step, whatever was added before") {
  GrowingStore store;
  for (int step = 1; step <= 20; ++step) {
    Context context;
    REQUIRE(store.Add({GrowingStep(step, 10 * step)}, context));
    CHECK(store.IsApart(step) == (step > 1));
    const StorePtr alone = store.Finish(step).value();
    REQUIRE(BrokenInvariant(*alone).empty());
    CHECK(alone->steps.size() == static_cast<size_t>(step));
    REQUIRE(alone->EventCount() == 1);
    CHECK(alone->exec_memory[0].event == EventId(0));
    CHECK(OutputBytes(*alone) == std::vector<int64_t>{step});
    const std::vector<Allocation> allocations = ReadAllocations(*alone, context).value();
    REQUIRE(allocations.size() == 1);
    CHECK(allocations[0].bytes == step);
  }
  CHECK_FALSE(store.IsApart(21));
  Context context;
  REQUIRE(store.Add({GrowingStep(7, 1), GrowingStep(21, 2)}, context));
  CHECK(store.Finish(7).value()->EventCount() == 3);  // those that were added with it, too
  const StorePtr all = store.Finish().value();
  CHECK(all->EventCount() == 22);
  CHECK(ReadAllocations(*all, context).value().size() == 22);
  CHECK(OutputBytes(*all).size() == 22);
}

TEST_CASE("a store that grows reads each step once") {
  GrowingStore store;
  std::vector<Input> all;
  for (int step = 1; step <= 50; ++step) {
    all.push_back(GrowingStep(step, step * step));
    Context context;
    REQUIRE(store.Add({all.back()}, context));
    CHECK(context.done_bytes == all.back().bytes->size());
    const StorePtr grown = store.Finish().value();
    Context of_all;
    const StorePtr at_once = Load(all, of_all).value();
    REQUIRE(BrokenInvariant(*grown).empty());
    REQUIRE(grown->EventCount() == at_once->EventCount());
    for (size_t event = 0; event < grown->EventCount(); ++event) {
      CHECK(grown->events.start_ps[event] == at_once->events.start_ps[event]);
      CHECK(grown->events.duration_ps[event] == at_once->events.duration_ps[event]);
    }
    CHECK(OutputBytes(*grown) == OutputBytes(*at_once));
  }
}

}  // namespace tfprof::run_several_test
