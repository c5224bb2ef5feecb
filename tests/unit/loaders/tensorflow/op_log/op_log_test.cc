// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/store/call_stacks.h"
#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "proto/tfprof_log.pb.h"
#include "tests/support/random_message.h"
#include "tests/support/store_rows.h"

namespace tfprof::op_log_test {
namespace {

const std::vector<std::string> kNodes = {"a", "a/b", "cpu", "no_utf8_\xff\xfe", ""};

StorePtr LoadLogs(const std::vector<std::string>& files, const std::vector<std::string>& nodes) {
  StoreBuilder builder;
  Context context;
  for (const std::string& name : nodes) {
    builder.AddNode(builder.Name(name), builder.Name("op"), true);
  }
  for (const std::string& file : files) {
    REQUIRE(kOpLogLoader.load(MemoryFile(file), {}, builder, context));
  }
  const StorePtr store = builder.Finish().value();
  REQUIRE(BrokenInvariant(*store) == "");
  return store;
}

struct Oracle {
  struct Node {
    std::set<std::string> types;
    int64_t float_ops = 0;
    std::string trace = "no";
  };
  std::map<std::string, Node> nodes;
  std::map<int64_t, std::string> texts;
  bool traces = false;

  std::string Text(const std::string& text, int64_t id) {
    if (!text.empty()) return text;
    return texts.count(id) > 0 ? texts[id] : "";
  }
  void File(const pb::OpLogProto& log) {
    for (const auto& [id, text] : log.id_to_string()) texts.try_emplace(id, text);
    for (const auto& entry : log.log_entries()) {
      const auto at = nodes.find(entry.name());
      if (at == nodes.end()) continue;
      Node& node = at->second;
      for (const auto& type : entry.types()) node.types.insert(type);
      if (entry.float_ops() != 0) node.float_ops = entry.float_ops();
      if (!entry.has_code_def()) continue;
      traces = true;
      if (node.trace != "no") continue;
      node.trace = "";
      for (const auto& t : entry.code_def().traces()) {
        node.trace += fmt::format("({}:{}:{}:{}:{})", Text(t.file(), t.file_id()), t.lineno(),
                                  Text(t.function(), t.function_id()), t.func_start_line(),
                                  Text(t.line(), t.line_id()));
      }
    }
  }
  std::vector<std::string> Lines(const std::vector<std::string>& names) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < names.size(); ++i) {
      Node& node = nodes[names[i]];
      node.types.erase("op");
      lines.push_back(fmt::format(
          "node {} id={} type=op types={} lanes= inputs= parameter=-2[] shapes= ops={} trace={}",
          names[i], i, fmt::join(node.types, "|"), node.float_ops, node.trace));
    }
    lines.push_back(fmt::format("traces {}", traces));
    return lines;
  }
};

void Compare(const std::vector<std::string>& files, const std::vector<std::string>& nodes) {
  Oracle oracle;
  for (const std::string& name : nodes) oracle.nodes[name];
  for (const std::string& file : files) {
    pb::OpLogProto log;
    REQUIRE(log.ParseFromString(file));
    oracle.File(log);
  }
  REQUIRE(Difference(StoreRows(*LoadLogs(files, nodes)), oracle.Lines(nodes)) == "");
}

}  // namespace

TEST_CASE("op log: recorded files are read like libprotobuf reads them") {
  const std::vector<std::string> paths = ReferenceFiles("op_log");
  if (paths.empty()) WARN("no reference files; only random messages are compared");
  for (const std::string& path : paths) {
    CAPTURE(path);
    const std::string bytes = ReadWhole(path);
    pb::OpLogProto log;
    REQUIRE(log.ParseFromString(bytes));
    std::set<std::string> names;
    for (const auto& entry : log.log_entries()) names.insert(entry.name());
    Compare({bytes}, {names.begin(), names.end()});
  }
}

TEST_CASE("op log: one or two random messages are read like libprotobuf reads them") {
  for (uint32_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<std::string> files;
    for (uint32_t i = 0; i <= seed % 2; ++i) {
      pb::OpLogProto log;
      FillRandomly(&log, &random);
      files.push_back(seed % 3 == 0 ? ScrambledBytes(log, &random) : log.SerializeAsString());
    }
    Compare(files, kNodes);
  }
}

TEST_CASE("op log: of duplicate text ids, the first file and the last entry in a file win") {
  pb::OpLogProto first, second;
  (*first.mutable_id_to_string())[5] = "first";
  (*second.mutable_id_to_string())[5] = "second";
  (*second.mutable_id_to_string())[-7] = "negative";
  (*second.mutable_id_to_string())[int64_t{1} << 60] = "large";
  auto* entry = second.add_log_entries();
  entry->set_name("a");
  auto* trace = entry->mutable_code_def()->add_traces();
  trace->set_file_id(5);
  trace->set_function_id(-7);
  trace->set_line_id(int64_t{1} << 60);
  const std::string early = second.SerializeAsString();
  Compare({first.SerializeAsString(), early}, kNodes);
  Compare({early + first.SerializeAsString()}, kNodes);
}

TEST_CASE("op log: omitted entries are noted") {
  pb::OpLogProto log;
  log.add_log_entries()->set_name("unknown");
  for (int i = 0; i < 2; ++i) {
    auto* entry = log.add_log_entries();
    entry->set_name("a");
    entry->mutable_code_def()->add_traces()->set_file_id(99);
  }
  const StorePtr store = LoadLogs({log.SerializeAsString()}, kNodes);
  REQUIRE(store->notes.size() == 2);
  Context context;
  const CallStacks code = ReadCallStacks(*store, context).value();
  REQUIRE(code.notes.size() == 1);
  REQUIRE(code.notes[0].what == note::frames_without_file);
  REQUIRE(code.notes[0].count == 1);
}

TEST_CASE("op log: a truncated file is an error with a place") {
  pb::OpLogProto log;
  log.add_log_entries()->set_name("a_name");
  const std::string whole = log.SerializeAsString();
  for (size_t size = 1; size < whole.size(); ++size) {
    StoreBuilder builder;
    Context context;
    const auto result = kOpLogLoader.load(MemoryFile(whole.substr(0, size)), {}, builder, context);
    REQUIRE(!result);
    REQUIRE(result.error().kind == ErrorKind::corrupt);
  }
}

}  // namespace tfprof::op_log_test
