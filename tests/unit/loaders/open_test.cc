// SPDX-License-Identifier: Apache-2.0
#include "loaders/open.h"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "core/store/check.h"
#include "loaders/tensorflow/hosts.h"
#include "proto/graph.pb.h"
#include "proto/run_metadata.pb.h"
#include "proto/tfprof_log.pb.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

namespace tfprof::open_test {
namespace {

std::string Replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

TEST_CASE("files of one run are ordered, in any order on the command line") {
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

TEST_CASE("path flags accept the graph in either form and the checkpoint by its prefix") {
  const StorePtr binary =
      Open({Flag(kCase + "graph.pb", "--graph_path"), Flag(kCase + "ckpt", "checkpoint")}).value();
  const StorePtr text =
      Open({Flag(kCase + "graph.pbtxt", "--graph_path"), Flag(kCase + "ckpt.index", "checkpoint")})
          .value();
  const StorePtr packed = Open({{kCase + "graph.pb.gz"}}).value();
  REQUIRE(binary->nodes.size() > 10);
  REQUIRE(text->nodes.size() == binary->nodes.size());
  REQUIRE(packed->nodes.size() == binary->nodes.size());
  REQUIRE(text->tensors.size() == binary->tensors.size());
}

TEST_CASE("a whole profile cannot be combined, except with a checkpoint") {
  REQUIRE(Open({{kCase + "profile.pb"}}).value()->nodes.size() > 10);
  const StorePtr with_values = Open({{kCase + "ckpt"}, {kCase + "profile.pb"}}).value();
  REQUIRE(Formats(*with_values) == std::vector<std::string>{"profile", "checkpoint"});
  REQUIRE(ErrorOf({{kCase + "profile.pb"}, {kCase + "graph.pb"}}).kind == ErrorKind::usage);
  const Error two = ErrorOf({{kCase + "profile.pb"}, {"testdata/tensorflow/convnet/profile.pb"}});
  REQUIRE(two.kind == ErrorKind::usage);
  REQUIRE(two.what.find("different graphs") != std::string::npos);
}

TEST_CASE("profiles of one graph: steps add up, hosts are side by side, runs are separate") {
  const TestFolder folder;
  const std::string bytes = ReadFile(kCase + "profile.pb");
  pb::ProfileProto later;
  REQUIRE(later.ParseFromString(bytes));
  for (auto& [id, node] : *later.mutable_nodes()) {
    const auto execs = node.execs();
    node.clear_execs();
    for (const auto& [step, exec] : execs) (*node.mutable_execs())[step + 10] = exec;
  }
  for (int i = 0; i < later.steps_size(); ++i) later.set_steps(i, later.steps(i) + 10);
  WriteFile(folder / "later", later.SerializeAsString());
  WriteFile(folder / "other_host", Replaced(bytes, "/task:0", "/task:1"));
  later.set_has_trace(!later.has_trace());  // another file, the same steps
  WriteFile(folder / "again", later.SerializeAsString());

  const StorePtr one = Open({{kCase + "profile.pb"}}).value();
  const StorePtr steps = Open({{kCase + "profile.pb"}, {folder / "later"}}).value();
  REQUIRE(steps->steps.size() == 2 * one->steps.size());
  REQUIRE(steps->nodes.size() == one->nodes.size());
  REQUIRE(steps->edges.size() == one->edges.size());
  REQUIRE(steps->EventCount() == 2 * one->EventCount());
  REQUIRE(steps->lanes.size() == one->lanes.size());

  const StorePtr hosts = Open({{kCase + "profile.pb"}, {folder / "other_host"}}).value();
  REQUIRE(hosts->steps.size() == one->steps.size());
  REQUIRE(hosts->lanes.size() == 2 * one->lanes.size());
  REQUIRE(hosts->EventCount() == 2 * one->EventCount());

  const Error clash = ErrorOf({{folder / "later"}, {folder / "again"}});
  REQUIRE(clash.kind == ErrorKind::usage);
  REQUIRE(clash.what.find("different runs") != std::string::npos);
  REQUIRE(clash.where == folder / "again");
}

TEST_CASE("two profiles of one step on one device are not summed") {
  const std::string path = "testdata/tensorflow/rnn_while/profile.pb";
  const StorePtr one = Open({{path}}).value();
  REQUIRE(one->lanes.size() == 1);
  REQUIRE(one->steps.size() == 1);
  const TestFolder folder;
  pb::ProfileProto again;
  REQUIRE(again.ParseFromString(ReadFile(path)));
  again.set_has_trace(!again.has_trace());  // another file of the same run
  WriteFile(folder / "again", again.SerializeAsString());
  const Error clash = ErrorOf({{path}, {folder / "again"}});
  REQUIRE(clash.kind == ErrorKind::usage);
  REQUIRE(clash.what.find("has step 0 of /job:localhost") != std::string::npos);

  for (auto& [id, node] : *again.mutable_nodes()) node.clear_execs();
  WriteFile(folder / "nothing_ran", again.SerializeAsString());
  REQUIRE(Open({{path}, {folder / "nothing_ran"}}).value()->EventCount() == one->EventCount());
}

TEST_CASE("files of another program are refused, or noted if they share a little") {
  const std::string convnet = "testdata/tensorflow/convnet/";
  const TestFolder folder;
  pb::GraphDef lonely;
  lonely.add_node()->set_name("lonely");
  lonely.mutable_node(0)->set_op("NoOp");
  WriteFile(folder / "graph.pb", lonely.SerializeAsString());

  const Error graphs = ErrorOf({{convnet + "graph.pb"}, {kCase + "graph.pb"}});
  REQUIRE(graphs.kind == ErrorKind::usage);
  REQUIRE(graphs.what.find("different programs") != std::string::npos);
  for (const char* name : {"run_meta_0", "op_log", "ckpt.index"}) {
    INFO(name);
    const Error none = ErrorOf({{folder / "graph.pb", "graphdef"}, {kCase + name}});
    REQUIRE(none.kind == ErrorKind::usage);
    REQUIRE(none.what.find("different programs") != std::string::npos);
    REQUIRE(none.where == kCase + name);
    REQUIRE(Open({Flag(folder / "graph.pb", "graphdef"), Flag(kCase + name, "")}).has_value());
  }
  REQUIRE(ErrorOf({{convnet + "profile.pb"}, {kCase + "ckpt.index"}}).kind == ErrorKind::usage);
  pb::RunMetadata one_record;
  pb::DeviceStepStats* stats = one_record.mutable_step_stats()->add_dev_stats();
  stats->set_device("/cpu:0");
  stats->add_node_stats()->set_node_name("unknown");
  WriteFile(folder / "one_record", one_record.SerializeAsString());
  REQUIRE(Open({{kCase + "graph.pb"}, {folder / "one_record", "run_metadata"}}).has_value());

  const std::string note = "most records of a file match no graph node";
  REQUIRE(HasNote(*Open({{convnet + "graph.pb"}, {kCase + "run_meta_0"}}).value(), note));
  for (const char* run : {"run_meta_0", "run_meta_1", "run_meta_2"}) {
    REQUIRE(!HasNote(*Open({{kCase + "graph.pb"}, {kCase + run}}).value(), note));
  }
  REQUIRE(Open({{kCase + "graph.pb"}, {kCase + "graph.pbtxt"}}).has_value());
  REQUIRE(Open({{kCase + "op_log"}, {kCase + "ckpt.index"}, {kCase + "run_meta_0"}}).has_value());
}

TEST_CASE("run records of several hosts share their steps") {
  const TestFolder folder;
  for (const char* name : {"run_meta_0", "run_meta_1"}) {
    WriteFile(folder / name, Replaced(ReadFile(kCase + name), "/task:0", "/task:1"));
  }
  const StorePtr one = Open({{kCase + "run_meta_0"}, {kCase + "run_meta_1"}}).value();
  const StorePtr both = Open({{kCase + "run_meta_0"},
                              {kCase + "run_meta_1"},
                              {folder / "run_meta_0"},
                              {folder / "run_meta_1"}})
                            .value();
  REQUIRE(one->steps.size() == 2);
  REQUIRE(both->steps.size() == 2);
  REQUIRE(both->lanes.size() == 2 * one->lanes.size());
  REQUIRE(both->EventCount() == 2 * one->EventCount());
}

TEST_CASE("with several files, a device without host belongs to the host of its file") {
  const TestFolder folder;
  for (const char* host : {"/job:worker/task:0", "/job:worker/task:1"}) {
    pb::RunMetadata run;
    for (const std::string& device : {std::string(host) + "/gpu:0", std::string("/stream:all")}) {
      pb::DeviceStepStats* stats = run.mutable_step_stats()->add_dev_stats();
      stats->set_device(device);
      stats->add_node_stats()->set_node_name("x");
      stats->mutable_node_stats(0)->set_all_start_micros(1'600'000'000'000'000);
    }
    WriteFile(folder / std::string(1, std::string(host).back()), run.SerializeAsString());
  }
  const StorePtr both =
      Open({{folder / "0", "run_metadata"}, {folder / "1", "run_metadata"}}).value();
  REQUIRE(both->steps.size() == 1);
  REQUIRE(both->lanes.size() == 4);
  REQUIRE(both->Text(both->lanes[3].name) == "/job:worker/task:1/stream:all");
  const StorePtr alone = Open({{folder / "0", "run_metadata"}}).value();
  REQUIRE(alone->Text(alone->lanes[1].name) == "/stream:all");
}

TEST_CASE("the host of a device text is parsed") {
  REQUIRE(HostOf("/job:Worker/replica:0/task:12/device:GPU:0") == "/job:worker/replica:0/task:12");
  REQUIRE(HostOf("/job:a/task:1") == "/job:a/task:1");
  REQUIRE(HostOf("/device:GPU:0/task:1") == "");
  REQUIRE(HostOf("") == "");
}

TEST_CASE("a file under the wrong flag is refused with the right flag") {
  const Error error = ErrorOf({Flag(kCase + "run_meta_0", "--graph_path")});
  REQUIRE(error.kind == ErrorKind::corrupt);
  REQUIRE(error.what == "the file is a RunMetadata, not a GraphDef");
  REQUIRE(error.where == kCase + "run_meta_0");
  REQUIRE(error.hint == "use --run_meta_path");
  REQUIRE(ErrorOf({Flag(kCase + "graph.pb", "run_metadata")}).hint == "use --graph_path");
  REQUIRE(ErrorOf({Flag(kCase + "graph.pbtxt", "op_log")}).hint == "use --graph_path");
  REQUIRE(ErrorOf({Flag(kCase + "op_log", "profile")}).hint == "use --op_log_path");
  REQUIRE(ErrorOf({{kCase + "graph.pb", "pickle"}}).kind == ErrorKind::usage);
}

TEST_CASE("an empty file is an empty message under a path flag, else an error") {
  const TestFolder folder;
  WriteFile(folder / "empty", "");
  for (const char* format : {"--graph_path", "graphdef", "run_metadata", "op_log", "profile"}) {
    INFO(format);
    REQUIRE(Open({Flag(folder / "empty", format)}).value()->nodes.empty());
    REQUIRE(ErrorOf({{folder / "empty", format}}).kind == ErrorKind::corrupt);
  }
  REQUIRE(ErrorOf({Flag(folder / "empty", "checkpoint")}).kind == ErrorKind::corrupt);
  const Error error = ErrorOf({{folder / "empty"}});
  REQUIRE(error.kind == ErrorKind::corrupt);
  REQUIRE(error.where == folder / "empty");
}

TEST_CASE("a duplicate file is read once; under path flags every run is a step") {
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
      Open({Flag(kCase + "graph.pb", "--graph_path"), Flag(kCase + "run_meta_0", "run_metadata"),
            Flag(kCase + "run_meta_0", "run_metadata")})
          .value();
  REQUIRE(twice->steps.size() == 2);
}

TEST_CASE("files that cannot be opened or read are named") {
  REQUIRE(ErrorOf({}).kind == ErrorKind::usage);
  const Error missing = ErrorOf({{kCase + "graph.pb"}, {"no/such/file"}});
  REQUIRE(missing.kind == ErrorKind::unreadable);
  REQUIRE(missing.where.find("no/such/file") != std::string::npos);
  REQUIRE(ErrorOf({Flag("no/such/prefix", "checkpoint")}).where.find("no/such/prefix.index") !=
          std::string::npos);
  REQUIRE(ErrorOf({{"docs"}}).kind == ErrorKind::unreadable);
  REQUIRE(ErrorOf({{"CMakeLists.txt"}}).kind == ErrorKind::corrupt);
}

TEST_CASE("a truncated recording is an error with its place") {
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

}  // namespace tfprof::open_test
