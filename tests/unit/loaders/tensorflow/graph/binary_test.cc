// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/graph/binary.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <catch2/catch.hpp>
#include <random>

#include "core/store/check.h"
#include "loaders/formats.h"
#include "tests/support/facts/graph_facts.h"
#include "tests/support/source_of.h"

namespace tfprof::binary_test {
namespace {

Result<StorePtr> Read(const Loader& loader, std::string_view bytes, bool partial = false) {
  Context context;
  context.limits.partial = partial;
  StoreBuilder store;
  const SourceFile file = SourceOf(bytes, "graph.pbtxt");
  TFPROF_TRY(loader.load(file, {}, store, context));
  return store.Finish();
}

Result<StorePtr> ReadBinary(std::string_view bytes, bool partial = false) {
  return Read(kGraphDefLoader, bytes, partial);
}

pb::GraphDef GraphOf(const char* text) {
  pb::GraphDef graph;
  REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &graph));
  return graph;
}

std::string NoteTexts(const Store& store) {
  std::string texts;
  for (const Note& note : store.notes) {
    texts += fmt::format("{} {} ({})\n", note.count, note.what.Text(), note.first_place);
  }
  return texts;
}

// Any graph: names from a small pool so that duplicates, cycles and dangling inputs are frequent.
class RandomGraph {
 public:
  explicit RandomGraph(unsigned seed) : random_(seed) {}

  pb::GraphDef Make() {
    pb::GraphDef graph;
    const int nodes = Below(30);
    for (int i = 0; i < nodes; ++i) AddNode(graph.add_node());
    if (Below(3) == 0) graph.mutable_versions()->set_producer(Below(2000));
    if (Below(3) == 0) graph.mutable_library()->add_function();
    return graph;
  }

 private:
  int Below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  std::string Name() {
    static const char* const kNames[] = {"",           "a",      "b", "a/b", "a/b/c",
                                         "x\xFF\xFEy", "w/read", "^", "d"};
    const int which = Below(12);
    return which < 9 ? kNames[which] : fmt::format("n{}", Below(20));
  }

  std::string Input() {
    static const char* const kSuffixes[] = {"",   "",    "",    ":0",   ":3",          ":",
                                            ":x", ":1x", ":-1", ":0:1", ":2147483648", ":00007"};
    return fmt::format("{}{}{}", Below(4) == 0 ? "^" : "", Name(), kSuffixes[Below(12)]);
  }

  void FillShape(pb::TensorShapeProto* shape) {
    const int rank = Below(5);
    for (int i = 0; i < rank; ++i) shape->add_dim()->set_size(Below(4) == 0 ? -1 : Below(300));
    if (Below(4) == 0) shape->set_unknown_rank(true);
  }

  void FillValue(pb::AttrValue* value) {
    switch (Below(8)) {
      case 0: value->set_i(Below(9)); break;
      case 1: value->set_s("text"); break;
      case 2: value->set_f(1.5f); break;
      case 3: value->mutable_tensor()->add_float_val(1); break;
      case 4: break;
      case 5:
        for (int i = Below(4); i > 0; --i) FillShape(value->mutable_list()->add_shape());
        value->mutable_list()->add_i(3);
        break;
      default: FillShape(value->mutable_shape());
    }
  }

  void AddNode(pb::NodeDef* node) {
    static const char* const kKeys[] = {"shape", "_output_shapes", "data_format", "T", ""};
    node->set_name(Name());
    node->set_op(Below(5) == 0 ? "" : fmt::format("Op{}", Below(5)));
    for (int i = Below(5); i > 0; --i) node->add_input(Input());
    for (int i = Below(6); i > 0; --i) {
      pb::AttrEntry* entry = node->add_attr();
      entry->set_key(kKeys[Below(5)]);
      if (Below(6) != 0) FillValue(entry->mutable_value());
    }
  }

  std::mt19937 random_;
};

}  // namespace

TEST_CASE("nodes keep file order; inputs are linked by name in any order") {
  const pb::GraphDef graph = GraphOf(R"(
      node { name: "sum" op: "Add" input: "w:1" input: "^init" input: "gone:2" }
      node { name: "w" op: "Variable" attr { key: "shape" value { shape { dim { size: 3 } dim { size: -1 } } } } }
      node { name: "init" op: "NoOp" attr { key: "shape" value { shape { } } }
             attr { key: "_output_shapes" value { list { shape { unknown_rank: true } shape { dim { size: 7 } } } } } })");
  const StorePtr store = ReadBinary(graph.SerializeAsString()).value();
  REQUIRE(GraphFacts(*store) == std::vector<std::string>{
                                    "sum|Add| 0<-w/1 1<-init/-1 2<-?/2|none|",
                                    "w|Variable||[3,-1]|",
                                    "init|NoOp||[]| 0:unknown 1:[7]",
                                });
  REQUIRE(store->nodes[0].defined);
  REQUIRE(store->sources[0].format == "graphdef");
  REQUIRE(BrokenInvariant(*store).empty());
}

TEST_CASE("a name and a slot are separated as in the original") {
  const auto parsed = [](std::string_view input) {
    const InputName name = ParseInput(input);
    return std::string(name.name) + "/" + std::to_string(name.output_slot);
  };
  REQUIRE(parsed("a:2") == "a/2");
  REQUIRE(parsed("^a:2") == "a/-1");
  REQUIRE(parsed("a:-1") == "a/0");
  REQUIRE(parsed("a:1x") == "a/0");
  REQUIRE(parsed("a:0:1") == "a/0");
  REQUIRE(parsed("a:99999999999999999999") == "a/0");
  REQUIRE(parsed("^") == "/-1");
  REQUIRE(parsed(":0") == "/0");
}

TEST_CASE("a duplicate node counts once, functions are counted, and notes report both") {
  const pb::GraphDef graph = GraphOf(R"(
      node { name: "a" op: "First" input: "b" } node { name: "b" op: "B" }
      node { name: "a" op: "Second" input: "a" input: "a" }
      library { function { } function { } })");
  const StorePtr store = ReadBinary(graph.SerializeAsString()).value();
  REQUIRE(GraphFacts(*store) == std::vector<std::string>{"a|First| 0<-b/0|none|", "b|B||none|"});
  REQUIRE(NoteTexts(*store).find("1 graph nodes with a duplicate name") != std::string::npos);
  REQUIRE(NoteTexts(*store).find("2 functions of the graph's library") != std::string::npos);
}

TEST_CASE("binary and text readers agree with libprotobuf on random graphs") {
  for (unsigned seed = 0; seed < 400; ++seed) {
    const pb::GraphDef graph = RandomGraph(seed).Make();
    const std::string bytes = graph.SerializeAsString();
    std::string text;
    REQUIRE(google::protobuf::TextFormat::PrintToString(graph, &text));
    const std::vector<std::string> expected = GraphFacts(graph);
    const StorePtr store = ReadBinary(bytes).value();
    REQUIRE(GraphFacts(*store) == expected);
    REQUIRE(BrokenInvariant(*store).empty());
    REQUIRE(GraphFacts(*Read(kGraphTextLoader, text).value()) == expected);
  }
}

TEST_CASE("concatenated messages are merged like libprotobuf does: oneofs, maps, lists") {
  // Bytes of two messages of one type, one behind the other, are one message with both contents.
  const auto field = [](char tag, const std::string& message) {
    std::string bytes(1, tag);
    bytes += static_cast<char>(message.size() % 128 | 128);
    bytes += static_cast<char>(message.size() / 128);
    return bytes + message;
  };
  for (unsigned seed = 1000; seed < 1300; ++seed) {
    std::string bytes;
    const pb::GraphDef graph = RandomGraph(seed).Make();
    for (const pb::NodeDef& node : graph.node()) {
      std::string message = node.SerializeAsString(), attribute;
      for (const pb::AttrEntry& entry : node.attr()) attribute += entry.SerializeAsString();
      if (message.size() + attribute.size() > 10000) continue;
      message += field('\x2A', attribute);
      bytes += field('\x0A', message);
    }
    pb::GraphDef joined;
    REQUIRE(joined.ParseFromString(bytes));
    REQUIRE(GraphFacts(*ReadBinary(bytes).value()) == GraphFacts(joined));
  }
}

TEST_CASE("recorded graphs are read like libprotobuf reads them") {
  int graphs = 0;
  for (const std::filesystem::path& folder : CaseFolders()) {
    for (const char* name : {"graph.pb", "graph.pbtxt"}) {
      if (!std::filesystem::exists(folder / name)) continue;
      const std::string bytes = ReadFile(folder / name);
      const bool is_text = std::string(name) == "graph.pbtxt";
      pb::GraphDef graph;
      google::protobuf::TextFormat::Parser parser;
      parser.AllowUnknownField(true);
      REQUIRE((is_text ? parser.ParseFromString(bytes, &graph) : graph.ParseFromString(bytes)));
      INFO(folder / name);
      const StorePtr store =
          Read(is_text && !bytes.empty() ? kGraphTextLoader : kGraphDefLoader, bytes).value();
      REQUIRE(GraphFacts(*store) == GraphFacts(graph));
      REQUIRE(BrokenInvariant(*store).empty());
      ++graphs;
    }
  }
  REQUIRE(graphs >= 4);
}

TEST_CASE("a graph truncated anywhere is an error with its place, or kept in part") {
  const std::string bytes = RandomGraph(3).Make().SerializeAsString();
  const size_t all = ReadBinary(bytes).value()->nodes.size();
  REQUIRE(all > 3);
  int errors = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const Result<StorePtr> cut = ReadBinary(std::string_view(bytes).substr(0, size));
    const Result<StorePtr> part = ReadBinary(std::string_view(bytes).substr(0, size), true);
    REQUIRE(part.has_value());
    REQUIRE(BrokenInvariant(**part).empty());
    REQUIRE((*part)->nodes.size() <= all);
    if (cut) continue;  // cut between two nodes
    ++errors;
    REQUIRE(cut.error().kind == ErrorKind::corrupt);
    REQUIRE(cut.error().where.find("graph.pbtxt: byte ") == 0);
    REQUIRE(!(*part)->notes.empty());
  }
  REQUIRE(errors > static_cast<int>(bytes.size()) / 2);
}

TEST_CASE("a graph with any bit flipped is read or refused like libprotobuf does") {
  const std::string bytes = RandomGraph(3).Make().SerializeAsString();
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    const Result<StorePtr> store = ReadBinary(flipped);
    pb::GraphDef graph;
    if (!graph.ParseFromString(flipped)) continue;  // we skip what we do not need unseen
    INFO("bit " << bit);
    REQUIRE(store.has_value());
    REQUIRE(GraphFacts(**store) == GraphFacts(graph));
    REQUIRE(BrokenInvariant(**store).empty());
  }
}

TEST_CASE("errors of a text graph name line and column") {
  const Result<StorePtr> bad = Read(kGraphTextLoader, "node {\n  name: \"a\"\n  op: Add\n}\n");
  REQUIRE(!bad.has_value());
  REQUIRE(bad.error().kind == ErrorKind::corrupt);
  REQUIRE(bad.error().where == "graph.pbtxt:3:7");
  REQUIRE(!Read(kGraphTextLoader, "node { name: \"a\"").has_value());
  REQUIRE(!Read(kGraphTextLoader, "node { name: \"a }").has_value());
  REQUIRE(Read(kGraphTextLoader, "nodes { }\n").error().where == "graph.pbtxt:1:7");
}

TEST_CASE("a text graph may contain fields of later versions") {
  const StorePtr store = Read(kGraphTextLoader,
                              "\xEF\xBB\xBF# comment {{{\n"
                              "node { name: 'a' op: \"A\" later { x: [1, 2] y < z: '{' > } }\n"
                              "library { function { signature { name: \"f\" } } }")
                             .value();
  REQUIRE(GraphFacts(*store) == std::vector<std::string>{"a|A||none|"});
}

TEST_CASE("endlessly nested braces are an error, not a crash") {
  for (const std::string open : {"later {", "node { attr { value { func { attr { value {", "x <"}) {
    std::string text;
    for (int i = 0; i < 200000; ++i) text += open;
    const Result<StorePtr> deep = Read(kGraphTextLoader, text);
    REQUIRE(!deep.has_value());
    REQUIRE(deep.error().kind == ErrorKind::corrupt);
  }
}

TEST_CASE("reading a graph can be cancelled") {
  pb::GraphDef graph;
  for (int i = 0; i < 20000; ++i) graph.add_node()->set_name(fmt::format("n{}", i));
  const std::string bytes = graph.SerializeAsString();
  Context context;
  context.polls_until_cancel = 2;
  StoreBuilder store;
  const Result<void> done = kGraphDefLoader.load(SourceOf(bytes), {}, store, context);
  REQUIRE(!done.has_value());
  REQUIRE(done.error().kind == ErrorKind::cancelled);
  REQUIRE(context.done_bytes > 0);
  REQUIRE(context.done_bytes <= bytes.size());
}

}  // namespace tfprof::binary_test
