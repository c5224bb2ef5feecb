// SPDX-License-Identifier: Apache-2.0
// Readers of MetaGraphDef and SavedModel, binary and text, and of GraphDef as text. binary.cc reads
// the GraphDef inside.
#include <fmt/core.h>
#include <google/protobuf/arena.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/store/note_catalogue.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/tensorflow/graph/binary.h"
#include "loaders/tensorflow/graph/object_graph.h"
#include "loaders/wire/map_entry.h"
#include "loaders/wire/message.h"
#include "loaders/wire/text_message.h"
#include "loaders/wire/wire.h"
#include "proto/graph.pb.h"
#include "proto/meta_graph.pb.h"
#include "proto/meta_graph_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

// The parts of a MetaGraphDef that are read. Schema and semantics: proto/meta_graph.proto.
struct MetaGraph {
  bool has_graph = false;
  std::vector<std::string_view> graph;  // the non-empty pieces of its GraphDef
  bool serves = false;                  // has the tag "serve"
  bool trains = false;                  // has the tag "train"
  std::string tags;                     // human-readable: "serve gpu", shortened if there are many
  std::vector<std::string_view> trainable;  // tensors of the variables that the program trains
  ObjectGraph objects;
  const char* bad = nullptr;  // where it is damaged or truncated; null: intact
};

// The graph of a SavedModel that is read: the first that serves, else the first that trains, else
// the first.
struct ChosenGraph {
  MetaGraph graph;
  int64_t others = 0;
  std::string other_tags;     // human-readable: "train, (none), ...", shortened if there are many
  const char* bad = nullptr;  // place of the first damage of the file; null: intact
};

// Adds a name to a human-readable list unless the list is long enough.
void AddName(std::string_view name, std::string_view separator, std::string* list) {
  constexpr size_t kEnough = 80;
  if (list->size() > kEnough) return;
  if (!list->empty()) list->append(separator);
  list->append(list->size() + name.size() > kEnough ? "..." : name);
}

// Returns null, or the place where the MetaInfoDef is malformed.
const char* ReadTags(std::string_view info, MetaGraph* meta) {
  const auto add = [=](std::string_view tag) -> const char* {
    meta->serves |= tag == "serve";
    meta->trains |= tag == "train";
    AddName(tag, " ", &meta->tags);
    return nullptr;
  };
  return wire::ReadMessage(info, wire::Each<field::MetaGraphDef_MetaInfoDef::tags>(add));
}

// The collection of variables that training changes, and their type in op logs.
constexpr std::string_view kTrainableCollection = "trainable_variables";
constexpr std::string_view kTrainableType = "_trainable_variables";

// Reads an entry of the map of collections. Skips what is malformed, as programs may put any
// message into a collection.
void ReadCollection(std::string_view message, MetaGraph* meta) {
  MapEntry<std::string_view> entry;
  if (ReadEntry(message, &entry) != nullptr || entry.key != kTrainableCollection) return;
  meta->trainable.clear();  // of equal keys the last one counts
  const auto add_tensor = [=](std::string_view tensor) -> const char* {
    meta->trainable.push_back(tensor);
    return nullptr;
  };
  const auto add_variable = [=](std::string_view variable) -> const char* {
    std::string_view tensor;
    wire::ReadMessage(variable, wire::Text<field::VariableDef::variable_name>(&tensor));
    if (!tensor.empty()) meta->trainable.push_back(tensor);
    return nullptr;
  };
  const auto read_nodes = [&](std::string_view list) {
    return wire::ReadMessage(list, wire::Each<field::CollectionDef_NodeList::value>(add_tensor));
  };
  const auto read_bytes = [&](std::string_view list) {
    return wire::ReadMessage(list, wire::Each<field::CollectionDef_BytesList::value>(add_variable));
  };
  wire::ReadMessage(entry.value, wire::Each<field::CollectionDef::node_list>(read_nodes),
                    wire::Each<field::CollectionDef::bytes_list>(read_bytes));
}

MetaGraph ReadMetaGraph(std::string_view message) {
  MetaGraph meta;
  wire::Fields fields(message);
  while (meta.bad == nullptr && fields.Next()) {
    if (fields.tag() == Tag(field::MetaGraphDef::meta_info_def, wire::kBytes)) {
      meta.bad = ReadTags(fields.Bytes(), &meta);
    } else if (fields.tag() == Tag(field::MetaGraphDef::graph_def, wire::kBytes)) {
      const std::string_view piece = fields.BytesOrRest();
      meta.has_graph = true;
      if (!piece.empty()) meta.graph.push_back(piece);
    } else if (fields.tag() == Tag(field::MetaGraphDef::collection_def, wire::kBytes)) {
      ReadCollection(fields.Bytes(), &meta);
    } else if (fields.tag() == Tag(field::MetaGraphDef::object_graph_def, wire::kBytes)) {
      meta.objects.Read(fields.Bytes());
    } else {
      fields.Skip();
    }
  }
  if (meta.bad == nullptr) meta.bad = fields.bad();
  return meta;
}

int Rank(const MetaGraph& meta) { return meta.serves ? 0 : meta.trains ? 1 : 2; }

// Calls use(MetaGraph) for each graph of a SavedModel. Returns null, or the place where it is
// truncated.
template <class Use>
const char* ForEachGraph(std::string_view saved_model, Use use) {
  wire::Fields fields(saved_model);
  while (fields.Next()) {
    if (fields.tag() == Tag(field::SavedModel::meta_graphs, wire::kBytes)) {
      use(ReadMetaGraph(fields.BytesOrRest()));
    } else {
      fields.Skip();
    }
  }
  return fields.bad();
}

ChosenGraph ChooseGraph(std::string_view saved_model) {
  ChosenGraph chosen;
  int64_t count = 0, place = -1;
  const char* bad = ForEachGraph(saved_model, [&](MetaGraph meta) {
    if (chosen.bad == nullptr) chosen.bad = meta.bad;
    if (place < 0 || Rank(meta) < Rank(chosen.graph)) {
      chosen.graph = std::move(meta);
      place = count;
    }
    ++count;
  });
  if (chosen.bad == nullptr) chosen.bad = bad;
  chosen.others = std::max<int64_t>(count - 1, 0);
  count = 0;
  ForEachGraph(saved_model, [&](const MetaGraph& meta) {
    if (count++ == place) return;
    AddName(meta.tags.empty() ? "(no tag)" : meta.tags, ", ", &chosen.other_tags);
  });
  if (chosen.graph.tags.empty()) chosen.graph.tags = "(no tag)";
  return chosen;
}

// Bytes of one of the four forms; records if positions in them refer to the file.
struct Message {
  std::string_view bytes;
  SourceId source;
  bool in_file;
  std::shared_ptr<const void> keep = {};  // owns the bytes if they are not in the file
};

// TensorFlow 1 says in a collection what training changes, TensorFlow 2 in the objects.
void AddTrainableTypes(const MetaGraph& meta, StoreBuilder& store) {
  const NameId type = store.Name(kTrainableType);
  for (const std::string_view tensor : meta.trainable) {
    const NodeId node = store.FindNode(store.Name(tensor.substr(0, tensor.rfind(':'))));
    if (node.some()) store.AddType(node, type);
  }
  if (!meta.trainable.empty()) return;
  for (const NodeId node : meta.objects.TrainedNodes(store)) store.AddType(node, type);
}

Result<void> ReadGraphOf(const MetaGraph& meta, const char* bad, const Message& message,
                         const SourceFile& file, StoreBuilder& store, Context& context) {
  if (!meta.has_graph && bad == nullptr) {
    return Fail(ErrorKind::corrupt, "the file has no graph", file.path);
  }
  TFPROF_TRY(ReadGraph({meta.graph, file, message.source, message.in_file, bad, message.keep},
                       store, context));
  AddTrainableTypes(meta, store);
  return {};
}

Result<void> ReadMeta(const Message& message, const SourceFile& file, StoreBuilder& store,
                      Context& context) {
  const MetaGraph meta = ReadMetaGraph(message.bytes);
  return ReadGraphOf(meta, meta.bad, message, file, store, context);
}

Result<void> ReadModel(const Message& message, const SourceFile& file, StoreBuilder& store,
                       Context& context) {
  const ChosenGraph chosen = ChooseGraph(message.bytes);
  TFPROF_TRY(ReadGraphOf(chosen.graph, chosen.bad, message, file, store, context));
  if (chosen.others > 0) {
    store.AddNote(note::With(note::one_graph_of_several, {std::to_string(chosen.others + 1),
                                                          chosen.graph.tags, chosen.other_tags}),
                  file.path);
  }
  return {};
}

Result<void> ReadPlain(const Message& message, const SourceFile& file, StoreBuilder& store,
                       Context& context) {
  return ReadGraph({{message.bytes}, file, message.source, message.in_file, nullptr, message.keep},
                   store, context);
}

using Reader = Result<void> (*)(const Message&, const SourceFile&, StoreBuilder&, Context&);

// `kOf`: the loader whose function this is.
template <const Loader& kOf, Reader kRead>
Result<void> LoadBinary(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                        Context& context) {
  const SourceId source =
      store.AddSource({file.path, std::string(kOf.name), file.file_bytes, file.bytes.size()});
  return kRead({file.bytes, source, true}, file, store, context);
}

// What a text that is none should be.
template <class Proto>
constexpr std::string_view kNoun;
template <>
constexpr std::string_view kNoun<pb::GraphDef> = "a graph";
template <>
constexpr std::string_view kNoun<pb::MetaGraphDef> = "a MetaGraphDef";
template <>
constexpr std::string_view kNoun<pb::SavedModel> = "a SavedModel";

template <const Loader& kOf, class Proto, Reader kRead>
Result<void> LoadText(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                      Context& context) {
  const SourceId source =
      store.AddSource({file.path, std::string(kOf.name), file.file_bytes, file.bytes.size()});
  const auto kept = std::make_shared<std::string>();
  std::string& bytes = *kept;
  {
    google::protobuf::Arena arena;
    auto* proto = google::protobuf::Arena::CreateMessage<Proto>(&arena);
    TFPROF_ASSIGN(bytes, BytesOfText(file, kNoun<Proto>, context, proto));
  }
  const size_t size = bytes.size() - SourceFile::kPadding;
  return kRead({std::string_view(bytes).substr(0, size), source, false, kept}, file, store,
               context);
}

int ScoreGraphText(std::string_view bytes) {
  constexpr std::string_view kFields[] = {"node", "library", "versions", "version", "debug_info"};
  const std::string_view first = FirstTextField(bytes, kFields);
  return first.empty() ? 0 : first == "node" ? 95 : 80;
}

int ScoreMetaText(std::string_view bytes) {
  constexpr std::string_view kFields[] = {"meta_info_def",   "graph_def",     "saver_def",
                                          "collection_def",  "signature_def", "asset_file_def",
                                          "object_graph_def"};
  return FirstTextField(bytes, kFields).empty() ? 0 : 95;
}

int ScoreModelText(std::string_view bytes) {
  constexpr std::string_view kFields[] = {"saved_model_schema_version", "meta_graphs"};
  return FirstTextField(bytes, kFields).empty() ? 0 : 95;
}

}  // namespace

const Loader kGraphTextLoader = {
    .name = "graphdef-text",
    .noun = "a GraphDef in text form",
    .flag = "--graph_path",
    .summary = "TensorFlow graph (GraphDef as text, .pbtxt)",
    .order = 0,
    .is_text = true,
    .score = ScoreGraphText,
    .load = LoadText<kGraphTextLoader, pb::GraphDef, ReadPlain>,
};

const Loader kMetaGraphLoader = {
    .name = "metagraph",
    .noun = "a MetaGraphDef",
    .summary = "TensorFlow graph of a checkpoint (MetaGraphDef, .meta)",
    .order = 0,
    .score = ScoreMetaGraph,
    .load = LoadBinary<kMetaGraphLoader, ReadMeta>,
};

const Loader kMetaGraphTextLoader = {
    .name = "metagraph-text",
    .noun = "a MetaGraphDef in text form",
    .summary = "the same as text",
    .order = 0,
    .is_text = true,
    .score = ScoreMetaText,
    .load = LoadText<kMetaGraphTextLoader, pb::MetaGraphDef, ReadMeta>,
};

const Loader kSavedModelLoader = {
    .name = "saved_model",
    .noun = "a SavedModel",
    .summary = "graph of a TensorFlow SavedModel (saved_model.pb, or its folder)",
    .order = 0,
    .score = ScoreSavedModel,
    .load = LoadBinary<kSavedModelLoader, ReadModel>,
    .name_in_folder = "saved_model.pb",
};

const Loader kSavedModelTextLoader = {
    .name = "saved_model-text",
    .noun = "a SavedModel in text form",
    .summary = "the same as text (saved_model.pbtxt)",
    .order = 0,
    .is_text = true,
    .score = ScoreModelText,
    .load = LoadText<kSavedModelTextLoader, pb::SavedModel, ReadModel>,
    .name_in_folder = "saved_model.pbtxt",
};

}  // namespace tfprof
