// SPDX-License-Identifier: Apache-2.0
#include "loaders/open.h"

#include <catch2/catch.hpp>

#include "core/check.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "tests/unit/source_of.h"

namespace tfprof {
namespace {

const std::string kCase = "testdata/tensorflow/mnist_softmax/";

Result<StorePtr> Open(const std::vector<Input>& inputs) {
  Context context;
  Result<StorePtr> store = Load(inputs, context);
  if (store) {
    REQUIRE(BrokenInvariant(**store).empty());
    REQUIRE(context.done_bytes == context.total_bytes);
  }
  return store;
}

Error ErrorOf(const std::vector<Input>& inputs) {
  const Result<StorePtr> store = Open(inputs);
  REQUIRE(!store.has_value());
  return store.error();
}

Input Flag(const std::string& path, const std::string& format) { return {path, format, true}; }

std::vector<std::string> Formats(const Store& store) {
  std::vector<std::string> formats;
  for (const Source& source : store.sources) formats.push_back(source.format);
  return formats;
}

bool HasNote(const Store& store, std::string_view part) {
  for (const Note& note : store.notes) {
    if (note.what.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("files of one run are put in order, whatever the order on the command line") {
  const StorePtr store = Open({{kCase + "run_meta_1"},
                               {kCase + "ckpt"},
                               {kCase + "op_log"},
                               {kCase + "run_meta_0"},
                               {kCase + "graph.pb"}})
                             .value();
  REQUIRE(Formats(*store) == std::vector<std::string>{"graphdef", "op_log", "checkpoint",
                                                      "run_metadata", "run_metadata"});
  REQUIRE(store->sources[3].path == kCase + "run_meta_1");
  REQUIRE(store->steps.size() == 2);
  REQUIRE(store->steps[1].number == 1);
  REQUIRE(!store->tensors.empty());
}

TEST_CASE("path flags: the graph in either form, the checkpoint by its prefix") {
  const StorePtr binary =
      Open({Flag(kCase + "graph.pb", "graph"), Flag(kCase + "ckpt", "checkpoint")}).value();
  const StorePtr text =
      Open({Flag(kCase + "graph.pbtxt", "graph"), Flag(kCase + "ckpt.index", "checkpoint")})
          .value();
  const StorePtr packed = Open({{kCase + "graph.pb.gz"}}).value();
  REQUIRE(binary->nodes.size() > 10);
  REQUIRE(text->nodes.size() == binary->nodes.size());
  REQUIRE(packed->nodes.size() == binary->nodes.size());
  REQUIRE(text->tensors.size() == binary->tensors.size());
}

TEST_CASE("a whole profile stands alone, but for a checkpoint") {
  REQUIRE(Open({{kCase + "profile.pb"}}).value()->nodes.size() > 10);
  const StorePtr with_values = Open({{kCase + "ckpt"}, {kCase + "profile.pb"}}).value();
  REQUIRE(Formats(*with_values) == std::vector<std::string>{"profile", "checkpoint"});
  REQUIRE(ErrorOf({{kCase + "profile.pb"}, {kCase + "graph.pb"}}).kind == ErrorKind::usage);
  const Error two = ErrorOf({{kCase + "profile.pb"}, {"testdata/tensorflow/convnet/profile.pb"}});
  REQUIRE(two.kind == ErrorKind::usage);
  REQUIRE(two.what.find("both whole profiles") != std::string::npos);
}

TEST_CASE("a file under the wrong flag is refused with the right one") {
  const Error error = ErrorOf({Flag(kCase + "run_meta_0", "graph")});
  REQUIRE(error.kind == ErrorKind::corrupt);
  REQUIRE(error.what == "the file is a RunMetadata, not a GraphDef");
  REQUIRE(error.where == kCase + "run_meta_0");
  REQUIRE(error.hint == "use --run_meta_path");
  REQUIRE(ErrorOf({Flag(kCase + "graph.pb", "run_metadata")}).hint == "use --graph_path");
  REQUIRE(ErrorOf({Flag(kCase + "graph.pbtxt", "op_log")}).hint == "use --graph_path");
  REQUIRE(ErrorOf({Flag(kCase + "op_log", "profile")}).hint == "use --op_log_path");
  REQUIRE(ErrorOf({{kCase + "graph.pb", "kineto"}}).kind == ErrorKind::usage);
}

TEST_CASE("an empty file is an empty message under a path flag, else an error") {
  const TestFolder folder;
  WriteFile(folder / "empty", "");
  for (const char* format : {"graph", "graphdef", "run_metadata", "op_log", "profile"}) {
    INFO(format);
    REQUIRE(Open({Flag(folder / "empty", format)}).value()->nodes.empty());
    REQUIRE(ErrorOf({{folder / "empty", format}}).kind == ErrorKind::corrupt);
  }
  REQUIRE(ErrorOf({Flag(folder / "empty", "checkpoint")}).kind == ErrorKind::corrupt);
  const Error error = ErrorOf({{folder / "empty"}});
  REQUIRE(error.kind == ErrorKind::corrupt);
  REQUIRE(error.where == folder / "empty");
}

TEST_CASE("a file given twice is read once; under path flags every run is a step") {
  const TestFolder folder;
  WriteFile(folder / "copy", ReadFile(kCase + "run_meta_0"));
  const StorePtr once = Open({{kCase + "graph.pb"},
                              {kCase + "run_meta_0"},
                              {folder / "copy"},
                              {"./" + kCase + "graph.pb"}})
                            .value();
  REQUIRE(Formats(*once) == std::vector<std::string>{"graphdef", "run_metadata"});
  REQUIRE(HasNote(*once, "given twice"));
  const StorePtr twice =
      Open({Flag(kCase + "graph.pb", "graph"), Flag(kCase + "run_meta_0", "run_metadata"),
            Flag(kCase + "run_meta_0", "run_metadata")})
          .value();
  REQUIRE(twice->steps.size() == 2);
}

TEST_CASE("what cannot be opened or read is named") {
  REQUIRE(ErrorOf({}).kind == ErrorKind::usage);
  const Error missing = ErrorOf({{kCase + "graph.pb"}, {"no/such/file"}});
  REQUIRE(missing.kind == ErrorKind::unreadable);
  REQUIRE(missing.where.find("no/such/file") != std::string::npos);
  REQUIRE(ErrorOf({Flag("no/such/prefix", "checkpoint")}).where.find("no/such/prefix.index") !=
          std::string::npos);
  REQUIRE(ErrorOf({{"testdata"}}).kind == ErrorKind::unreadable);
  REQUIRE(ErrorOf({{"CMakeLists.txt"}}).kind == ErrorKind::corrupt);
}

TEST_CASE("a recording that is cut off is an error with its place") {
  const TestFolder folder;
  for (const char* name : {"graph.pb", "run_meta_0", "op_log", "profile.pb", "graph.pbtxt"}) {
    const std::string bytes = ReadFile(kCase + name);
    WriteFile(folder / name, bytes.substr(0, bytes.size() * 2 / 3));
    INFO(name);
    const Error error = ErrorOf({{folder / name}});
    REQUIRE(error.kind == ErrorKind::corrupt);
    REQUIRE(error.where.starts_with(folder / name));
    REQUIRE(error.where.size() > (folder / name).size());
  }
}

}  // namespace tfprof
