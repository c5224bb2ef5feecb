// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "loaders/xspace/event.h"
#include "loaders/xspace/recorded.h"
#include "proto/xplane.pb.h"
#include "tests/support/facts/xspace_facts.h"
#include "tests/support/random_message.h"
#include "tests/support/source_of.h"
#include "tests/support/store_rows.h"

namespace tfprof::xspace_test {
namespace {

Result<StorePtr> TryLoad(const std::string& bytes, bool partial = false, EventsRead read = {}) {
  StoreBuilder builder;
  Context context;
  context.limits.partial = partial;
  LoadArguments arguments;
  arguments.read = read;
  const SourceFile file = MemoryFile(bytes, "dir/worker.xplane.pb");
  TFPROF_TRY(kXSpaceLoader.load(file, arguments, builder, context));
  return builder.Finish();
}

StorePtr LoadBytes(const std::string& bytes) {
  const StorePtr store = TryLoad(bytes).value();
  REQUIRE(BrokenInvariant(*store) == "");
  return store;
}

void CompareWithLibprotobuf(const std::string& bytes) {
  pb::XSpace space;
  REQUIRE(space.ParseFromString(bytes));
  RequireSameFacts(*LoadBytes(bytes), space);
}

// A space of one plane with one line, `fill` sets the events.
template <class Fill>
std::string OneLine(Fill fill) {
  pb::XSpace space;
  pb::XPlane& plane = *space.add_planes();
  plane.set_name("/host:CPU");
  (*plane.mutable_event_metadata())[1].set_name("op");
  pb::XLine& line = *plane.add_lines();
  line.set_name("main");
  line.set_timestamp_ns(1'000);
  fill(&plane, &line);
  return space.SerializeAsString();
}

pb::XEvent& AddEvent(pb::XLine* line, int64_t offset_ps, int64_t duration_ps) {
  pb::XEvent& event = *line->add_events();
  event.set_metadata_id(1);
  event.set_offset_ps(offset_ps);
  event.set_duration_ps(duration_ps);
  return event;
}

}  // namespace

TEST_CASE("random XSpaces are read like libprotobuf reads them") {
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    pb::XSpace space;
    FillRandomly(&space, &random);
    CompareWithLibprotobuf(i % 2 == 0 ? space.SerializeAsString() : ScrambledBytes(space, &random));
  }
}

TEST_CASE("events that are not needed are not read, and everything else is the same") {
  pb::XSpace space;
  for (const char* name : {"/host:CPU", "/device:GPU:0"}) {
    pb::XPlane& plane = *space.add_planes();
    plane.set_name(name);
    (*plane.mutable_event_metadata())[1].set_name("op");
    pb::XLine& line = *plane.add_lines();
    line.set_name("main");
    line.set_timestamp_ns(space.planes_size() * 1'000);
    for (const int64_t offset_ps : {30, 10, 20}) AddEvent(&line, offset_ps, offset_ps + 1);
  }
  const std::string bytes = space.SerializeAsString();
  const StorePtr whole = LoadBytes(bytes);
  CHECK(whole->events_read.All());
  for (const bool starts : {true, false}) {
    const StorePtr store = TryLoad(bytes, false, {.hosts = false, .starts = starts}).value();
    REQUIRE(BrokenInvariant(*store) == "");
    CHECK(store->events_read.hosts == false);
    CHECK(store->events_read.starts == starts);
    CHECK(store->epoch_ns == whole->epoch_ns);
    REQUIRE(store->lanes.size() == whole->lanes.size());
    CHECK(store->Text(store->lanes[0].name) == "main");
    CHECK(store->lanes[0].rows.count == 0);
    REQUIRE(store->lanes[1].rows.count == 3);
    CHECK(store->events.start_ps.size() == (starts ? 3 : 0));
    CHECK(store->EventCount() == 3);
    // By start, or in the order of the file.
    CHECK(store->events.duration_ps[0] == (starts ? 11 : 31));
    if (starts) CHECK(store->events.start_ps[0] == whole->events.start_ps[3]);
  }
}

TEST_CASE("the options of the recorder are read; files without them have none") {
  pb::XSpace space;
  space.add_planes()->set_name("/host:CPU");
  CHECK_FALSE(LoadBytes(space.SerializeAsString())->sources[0].recorder);
  pb::XPlane& plane = *space.add_planes();
  plane.set_name("Task Environment");
  pb::ProfileOptions options;
  options.set_host_tracer_level(2);
  options.set_python_tracer_level(1);
  (*plane.mutable_stat_metadata())[7].set_name("profile_options");
  pb::XStat& stat = *plane.add_stats();
  stat.set_metadata_id(7);
  stat.set_bytes_value(options.SerializeAsString());
  const auto recorder = LoadBytes(space.SerializeAsString())->sources[0].recorder;
  REQUIRE(recorder);
  CHECK(recorder->host_level == 2);
  CHECK(recorder->device_level == 0);
  CHECK(recorder->python_level == 1);
}

TEST_CASE("the machine and the start of a recording are read") {
  const StorePtr store = LoadBytes(ReadFile("testdata/xspace/jax_loop.xplane.pb"));
  CHECK(store->sources[0].machine == "vm");
  CHECK(store->sources[0].began_ns == 1'795'275'233'887'630'679);
  const StorePtr other = LoadBytes(ReadFile("testdata/xspace/xla_train.xplane.pb"));
  CHECK(other->sources[0].machine.empty());
  CHECK(other->sources[0].began_ns == kNoInt);
}

TEST_CASE("a space has events, or planes alone") {
  CHECK(xspace::HasEvents(ReadFile("testdata/xspace/jax_loop.xplane.pb")));
  CHECK(xspace::HasEvents(OneLine([](pb::XPlane*, pb::XLine* line) { AddEvent(line, 0, 1); })));
  CHECK_FALSE(xspace::HasEvents(OneLine([](pb::XPlane*, pb::XLine*) {})));
  CHECK_FALSE(xspace::HasEvents(""));
}

TEST_CASE("an event is read in any order of its fields") {
  std::mt19937 random(3);
  for (int i = 0; i < 2'000; ++i) {
    pb::XEvent event;
    FillRandomly(&event, &random);
    const std::string bytes =
        i % 2 == 0 ? event.SerializeAsString() : ScrambledBytes(event, &random);
    const SourceFile file = MemoryFile(bytes);
    const xspace::Event read = xspace::ReadEvent(file.bytes);
    REQUIRE(!read.bad);
    REQUIRE(read.metadata_id == event.metadata_id());
    REQUIRE(read.duration_ps == event.duration_ps());
    REQUIRE(read.is_aggregate == (event.data_case() == pb::XEvent::kNumOccurrences));
    REQUIRE((read.is_aggregate ? read.occurrences : read.offset_ps) ==
            (read.is_aggregate ? event.num_occurrences() : event.offset_ps()));
  }
}

TEST_CASE("recorded XSpaces are read like libprotobuf reads them") {
  namespace fs = std::filesystem;
  int files = 0;
  for (const fs::path root : {"testdata/xspace", "../shared/data/xspace"}) {
    if (!fs::is_directory(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      if (!entry.path().string().ends_with(".xplane.pb")) continue;
      INFO(entry.path());
      CompareWithLibprotobuf(ReadFile(entry.path()));
      ++files;
    }
  }
  REQUIRE(files >= 3);
}

TEST_CASE("ranges of the program have the names that it gives, and their path") {
  pb::XSpace space;
  pb::XPlane& plane = *space.add_planes();
  plane.set_name("/host:CPU");
  (*plane.mutable_stat_metadata())[7].set_name("range_path");
  pb::XEventMetadata& mm = (*plane.mutable_event_metadata())[1];
  mm.set_name("a_b/aten..mm:aten__mm");
  mm.set_display_name("aten::mm");
  pb::XStat& path = *mm.add_stats();
  path.set_metadata_id(7);
  path.set_str_value("//a b/aten::mm");
  pb::XEventMetadata& op = (*plane.mutable_event_metadata())[2];
  op.set_name("model/MatMul_1:MatMul");
  op.set_display_name("MatMul");
  pb::XEventMetadata& step = (*plane.mutable_event_metadata())[3];
  step.set_name("train epoch 1, step 7");
  step.set_display_name("epoch 1, step 7");
  (*plane.mutable_event_metadata())[4].set_name("cudaLaunchKernel");
  const std::string bytes = space.SerializeAsString();
  CompareWithLibprotobuf(bytes);
  const StorePtr store = LoadBytes(bytes);
  CHECK(store->labels[3].of == EventClass::runtime_call);
  CHECK(store->Text(store->labels[2].name) == "epoch 1, step 7");
  CHECK(store->labels[2].role == EventRole::step_marker);
  const Label& range = store->labels[0];
  CHECK(store->Text(range.name) == "aten::mm");
  CHECK(store->Text(range.path) == "//a b/aten::mm");
  CHECK(range.of == EventClass::op);
  const Label& other = store->labels[1];
  CHECK(store->Text(other.name) == "model/MatMul_1:MatMul");
  CHECK(store->Text(other.display) == "MatMul");
  CHECK(other.of == EventClass::none);
  CHECK_FALSE(other.path.some());
}

TEST_CASE("unsorted lines with different start times are in wall time") {
  const StorePtr store = LoadBytes(OneLine([](pb::XPlane* plane, pb::XLine* line) {
    AddEvent(line, 500, 10);
    AddEvent(line, 100, 20);
    pb::XLine& late = *plane->add_lines();
    late.set_timestamp_ns(3'000);
    AddEvent(&late, -250, 30);
  }));
  REQUIRE(store->lanes.size() == 2);
  const int64_t epoch_ps = store->epoch_ns * 1000;
  const auto start = [&](uint32_t row) { return epoch_ps + store->events.start_ps[row]; };
  REQUIRE(start(0) == 1'000'100);
  REQUIRE(start(1) == 1'000'500);
  REQUIRE(start(2) == 2'999'750);
  REQUIRE(store->hosts.size() == 1);
  REQUIRE(store->Text(store->hosts[0].name) == "worker");
}

TEST_CASE("ids may be any 64-bit numbers, and missing names are noted") {
  const StorePtr store = LoadBytes(OneLine([](pb::XPlane* plane, pb::XLine* line) {
    for (const int64_t id : {int64_t{1} << 62, int64_t{-5}, int64_t{3'000'000'000}}) {
      (*plane->mutable_event_metadata())[id].set_name("n" + std::to_string(id));
      AddEvent(line, id == -5 ? 1 : 2, 1).set_metadata_id(id);
    }
    AddEvent(line, 3, 1).set_metadata_id(99);
  }));
  const auto name = [&](uint32_t row) {
    return store->Text(store->labels[store->events.label[row].value].name);
  };
  REQUIRE(name(0) == "n-5");
  REQUIRE(name(1) == "n4611686018427387904");
  REQUIRE(name(2) == "n3000000000");
  REQUIRE(name(3).empty());
  REQUIRE(store->notes.size() == 1);
  REQUIRE(store->notes[0].what == note::unknown_names);
}

TEST_CASE("extreme times are clamped and counted, and shift nothing else") {
  const StorePtr store = LoadBytes(OneLine([](pb::XPlane* plane, pb::XLine* line) {
    AddEvent(line, 100, 1);
    AddEvent(line, INT64_MAX, INT64_MAX);
    AddEvent(line, 200, -7);
    for (const int64_t ns : {INT64_MAX, INT64_MIN}) {
      pb::XLine& wild = *plane->add_lines();
      wild.set_timestamp_ns(ns);
      AddEvent(&wild, 5, 1);
    }
  }));
  REQUIRE(store->epoch_ns == 1'000);
  REQUIRE(store->events.start_ps[0] == 100);
  REQUIRE(store->events.duration_ps[1] == 0);
  REQUIRE(store->events.start_ps[4] == kMinPs + 5);
  const auto noted = [&](const NoteRow& row) {
    return std::ranges::count(store->notes, NoteWords(row), &Note::what) == 1;
  };
  REQUIRE(noted(note::far_lines_clamped));
  REQUIRE(noted(note::far_times_clamped));
  REQUIRE(noted(note::negative_durations));
}

TEST_CASE("a malformed event is skipped, a damaged line is an error with its place") {
  const std::string whole = OneLine([](pb::XPlane*, pb::XLine* line) {
    for (int i = 0; i < 5; ++i) AddEvent(line, 1000 + i, 1);
  });
  const std::string event("\x08\x01\x10\xEA\x07\x18\x01", 7);  // the third, offset 1002
  const size_t at = whole.find(event);
  REQUIRE(at != std::string::npos);
  std::string malformed = whole;
  malformed.replace(at, 7, std::string(7, '\xFF'));
  const StorePtr store = LoadBytes(malformed);
  REQUIRE(store->EventCount() == 4);
  REQUIRE(store->notes.at(0).what == note::malformed_events);
  REQUIRE(store->events.start_ps[2] - store->events.start_ps[1] == 2);

  for (size_t cut = 1; cut < whole.size(); ++cut) {
    const Result<StorePtr> loaded = TryLoad(whole.substr(0, cut));
    INFO("cut to " << cut);
    if (loaded) continue;  // between two fields of the outermost message
    REQUIRE(loaded.error().kind == ErrorKind::corrupt);
    REQUIRE(loaded.error().where.find("worker.xplane.pb: byte ") != std::string::npos);
    const StorePtr part = TryLoad(whole.substr(0, cut), true).value();
    REQUIRE(BrokenInvariant(*part) == "");
    REQUIRE(part->EventCount() <= 5);
  }
}

TEST_CASE("an event has the stats before its damage, in its details and in columns") {
  std::string bytes = OneLine([](pb::XPlane* plane, pb::XLine* line) {
    for (const int64_t id : {5, 6}) {
      (*plane->mutable_stat_metadata())[id].set_name("key " + std::to_string(id));
    }
    pb::XEvent& event = AddEvent(line, 100, 1);
    for (const int64_t id : {5, 6}) {
      pb::XStat& stat = *event.add_stats();
      stat.set_metadata_id(id);
      stat.set_int64_value(id + 2);
    }
  });
  const size_t second = bytes.find("\x22\x04\x08\x06\x20\x08");
  REQUIRE(second != bytes.npos);
  bytes[second + 1] = '\x7F';  // its length: more than the event has
  const StorePtr store = LoadBytes(bytes);
  const std::vector<Detail> details = DetailsOf(*store, EventId(0)).value();
  REQUIRE(details.size() == 1);
  CHECK(details[0].key == "key 5");
  Context context;
  const auto value = [&](const char* key) {
    const DetailColumn column =
        ReadColumn(*store, ProcessId(0), DetailKey::Named(key), context).value();
    return column.rows.count == 0 ? kNoInt : column.Integer(0);
  };
  CHECK(value("key 5") == 7);
  CHECK(value("key 6") == kNoInt);
}

TEST_CASE("columns of several blocks have keys and values of all widths") {
  // Ids of one, two and three bytes; texts that are referred to and texts of their own.
  const int64_t ids[] = {5, 300, 70'000, -3};
  const std::string bytes = OneLine([&](pb::XPlane* plane, pb::XLine* line) {
    for (const int64_t id : ids) {
      (*plane->mutable_stat_metadata())[id].set_name("key " + std::to_string(id));
    }
    for (uint32_t i = 0; i < 3 * DetailBlock::kRows + 17; ++i) {
      pb::XEvent& event = AddEvent(line, i, i % 7);
      for (uint32_t k = i % 3; k < std::size(ids); ++k) {
        pb::XStat& stat = *event.add_stats();
        stat.set_metadata_id(ids[k]);
        if (k == 0) stat.set_uint64_value(~uint64_t{0} - (i < DetailBlock::kRows ? 0 : i));
        if (k == 1) stat.set_int64_value(static_cast<int64_t>(i) - 100);
        if (k == 2) stat.set_str_value("text " + std::to_string(i % 300));
        if (k == 3) stat.set_ref_value(i % 2 == 0 ? 5 : 12345);
      }
    }
  });
  CompareWithLibprotobuf(bytes);
}

TEST_CASE("loading and reading a key can be cancelled") {
  const std::string bytes = ReadFile("testdata/xspace/gpu_train.xplane.pb");
  for (int polls = 0; polls < 3; ++polls) {
    StoreBuilder builder;
    Context context;
    context.polls_until_cancel = polls;
    const auto loaded = kXSpaceLoader.load(MemoryFile(bytes), {}, builder, context);
    REQUIRE(!loaded.has_value());
    REQUIRE(loaded.error().kind == ErrorKind::cancelled);
  }
  const StorePtr store = LoadBytes(bytes);
  Context context;
  context.polls_until_cancel = 0;
  REQUIRE(ReadColumn(*store, ProcessId(1), AttributeKey::op, context).error().kind ==
          ErrorKind::cancelled);
}

}  // namespace tfprof::xspace_test
