// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/unknown.h"

#include "core/base/wire_writer.h"
#include "proto/graph.pb.h"
#include "proto/tfprof_log.pb.h"
#include "proto/xplane.pb.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

// Fields that no schema has are told by every format, with their bytes and the first place; those
// that are known and not read are not.

namespace tfprof::unknown_test {
namespace {

const Note* UnknownNote(const Store& store, std::string_view message) {
  const std::string begin = "unknown fields of " + std::string(message) + ", skipped";
  for (const Note& note : store.notes) {
    if (note.what.Text().starts_with(begin)) return &note;
  }
  return nullptr;
}

StorePtr OpenBytes(const std::string& bytes, const std::string& format) {
  const TestFolder folder;
  WriteFile(folder / "f", bytes);
  return Open({{folder / "f", format}}).value();
}

// A field of a number that no message here has.
std::string Odd(const std::string& text) {
  std::string bytes;
  WireWriter(&bytes).Bytes(FieldNumber(31), text);
  return bytes;
}

}  // namespace

TEST_CASE("a device hidden by a flipped bit is noted") {
  std::string bytes = ReadFile("testdata/xspace/gpu_train.xplane.pb");
  REQUIRE(UnknownNote(*OpenBytes(bytes, "xspace"), "XSpace") == nullptr);
  pb::XSpace space;
  REQUIRE(space.ParseFromString(bytes));
  const size_t size = space.planes(0).ByteSizeLong();
  bytes[0] ^= 0x20;  // the tag of the first plane
  const StorePtr store = OpenBytes(bytes, "xspace");
  const Note* note = UnknownNote(*store, "XSpace");
  REQUIRE(note != nullptr);
  REQUIRE(note->count == 1);
  REQUIRE(note->what.Text().find("(" + std::to_string(size + 3) + " bytes)") != std::string::npos);
  REQUIRE(note->first_place.ends_with("f: byte 0"));
}

TEST_CASE("unknown fields of every XSpace message except stats of events are noted") {
  pb::XSpace space;
  pb::XPlane* plane = space.add_planes();
  plane->set_name("/host:CPU");
  (*plane->mutable_event_metadata())[1].set_name("work");
  (*plane->mutable_event_metadata())[1].set_metadata("known, and not read");
  pb::XLine* line = plane->add_lines();
  line->set_duration_ps(5);
  line->add_events()->set_metadata_id(1);
  REQUIRE(OpenBytes(space.SerializeAsString(), "xspace")->notes.empty());

  line->mutable_events(0)
      ->GetReflection()
      ->MutableUnknownFields(line->mutable_events(0))
      ->AddVarint(31, 1);
  line->GetReflection()->MutableUnknownFields(line)->AddVarint(31, 1);
  line->GetReflection()->MutableUnknownFields(line)->AddVarint(31, 1);
  plane->GetReflection()->MutableUnknownFields(plane)->AddVarint(31, 1);
  pb::XEventMetadata& metadata = (*plane->mutable_event_metadata())[1];
  metadata.GetReflection()->MutableUnknownFields(&metadata)->AddVarint(31, 1);
  const StorePtr store = OpenBytes(space.SerializeAsString() + Odd("abc"), "xspace");
  for (const char* message : {"XSpace", "XPlane", "XEventMetadata"}) {
    INFO(message);
    REQUIRE(UnknownNote(*store, message) != nullptr);
    REQUIRE(UnknownNote(*store, message)->count == 1);
  }
  REQUIRE(UnknownNote(*store, "XLine")->count == 2);
  REQUIRE(HasNote(*store, "unknown fields of XEvent"));
  REQUIRE(store->events.label.size() == 1);
}

TEST_CASE("unknown fields of TensorFlow's formats are noted") {
  const std::string folder = "testdata/tensorflow/convnet/";
  const std::tuple<const char*, const char*, const char*> files[] = {
      {"run_meta_0", "run_metadata", "RunMetadata"},
      {"profile.pb", "profile", "ProfileProto"},
      {"op_log", "op_log", "OpLogProto"},
      {"graph.pb", "graphdef", "GraphDef"},
  };
  for (const auto& [name, format, message] : files) {
    INFO(name);
    const std::string bytes = ReadFile(folder + name);
    REQUIRE(UnknownNote(*OpenBytes(bytes, format), message) == nullptr);
    const StorePtr store = OpenBytes(bytes + Odd("a") + Odd("bc"), format);
    REQUIRE(UnknownNote(*store, message) != nullptr);
    REQUIRE(UnknownNote(*store, message)->count == 2);
    REQUIRE(UnknownNote(*store, message)->what.Text().find("(9 bytes)") != std::string::npos);
  }
}

TEST_CASE("a file that ends between two nodes is noted by its missing end") {
  pb::GraphDef graph;
  graph.ParseFromString(ReadFile("testdata/tensorflow/convnet/graph.pb"));
  REQUIRE(!HasNote(*OpenBytes(graph.SerializeAsString(), "graphdef"), "truncated"));
  graph.clear_versions();
  REQUIRE(HasNote(*OpenBytes(graph.SerializeAsString(), "graphdef"), "truncated"));

  pb::ProfileProto profile;
  profile.ParseFromString(ReadFile("testdata/tensorflow/convnet/profile.pb"));
  REQUIRE(!HasNote(*OpenBytes(profile.SerializeAsString(), "profile"), "truncated"));
  profile.clear_steps();
  REQUIRE(HasNote(*OpenBytes(profile.SerializeAsString(), "profile"), "truncated"));
}

}  // namespace tfprof::unknown_test
