// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <catch2/catch.hpp>
#include <random>

#include "core/store/check.h"
#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "proto/meta_graph.pb.h"
#include "tests/support/facts/graph_facts.h"
#include "tests/support/random_message.h"
#include "tests/support/source_of.h"

namespace tfprof::meta_graph_test {
namespace {

using Facts = std::vector<std::string>;

const std::string kModels = "testdata/models/";

Result<StorePtr> Read(const Loader& loader, std::string_view bytes, bool partial = false) {
  Context context;
  context.limits.partial = partial;
  StoreBuilder store;
  const SourceFile file = SourceOf(bytes, "model");
  TFPROF_TRY(loader.load(file, {}, store, context));
  return store.Finish();
}

template <class Proto>
Proto Parsed(const char* text) {
  Proto proto;
  REQUIRE(google::protobuf::TextFormat::ParseFromString(text, &proto));
  return proto;
}

template <class Proto>
std::string TextOf(const Proto& proto) {
  std::string text;
  REQUIRE(google::protobuf::TextFormat::PrintToString(proto, &text));
  return text;
}

bool HasTag(const pb::MetaGraphDef& graph, const char* wanted) {
  const auto& tags = graph.meta_info_def().tags();
  return std::find(tags.begin(), tags.end(), wanted) != tags.end();
}

// The rule of docs/formats/saved_model.md.
const pb::MetaGraphDef* Chosen(const pb::SavedModel& model) {
  for (const char* tag : {"serve", "train"}) {
    for (const pb::MetaGraphDef& graph : model.meta_graphs()) {
      if (HasTag(graph, tag)) return &graph;
    }
  }
  return model.meta_graphs_size() > 0 ? &model.meta_graphs(0) : nullptr;
}

// `loader` reads the graph that libprotobuf reads, or refuses a message without one.
void RequireSame(const Result<StorePtr>& store, const pb::MetaGraphDef* expected) {
  const bool has_graph = expected != nullptr && expected->has_graph_def();
  REQUIRE(store.has_value() == has_graph);
  if (!has_graph) {
    REQUIRE(store.error().kind == ErrorKind::corrupt);
    REQUIRE(store.error().where == "model");
    return;
  }
  REQUIRE(GraphFacts(**store) == GraphFacts(expected->graph_def()));
  REQUIRE(BrokenInvariant(**store).empty());
}

pb::SavedModel RandomModel(unsigned seed, std::mt19937* random) {
  static const char* const kTags[] = {"serve", "train", "gpu", "", "a\nb"};
  *random = std::mt19937(seed);
  pb::SavedModel model;
  FillRandomly(&model, random);
  for (pb::MetaGraphDef& graph : *model.mutable_meta_graphs()) {
    if ((*random)() % 4 == 0) graph.clear_graph_def();
    for (unsigned tags = (*random)() % 3; tags > 0; --tags) {
      graph.mutable_meta_info_def()->add_tags(kTags[(*random)() % 5]);
    }
  }
  return model;
}

pb::SavedModel TwoGraphs() {
  return Parsed<pb::SavedModel>(R"(
      saved_model_schema_version: 1
      meta_graphs { meta_info_def { tags: "train" tags: "gpu" } graph_def { node { name: "t" op: "T" } } }
      meta_graphs { meta_info_def { tags: "serve" } graph_def { node { name: "s" op: "S" input: "s" } } }
      meta_graphs { graph_def { node { name: "u" op: "U" } } })");
}

}  // namespace

TEST_CASE("a MetaGraphDef is read as its graph, even in two pieces") {
  const auto meta = Parsed<pb::MetaGraphDef>(
      R"(meta_info_def { tags: "a" } graph_def { node { name: "a" op: "A" input: "b:1" } })");
  const auto more = Parsed<pb::MetaGraphDef>(
      R"(graph_def { node { name: "b" op: "B" input: "a" } library { function { } } })");
  const StorePtr one = Read(kMetaGraphLoader, meta.SerializeAsString()).value();
  REQUIRE(GraphFacts(*one) == Facts{"a|A| 0<-?/1|none|"});
  const StorePtr both =
      Read(kMetaGraphLoader, meta.SerializeAsString() + more.SerializeAsString()).value();
  REQUIRE(GraphFacts(*both) == Facts{"a|A| 0<-b/1|none|", "b|B| 0<-a/0|none|"});
  REQUIRE(both->sources[0].format == "metagraph");
  REQUIRE(both->notes.size() == 1);
  REQUIRE(both->notes[0].what == note::functions_not_in_graph);
}

TEST_CASE("the serving graph of a SavedModel is read, and the others are named") {
  const StorePtr store = Read(kSavedModelLoader, TwoGraphs().SerializeAsString()).value();
  REQUIRE(GraphFacts(*store) == Facts{"s|S| 0<-s/0|none|"});
  REQUIRE(store->notes.size() == 1);
  REQUIRE(store->notes[0].what.Text() ==
          "of the 3 graphs in the saved model only the one tagged serve is read, not: train gpu, "
          "(no tag)");
  pb::SavedModel model = TwoGraphs();
  model.mutable_meta_graphs(1)->clear_meta_info_def();
  REQUIRE(GraphFacts(*Read(kSavedModelLoader, model.SerializeAsString()).value()) ==
          Facts{"t|T||none|"});
  model.mutable_meta_graphs(0)->clear_meta_info_def();
  REQUIRE(GraphFacts(*Read(kSavedModelLoader, model.SerializeAsString()).value()) ==
          Facts{"t|T||none|"});
  model.mutable_meta_graphs()->DeleteSubrange(1, 2);
  REQUIRE(Read(kSavedModelLoader, model.SerializeAsString()).value()->notes.empty());
}

TEST_CASE("many graphs and long tags make a short note") {
  pb::SavedModel model = TwoGraphs();
  for (int i = 0; i < 1000; ++i) {
    model.add_meta_graphs()->mutable_meta_info_def()->add_tags(std::string(200, 'x'));
  }
  const StorePtr store = Read(kSavedModelLoader, model.SerializeAsString()).value();
  REQUIRE(store->notes[0].what.Text().find("of the 1003 graphs") == 0);
  REQUIRE(store->notes[0].what.Text().size() < 300);
}

TEST_CASE("a message without a graph is an error that mentions it") {
  for (const Loader* loader : {&kMetaGraphLoader, &kSavedModelLoader}) {
    const Result<StorePtr> none = Read(*loader, "");
    REQUIRE(!none.has_value());
    REQUIRE(none.error().what == "the file has no graph");
  }
  const auto tagged = Parsed<pb::SavedModel>(R"(meta_graphs { meta_info_def { tags: "serve" } })");
  REQUIRE(!Read(kSavedModelLoader, tagged.SerializeAsString()).has_value());
}

TEST_CASE("all forms agree with libprotobuf on random models") {
  std::mt19937 random;
  int graphs = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const pb::SavedModel model = RandomModel(seed, &random);
    INFO("seed " << seed);
    RequireSame(Read(kSavedModelLoader, ScrambledBytes(model, &random)), Chosen(model));
    RequireSame(Read(kSavedModelLoader, model.SerializeAsString()), Chosen(model));
    RequireSame(Read(kSavedModelTextLoader, TextOf(model)), Chosen(model));
    for (const pb::MetaGraphDef& graph : model.meta_graphs()) {
      RequireSame(Read(kMetaGraphLoader, ScrambledBytes(graph, &random)), &graph);
      RequireSame(Read(kMetaGraphTextLoader, TextOf(graph)), &graph);
      graphs += graph.has_graph_def() ? 1 : 0;
    }
  }
  REQUIRE(graphs > 100);
}

TEST_CASE("recorded models are read like libprotobuf reads them, binary and text") {
  pb::MetaGraphDef meta;
  REQUIRE(meta.ParseFromString(ReadFile(kModels + "linear.meta")));
  REQUIRE(meta.graph_def().node_size() > 20);
  RequireSame(Read(kMetaGraphLoader, ReadFile(kModels + "linear.meta")), &meta);
  RequireSame(Read(kMetaGraphTextLoader, ReadFile(kModels + "linear.meta.pbtxt")), &meta);
  pb::SavedModel model;
  REQUIRE(model.ParseFromString(ReadFile(kModels + "saved_model/saved_model.pb")));
  REQUIRE(model.meta_graphs_size() == 2);
  REQUIRE(Chosen(model) == &model.meta_graphs(1));
  RequireSame(Read(kSavedModelLoader, ReadFile(kModels + "saved_model/saved_model.pb")),
              Chosen(model));
  RequireSame(Read(kSavedModelTextLoader, ReadFile(kModels + "saved_model_text/saved_model.pbtxt")),
              Chosen(model));
}

TEST_CASE("a model truncated anywhere is an error with its place, or kept in part") {
  const std::string bytes = TwoGraphs().SerializeAsString();
  int errors = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    INFO("cut to " << size << " bytes");
    const std::string_view cut = std::string_view(bytes).substr(0, size);
    const Result<StorePtr> store = Read(kSavedModelLoader, cut);
    const Result<StorePtr> part = Read(kSavedModelLoader, cut, true);
    if (part) REQUIRE(BrokenInvariant(**part).empty());
    if (store) continue;  // cut between two graphs
    ++errors;
    REQUIRE(store.error().kind == ErrorKind::corrupt);
    REQUIRE(store.error().where.find("model") == 0);
    const bool empty = store.error().what == "the file has no graph";
    REQUIRE(part.has_value() == !empty);
    if (empty) continue;
    REQUIRE(store.error().where.find("model: byte ") == 0);
    REQUIRE(std::stoul(store.error().where.substr(12)) < size);
    REQUIRE(!(*part)->notes.empty());
  }
  REQUIRE(errors > static_cast<int>(bytes.size()) - 5);
}

TEST_CASE("a model with any bit flipped is read or refused like libprotobuf does") {
  const std::string model_bytes = TwoGraphs().SerializeAsString();
  const std::string meta_bytes = TwoGraphs().meta_graphs(1).SerializeAsString();
  for (size_t bit = 0; bit < model_bytes.size() * 8; ++bit) {
    INFO("bit " << bit);
    const auto flip = [&](std::string bytes) {
      if (bit / 8 >= bytes.size()) return bytes;
      bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << (bit % 8)));
      return bytes;
    };
    pb::SavedModel model;
    const Result<StorePtr> of_model = Read(kSavedModelLoader, flip(model_bytes));
    if (model.ParseFromString(flip(model_bytes))) RequireSame(of_model, Chosen(model));
    pb::MetaGraphDef meta;
    const Result<StorePtr> of_meta = Read(kMetaGraphLoader, flip(meta_bytes));
    if (meta.ParseFromString(flip(meta_bytes))) RequireSame(of_meta, &meta);
  }
}

TEST_CASE("errors of a text model name line and column") {
  const Result<StorePtr> bad = Read(kSavedModelTextLoader, "meta_graphs {\n graph_def { nod: }\n}");
  REQUIRE(!bad.has_value());
  REQUIRE(bad.error().kind == ErrorKind::corrupt);
  REQUIRE(bad.error().where.find("model:2:") == 0);
  REQUIRE(Read(kMetaGraphTextLoader, "graph { }").error().where.find("model:1:") == 0);
}

// The nodes with the type of trained variables.
Facts Trained(const StorePtr& store) {
  Facts names;
  for (const Node& node : store->nodes) {
    for (const NameId type : store->node_types.Rows(node.types.first, node.types.count)) {
      if (store->Text(type) == "_trainable_variables") names.emplace_back(store->Text(node.name));
    }
  }
  return names;
}

TEST_CASE("a meta graph: the variables of the collection that is trained have its type") {
  const auto meta = Parsed<pb::MetaGraphDef>(R"(
    graph_def {
      node { name: "w" op: "VarHandleOp" }
      node { name: "b" op: "VariableV2" }
      node { name: "step" op: "VariableV2" }
    }
    collection_def { key: "variables" value { bytes_list { value: "\n\006step:0" } } }
    collection_def {
      key: "trainable_variables"
      value { bytes_list { value: "\n\003w:0" value: "malformed" value: "\n\006gone:0" } }
    }
  )");
  CHECK(Trained(Read(kMetaGraphLoader, meta.SerializeAsString()).value()) == Facts{"w"});
  pb::MetaGraphDef old = meta;  // before VariableDef, collections had names of tensors
  auto& collection = (*old.mutable_collection_def())["trainable_variables"];
  collection.mutable_node_list()->add_value("b:0");
  CHECK(Trained(Read(kMetaGraphTextLoader, TextOf(old)).value()) == Facts{"b"});
}

TEST_CASE("a model of TensorFlow 2: objects say what is trained, by the order of equal names") {
  auto model = Parsed<pb::SavedModel>(R"(
    meta_graphs {
      graph_def {
        node { name: "v" op: "VarHandleOp" }
        node { name: "v_1" op: "NoOp" }
        node { name: "v_2" op: "VarHandleOp" }
        node { name: "frozen" op: "VarHandleOp" }
      }
      object_graph_def {
        nodes { children { node_id: 1 local_name: "w" } children { node_id: 9 } }
        nodes { variable { name: "v" trainable: true } }
        nodes { variable { name: "v" } }
        nodes { variable { name: "frozen" } }
        nodes { variable { name: "gone" trainable: true } }
      }
    }
  )");
  CHECK(Trained(Read(kSavedModelLoader, model.SerializeAsString()).value()) == Facts{"v_2"});
  CHECK(Trained(Read(kSavedModelTextLoader, TextOf(model)).value()) == Facts{"v_2"});
  // A model of Keras lists its own: copies that layers keep are not among them.
  auto& objects = *model.mutable_meta_graphs(0)->mutable_object_graph_def();
  auto* const list = objects.mutable_nodes(0)->add_children();
  list->set_node_id(objects.nodes_size());
  list->set_local_name("trainable_variables");
  objects.add_nodes()->add_children()->set_node_id(2);
  CHECK(Trained(Read(kSavedModelLoader, model.SerializeAsString()).value()) == Facts{"v"});
  // TensorFlow 1 says it in the collection.
  auto& collection =
      (*model.mutable_meta_graphs(0)->mutable_collection_def())["trainable_variables"];
  collection.mutable_node_list()->add_value("frozen:0");
  CHECK(Trained(Read(kSavedModelLoader, model.SerializeAsString()).value()) == Facts{"frozen"});
}

}  // namespace tfprof::meta_graph_test
