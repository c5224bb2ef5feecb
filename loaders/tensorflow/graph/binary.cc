// SPDX-License-Identifier: Apache-2.0
// Reader of binary GraphDef. Schema and semantics: proto/graph.proto.
#include "loaders/tensorflow/graph/binary.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "core/store/note_catalogue.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/merge/overlap.h"
#include "loaders/tensorflow/graph/attributes.h"
#include "loaders/tensorflow/graph/ops.h"
#include "loaders/wire/unknown.h"
#include "loaders/wire/wire.h"
#include "proto/graph_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

// Fields that our schema leaves out.
enum class OtherGraphField : uint32_t { debug_info = 5 };
enum class OtherNodeField : uint32_t { experimental_type = 7 };

constexpr uint64_t kVersions = FieldSet(field::GraphDef::version, field::GraphDef::versions);
constexpr uint64_t kUnreadOfGraph = kVersions | FieldSet(OtherGraphField::debug_info);
constexpr uint64_t kUnreadOfNode =
    FieldSet(field::NodeDef::device, field::NodeDef::experimental_debug_info,
             OtherNodeField::experimental_type);

// An input by name, before all nodes are known.
struct NamedInput {
  NameId producer;
  int32_t output_slot;
};

struct NewNode {
  NodeId id;
  uint32_t
      inputs_end;  // in GraphReader::inputs; the inputs begin where those of the previous node end
};

struct GraphReader {
  const GraphBytes& graph;
  StoreBuilder& store;
  Context& context;
  Column<NamedInput> inputs;
  Column<NewNode> nodes;
  size_t earlier_nodes = 0;  // of graphs loaded before this one
  size_t shared_nodes = 0;   // earlier nodes that this graph has, too, with the same type
  int64_t functions = 0;
  int64_t messages = 0;   // nodes of the file, including those left out
  size_t done_bytes = 0;  // of the piece, as reported to the progress counter
  UnknownFields unknown;
  bool has_versions = false;
  NodeAttributes attributes;
  std::vector<std::string_view> input_names;  // of the current node
};

std::string PlaceOf(const GraphReader& reader, const char* at) {
  const SourceFile& file = reader.graph.file;
  return reader.graph.in_file ? file.At(at) : file.path;
}

// Reads the fields of a node. The last value of each text counts; inputs and attributes accumulate.
// Returns null, or the place where the node is malformed.
const char* ReadNodeFields(std::string_view message, GraphReader& reader, std::string_view* name,
                           std::string_view* op) {
  wire::Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::NodeDef::name, wire::kBytes): *name = fields.Bytes(); break;
      case Tag(field::NodeDef::op, wire::kBytes): *op = fields.Bytes(); break;
      case Tag(field::NodeDef::input, wire::kBytes):
        reader.input_names.push_back(fields.Bytes());
        break;
      case Tag(field::NodeDef::attr, wire::kBytes):
        if (!reader.attributes.ReadEntry(fields.Bytes())) return fields.field_at();
        break;
      default: SkipOther(fields, "NodeDef", kUnreadOfNode, &reader.unknown);
    }
  }
  return fields.bad();
}

// Returns null, or the place where the node is malformed.
const char* ReadNode(std::string_view message, GraphReader& reader) {
  std::string_view name_text, op;
  reader.input_names.clear();
  reader.attributes.Clear();
  const char* bad = ReadNodeFields(message, reader, &name_text, &op);
  if (bad != nullptr) return bad;
  const NameId name = reader.store.Name(name_text);
  const NodeId known = reader.store.FindNode(name);
  if (known.some()) {
    const bool same_type = reader.store.Text(reader.store.node(known).type) == op;
    reader.shared_nodes += known.value < reader.earlier_nodes && same_type ? 1 : 0;
    reader.store.AddNote(note::duplicate_graph_nodes, PlaceOf(reader, message.data()));
    return nullptr;
  }
  const NodeId node = reader.store.AddNode(name, reader.store.Name(op), /*defined=*/true);
  reader.attributes.Apply(node, reader.store);
  for (const std::string_view text : reader.input_names) {
    const InputName input = ParseInput(text);
    reader.inputs.Push({reader.store.Name(input.name), input.output_slot});
  }
  reader.nodes.Push({node, static_cast<uint32_t>(reader.inputs.size())});
  return nullptr;
}

// Counts the functions of a FunctionDefLibrary without reading them. Returns null, or the place
// where it is malformed.
const char* CountFunctions(std::string_view library, GraphReader& reader) {
  wire::Fields fields(library);
  while (fields.Next()) {
    if (fields.tag() == Tag(field::FunctionDefLibrary::function, wire::kBytes)) ++reader.functions;
    fields.Skip();
  }
  return fields.bad();
}

Result<void> Progress(GraphReader& reader, size_t done_bytes) {
  constexpr int64_t kNodesPerPoll = 4096;
  if (++reader.messages % kNodesPerPoll != 0) return {};
  reader.context.done_bytes.fetch_add(done_bytes - reader.done_bytes, std::memory_order_relaxed);
  reader.done_bytes = done_bytes;
  return Poll(reader.context);
}

// Stops at the first damage and sets *bad to its place.
Result<void> ReadNodes(std::string_view piece, GraphReader& reader, const char** bad) {
  reader.done_bytes = 0;
  ConsumedPages pages{reader.graph.file, piece.data()};
  wire::Fields fields(piece);
  while (*bad == nullptr && fields.Next()) {
    if (fields.tag() == Tag(field::GraphDef::node, wire::kBytes)) {
      const std::string_view node = fields.Bytes();
      if (fields.bad() != nullptr) break;
      *bad = ReadNode(node, reader);
      if (reader.graph.in_file) pages.ReleaseRead(node.data());
      TFPROF_TRY(Progress(reader, static_cast<size_t>(fields.position() - piece.data())));
    } else if (fields.tag() == Tag(field::GraphDef::library, wire::kBytes)) {
      *bad = CountFunctions(fields.Bytes(), reader);
    } else {
      reader.has_versions |= (kVersions >> std::min(fields.number(), 63u) & 1) != 0;
      SkipOther(fields, "GraphDef", kUnreadOfGraph, &reader.unknown);
    }
  }
  if (reader.graph.in_file) pages.ReleaseRead(fields.position());
  if (*bad == nullptr) *bad = fields.bad();
  return {};
}

Result<void> CheckOneGraph(const GraphReader& reader) {
  const auto own = static_cast<size_t>(reader.messages);
  if (IsOneGraph(reader.shared_nodes, own, reader.earlier_nodes)) return {};
  return Fail(
      ErrorKind::usage,
      fmt::format("the graphs are of different programs: only {} of {} nodes are in earlier files",
                  reader.shared_nodes, own),
      reader.graph.file.path, "open one at a time");
}

void LinkInputs(GraphReader& reader) {
  std::vector<Edge> edges;
  uint32_t next = 0;
  for (const NewNode& node : reader.nodes) {
    edges.clear();
    for (int32_t slot = 0; next < node.inputs_end; ++next, ++slot) {
      const NamedInput& input = reader.inputs[next];
      edges.push_back({reader.store.FindNode(input.producer), slot, input.output_slot});
    }
    reader.store.SetInputs(node.id, edges);
  }
}

// Makes the operations readable on demand.
void KeepOps(const GraphBytes& graph, StoreBuilder& store) {
  store.source(graph.source).details.graph = [file = graph.file, pieces = graph.pieces,
                                              keep = graph.keep](const Store& of, GraphOps* out,
                                                                 Context& context) -> Result<void> {
    out->keep.push_back(keep != nullptr ? keep : file.keep);
    return GuardReads(file, [&]() -> Result<void> {
      for (const std::string_view piece : pieces) {
        TFPROF_TRY(ReadGraphOps(piece, of, out, context));
      }
      return {};
    });
  };
}

Result<void> LoadGraphDef(const SourceFile& file, const LoadArguments&, StoreBuilder& store,
                          Context& context) {
  const SourceId source =
      store.AddSource({file.path, "graphdef", file.file_bytes, file.bytes.size()});
  return ReadGraph({{file.bytes}, file, source}, store, context);
}

}  // namespace

InputName ParseInput(std::string_view input) {
  InputName parsed;
  const size_t colon = input.find(':');
  parsed.name = input.substr(0, colon);
  if (colon != input.npos) {
    const std::string_view digits = input.substr(colon + 1);
    int32_t slot = 0;
    const auto end = digits.data() + digits.size();
    const auto [at, error] = std::from_chars(digits.data(), end, slot);
    if (error == std::errc() && at == end && slot > 0) parsed.output_slot = slot;
  }
  if (parsed.name.starts_with('^')) {
    parsed.name.remove_prefix(1);
    parsed.output_slot = Edge::kControlSlot;
  }
  return parsed;
}

Result<void> ReadGraph(const GraphBytes& graph, StoreBuilder& store, Context& context) {
  GraphReader reader{
      .graph = graph, .store = store, .context = context, .earlier_nodes = store.node_count()};
  const char* bad = nullptr;
  for (const std::string_view piece : graph.pieces) {
    if (bad == nullptr) TFPROF_TRY(ReadNodes(piece, reader, &bad));
  }
  if (bad == nullptr) bad = graph.bad;
  if (bad != nullptr && !context.limits.partial) {
    return Fail(
        ErrorKind::corrupt,
        "the graph is damaged or truncated after " + std::to_string(reader.messages) + " nodes",
        PlaceOf(reader, bad), Remedy::keep_beginning);
  }
  if (bad != nullptr) {
    store.AddNote(note::damaged_file, PlaceOf(reader, bad));
  }
  TFPROF_TRY(CheckOneGraph(reader));
  LinkInputs(reader);
  KeepOps(graph, store);
  if (graph.in_file) reader.unknown.AddNoteTo(graph.file, store);
  // Versions follow the nodes. A file that is truncated between two nodes is a valid message
  // without them.
  const bool is_file = graph.in_file && graph.pieces.size() == 1 &&
                       graph.pieces[0].size() == graph.file.bytes.size();
  if (is_file && bad == nullptr && reader.messages > 0 && !reader.has_versions) {
    store.AddNote(note::graphs_without_versions, graph.file.path);
  }
  if (reader.functions > 0) {
    store.AddNote(note::functions_not_in_graph, graph.file.path, kNoInt, reader.functions);
  }
  return {};
}

const Loader kGraphDefLoader = {
    .name = "graphdef",
    .noun = "a GraphDef",
    .flag = "--graph_path",
    .summary = "TensorFlow graph (GraphDef, binary .pb)",
    .order = 0,
    .score = ScoreGraphDef,
    .load = LoadGraphDef,
};

}  // namespace tfprof
