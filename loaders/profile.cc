// SPDX-License-Identifier: Apache-2.0
// ProfileProto: a whole profile as the classic program saves it. See proto/tfprof_log.proto.
#include <algorithm>
#include <vector>

#include "loaders/code_def.h"
#include "loaders/epoch.h"
#include "loaders/formats.h"
#include "loaders/graph_attributes.h"
#include "loaders/profile_inputs.h"
#include "loaders/profile_merge.h"
#include "loaders/profile_node.h"
#include "loaders/profile_rows.h"
#include "loaders/scores.h"
#include "loaders/tally.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// The fields of the file; nodes are not looked into yet. They may stand in any order, and what a
// node says may need what stands behind it.
struct File {
  std::vector<MapEntry<int64_t>> nodes;  // by id
  std::vector<int64_t> steps;
  NumberedTexts texts;
  bool has_trace = false;
  bool lacks_accelerator_stream = false;
};

struct Loading {
  const SourceFile& file;
  StoreBuilder& store;
  TextOfId texts;
  ProfileRows rows;
  ProfileInputs inputs = {};
  // Of the current node; kept for the capacity of the lists.
  ProfileNode node = {};
  const char* place = nullptr;
  const char* next_place = nullptr;  // of the next node: asked for while this one is stored
  std::vector<OutputShape> shapes = {};
  std::vector<int64_t> dims = {};
  std::vector<Frame> frames = {};
  EarlierProfiles earlier = {};
  size_t shared_nodes = 0;  // that earlier profiles told of, with the same operation type
  Tally malformed = {}, repeated = {}, unknown_inputs = {}, unknown_ids = {};
};

// ---- the file ----------------------------------------------------------------------------------

// Null, or where the file stops to be wire format; what stands before is in `out` all the same.
const char* ReadFile(std::string_view bytes, StoreBuilder& store, Tally* malformed, File* out) {
  Fields fields(bytes);
  const auto add_step = [&](uint64_t step) { out->steps.push_back(static_cast<int64_t>(step)); };
  while (fields.Next()) {
    const char* bad = nullptr;
    switch (fields.tag()) {
      case Tag(1, kBytes): {
        MapEntry<int64_t> entry;
        bad = ReadMessageEntry(fields.Bytes(), &entry);
        if (bad == nullptr && fields.bad() == nullptr) out->nodes.push_back(entry);
        break;
      }
      case Tag(2, kVarint):
        out->has_trace = fields.Bool();
        break;
      case Tag(3, kVarint):
        add_step(fields.Varint());
        break;
      case Tag(3, kBytes):
        if (!wire::EachPacked(fields.Bytes(), add_step)) bad = fields.field_at();
        break;
      case Tag(4, kBytes):
        bad = ReadNumberedText(fields.Bytes(), store, &out->texts);
        break;
      case Tag(5, kVarint):
        out->lacks_accelerator_stream = fields.Bool();
        break;
      default:
        fields.Skip();
    }
    if (bad != nullptr) malformed->Add(bad);
  }
  KeepLast(&out->nodes);
  std::reverse(out->texts.begin(), out->texts.end());  // the last text of an id counts
  return fields.bad();
}

// ---- time 0 ------------------------------------------------------------------------------------

void SampleStarts(const ProfileNode& node, std::vector<int64_t>* starts) {
  for (const MapEntry<int64_t>& exec : node.execs) {
    Fields fields(exec.value);
    while (fields.Next()) {
      if (fields.tag() == Tag(2, kVarint)) {
        const int64_t start_us = fields.Int64();
        if (start_us > 0) starts->push_back(start_us);
      } else {
        fields.Skip();
      }
    }
  }
}

void FindEpoch(const File& content, Loading* loading) {
  constexpr size_t kNodes = 10'000;  // that are looked at; a graph may have few that ran
  std::vector<int64_t> starts;
  for (size_t i = 0; i < std::min(kNodes, content.nodes.size()); ++i) {
    if (starts.size() >= kSampleStarts) break;
    const char* bad = ReadProfileNode(content.nodes[i].value, &loading->node);
    if (bad == nullptr) SampleStarts(loading->node, &starts);
  }
  SetEpoch(starts, loading->store);
}

// ---- nodes -------------------------------------------------------------------------------------

void AddOutputShapes(NodeId id, Loading* loading) {
  loading->shapes.clear();
  for (const MapEntry<int32_t>& entry : loading->node.output_shapes) {
    loading->dims.clear();
    const char* bad = ReadTuple(entry.value, &loading->dims);
    if (bad != nullptr) {
      loading->malformed.Add(bad);
      continue;
    }
    const ShapeRef shape =
        loading->dims.empty() ? ShapeRef() : loading->store.AddShape(loading->dims);
    loading->shapes.push_back({entry.key, shape});
  }
  if (!loading->shapes.empty()) loading->store.SetOutputShapes(id, loading->shapes);
}

void AddDataFormat(NodeId id, Loading* loading) {
  std::string_view format;
  for (const std::string_view entry : loading->node.attributes) {
    if (!ReadDataFormat(entry, &format)) loading->malformed.Add(entry.data());
  }
  if (!format.empty()) loading->store.AddDataFormat(id, loading->store.Name(format));
}

void AddCode(NodeId id, Loading* loading) {
  const ProfileNode& node = loading->node;
  if (node.traces.empty()) return;
  loading->frames.clear();
  for (const std::string_view trace : node.traces) {
    const char* bad =
        ReadCode(trace, loading->texts, loading->store, &loading->unknown_ids, &loading->frames);
    if (bad != nullptr) loading->malformed.Add(bad);
  }
  loading->store.node(id).stack = loading->store.AddStack(loading->frames);
  loading->store.node(id).has_trace = true;
}

void AddExecs(NodeId id, Loading* loading) {
  const ProfileNode& node = loading->node;
  StoreBuilder& store = loading->store;
  BeginNode(id, store.AddLabel(store.node(id).name, id), node.canonical_device, &loading->rows);
  const auto to_next = static_cast<ptrdiff_t>(reinterpret_cast<uintptr_t>(loading->next_place) -
                                              reinterpret_cast<uintptr_t>(loading->place));
  for (const MapEntry<int64_t>& exec : node.execs) {
    wire::PrefetchAhead(exec.value.data(), to_next);
    const char* bad = AddExec(exec.key, exec.value, &loading->rows);
    if (bad != nullptr) loading->malformed.Add(bad);
  }
}

// Of a node that an earlier profile told of, what is new counts.
void AddFacts(NodeId id, Loading* loading) {
  const ProfileNode& node = loading->node;
  StoreBuilder& store = loading->store;
  Node& known = store.node(id);
  if (known.float_ops == 0) known.float_ops = node.float_ops;
  if (known.parameter.rank < 0 && !node.shape.empty()) {
    known.parameter = store.AddShape(node.shape);
  }
  for (const std::string_view type : node.types) {
    if (type != node.op && type != node.canonical_device) store.AddType(id, store.Name(type));
  }
  if (known.inputs.count == 0) KeepInputs(id, node, loading->place, &loading->inputs);
  if (known.output_shapes.count == 0) AddOutputShapes(id, loading);
  AddDataFormat(id, loading);
  if (!known.has_trace) AddCode(id, loading);
  AddExecs(id, loading);
}

void AddNode(const MapEntry<int64_t>& entry, Loading* loading) {
  StoreBuilder& store = loading->store;
  ProfileNode& node = loading->node;
  loading->place = entry.value.data();
  if (ReadProfileNode(entry.value, &node) != nullptr) {
    loading->malformed.Add(loading->place);
    return;
  }
  const NameId name = store.Name(node.name);
  const NodeId known = store.FindNode(name);
  const bool earlier = known.some() && known.value < loading->earlier.nodes;
  const NodeId id = known.some() ? known : store.AddNode(name, store.Name(node.op), true);
  loading->inputs.nodes.push_back({entry.key, id});
  if (earlier && store.Text(store.node(id).type) == node.op) ++loading->shared_nodes;
  if (known.some() && !earlier) {
    loading->repeated.Add(loading->place);
  } else {
    AddFacts(id, loading);
  }
}

// All nodes by ascending id, so that ids survive when the store is saved again.
Result<void> AddNodes(const File& content, Loading* loading, Context& context) {
  constexpr size_t kNodesPerPoll = 256;
  uint64_t done = 0;
  loading->inputs.nodes.reserve(content.nodes.size());
  for (size_t i = 0; i < content.nodes.size(); ++i) {
    if (i % kNodesPerPoll == 0) {
      context.done_bytes.store(done, std::memory_order_relaxed);
      TFPROF_TRY(Poll(context));
    }
    const size_t next = std::min(i + 1, content.nodes.size() - 1);
    loading->next_place = content.nodes[next].value.data();
    AddNode(content.nodes[i], loading);
    done += content.nodes[i].value.size();
  }
  LinkInputs(loading->inputs, loading->store, &loading->unknown_inputs);
  return {};
}

void AddSteps(const File& content, StoreBuilder& store) {
  for (const int64_t step : content.steps) {
    store.step(store.AddStep(step)).lacks_accelerator_stream |= content.lacks_accelerator_stream;
  }
  if (content.has_trace) store.SetCodeTraces();
}

void TellAll(const Loading& loading) {
  const SourceFile& file = loading.file;
  StoreBuilder& store = loading.store;
  loading.malformed.Tell("malformed parts of nodes, skipped", file, store);
  loading.repeated.Tell("nodes of a name that is taken already, skipped", file, store);
  loading.unknown_inputs.Tell("inputs that are no node of the profile", file, store);
  loading.unknown_ids.Tell("frames whose file or function is not told", file, store);
  TellAll(loading.rows);
}

Result<void> Load(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                  Context& context) {
  const SourceId source =
      store.AddSource({file.path, "profile", file.file_bytes, file.bytes.size()});
  File content;
  Tally malformed;
  const char* bad = ReadFile(file.bytes, store, &malformed, &content);
  if (bad != nullptr && !context.limits.partial) return Damaged(bad, file, "", store, context);
  Loading loading{file, store, TextOfId(content.texts), {file, store, source, arguments.host}};
  loading.earlier = FindEarlier(store);
  loading.malformed = malformed;
  AddSteps(content, store);
  loading.rows.has_step_minus_one =
      std::find(content.steps.begin(), content.steps.end(), -1) != content.steps.end();
  FindEpoch(content, &loading);
  TFPROF_TRY(AddNodes(content, &loading, context));
  KeepAllocations(file, source, AllocationsOfExec, store);
  TFPROF_TRY(
      CheckOneRun(loading.earlier, loading.inputs.nodes.size(), loading.shared_nodes, store, file));
  TellAll(loading);
  return bad == nullptr ? Result<void>() : Damaged(bad, file, "", store, context);
}

}  // namespace

const Loader kProfileLoader = {"profile",
                               "ProfileProto: a whole profile as the classic program saves it",
                               0,
                               true,
                               ScoreProfile,
                               Load,
                               true};

}  // namespace tfprof
