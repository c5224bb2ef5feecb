// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/lazy_code.h"
#include <unistd.h>
#include <catch2/catch.hpp>
#include "core/base/wire_writer.h"
#include "core/store/call_stacks.h"
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "proto/tfprof_log_fields.h"
#include "tests/support/source_of.h"
#include "tests/support/store_rows.h"

namespace tfprof::lazy_code_test {
namespace {

void WriteFrame(int line, WireWriter& out) {
  out.Message(field::CodeDef::traces, [&] {
    out.Int(field::CodeDef_Trace::lineno, line);
    out.Int(field::CodeDef_Trace::file_id, 1);
    out.Int(field::CodeDef_Trace::function_id, 1);
  });
}

// A profile of one node; `code` writes what stands among its fields.
template <class Code>
std::string ProfileOf(Code code) {
  std::string bytes;
  WireWriter out(&bytes);
  out.Message(field::ProfileProto::nodes, [&] {
    out.Int(MapEntryField::key, 0);
    out.Message(MapEntryField::value, [&] {
      out.Bytes(field::ProfileNode::name, "n");
      code(out);
      out.Bytes(field::ProfileNode::op, "MatMul");
    });
  });
  out.Message(field::ProfileProto::id_to_string, [&] {
    out.Int(MapEntryField::key, 1);
    out.Bytes(MapEntryField::value, "train.py");
  });
  return bytes;
}

CallStacks CodeOf(const Store& store) {
  Context context;
  return ReadCallStacks(store, context).value();
}

std::vector<int32_t> LinesOf(const Store& store) {
  const CallStacks code = CodeOf(store);
  std::vector<int32_t> lines;
  for (const Frame& frame : code.Of(store.nodes[0].stack)) {
    CHECK(code.Text(frame.file) == "train.py");
    lines.push_back(frame.line);
  }
  return lines;
}

}  // namespace

TEST_CASE("lazy code: a stack in several pieces, with other fields between, is one stack") {
  const StorePtr store = LoadProfile(ProfileOf([](WireWriter& out) {
    out.Message(field::ProfileNode::trace, [&] { WriteFrame(7, out); });
    out.Int(field::ProfileNode::float_ops, 5);
    out.Message(field::ProfileNode::trace, [&] {
      WriteFrame(8, out);
      WriteFrame(9, out);
    });
  }));
  CHECK(LinesOf(*store) == std::vector<int32_t>{7, 8, 9});
}

TEST_CASE("lazy code: a trace without frames counts as a trace but not as a stack") {
  const StorePtr empty = LoadProfile(
      ProfileOf([](WireWriter& out) { out.Message(field::ProfileNode::trace, [] {}); }));
  CHECK(empty->nodes[0].has_trace);
  CHECK_FALSE(empty->nodes[0].stack.some());
  const StorePtr others = LoadProfile(ProfileOf([](WireWriter& out) {
    out.Message(field::ProfileNode::trace, [&] { out.Int(FieldNumber(9), 1); });
  }));
  CHECK_FALSE(others->nodes[0].stack.some());
  const StorePtr after = LoadProfile(ProfileOf([](WireWriter& out) {
    out.Message(field::ProfileNode::trace, [&] {
      out.Int(FieldNumber(9), 1);
      WriteFrame(7, out);
    });
  }));
  CHECK(LinesOf(*after) == std::vector<int32_t>{7});
}

TEST_CASE("lazy code: malformed parts are reported with their place, the rest is read") {
  std::string bytes = ProfileOf([](WireWriter& out) {
    out.Message(field::ProfileNode::trace, [&] {
      WriteFrame(7, out);
      out.Bytes(field::CodeDef::traces, "\x0f");  // no wire format
    });
  });
  WireWriter out(&bytes);
  out.Bytes(field::ProfileProto::id_to_string, "\x0f");
  const StorePtr store = LoadProfile(bytes);
  CHECK(store->notes.empty());
  CHECK(LinesOf(*store) == std::vector<int32_t>{7});
  const std::vector<Note> notes = CodeOf(*store).notes;
  REQUIRE(notes.size() == 2);
  CHECK(notes[0].what == note::malformed_code_texts);
  CHECK(notes[1].what == note::malformed_code_traces);
  for (const Note& note : notes) CHECK(note.first_place.find("test: byte ") == 0);
}

TEST_CASE("lazy code: a truncated file is an error that names it") {
  const TestFolder folder;
  const std::string path = folder / "profile.pb";
  std::string bytes = ProfileOf([](WireWriter& out) {
    out.Bytes(FieldNumber(20), std::string(100'000, 'x'));
    out.Message(field::ProfileNode::trace, [&] { WriteFrame(7, out); });
  });
  WriteFile(path, bytes);
  Context context;
  StoreBuilder builder;
  REQUIRE(kProfileLoader.load(OpenSource(path, context).value(), {}, builder, context));
  const StorePtr store = builder.Finish().value();
  CHECK(LinesOf(*store) == std::vector<int32_t>{7});
  REQUIRE(truncate(path.c_str(), 4096) == 0);
  const Result<CallStacks> code = ReadCallStacks(*store, context);
  REQUIRE_FALSE(code.has_value());
  CHECK(code.error().kind == ErrorKind::corrupt);
  CHECK(code.error().where.find(path) == 0);
}

TEST_CASE("lazy code: reading can be cancelled") {
  const StorePtr store = LoadProfile(ProfileOf([](WireWriter& out) {
    out.Message(field::ProfileNode::trace, [&] { WriteFrame(7, out); });
  }));
  Context context;
  context.polls_until_cancel = 0;
  CHECK(ReadCallStacks(*store, context).error().kind == ErrorKind::cancelled);
}

}  // namespace tfprof::lazy_code_test
