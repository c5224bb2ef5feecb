// SPDX-License-Identifier: Apache-2.0
// Reader of ProfileProto: a whole profile as saved by the original program. See
// proto/tfprof_log.proto.
#include <algorithm>
#include <utility>
#include <vector>

#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/tensorflow/graph/attributes.h"
#include "loaders/tensorflow/hosts.h"
#include "loaders/tensorflow/lazy_code.h"
#include "loaders/tensorflow/profile/file.h"
#include "loaders/tensorflow/profile/inputs.h"
#include "loaders/tensorflow/profile/merge.h"
#include "loaders/tensorflow/profile/node.h"
#include "loaders/tensorflow/profile/rows.h"
#include "loaders/wire/wire.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

// Nodes lie anywhere in the file, so they are read in batches: while one node is stored, the next
// nodes and the table entries that they need are prefetched.
constexpr size_t kBatch = 8;
constexpr size_t kFetchedBytes = 1024;
constexpr size_t kNodesPerPoll = 256;
constexpr size_t kSamplePart =
    16;  // one of so many nodes is in the sample that predicts table sizes
struct Read {
  ProfileNode node;
  std::string_view message;
  size_t entry = 0;  // rank of the node by id
  uint64_t name_hash = 0;
};

struct LoadingProfile {
  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  KeptCode code;
  ProfileRows rows;
  ProfileInputs inputs;
  std::vector<Read> batch = std::vector<Read>(kBatch);
  size_t batched = 0;
  // Of the current node; kept for the capacity of the lists.
  std::vector<OutputShape> shapes = {};
  std::vector<int64_t> dims = {};
  EarlierProfiles earlier = {};
  size_t own_nodes = 0;     // without malformed nodes
  size_t shared_nodes = 0;  // nodes of earlier profiles, with the same operation type
  ProblemCount malformed = {}, repeated = {}, unknown_inputs = {};
};

// ---- nodes -------------------------------------------------------------------------------------

void AddOutputShapes(NodeId id, const ProfileNode& node, LoadingProfile* loading) {
  loading->shapes.clear();
  for (const MapEntry<int32_t>& entry : node.output_shapes) {
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

void AddDataFormat(NodeId id, const ProfileNode& node, LoadingProfile* loading) {
  std::string_view format;
  for (const std::string_view entry : node.attributes) {
    if (!ReadDataFormat(entry, &format)) loading->malformed.Add(entry.data());
  }
  if (!format.empty()) loading->store.AddDataFormat(id, loading->store.Name(format));
}

void AddCode(NodeId id, const Read& read, LoadingProfile* loading) {
  if (read.node.traces.empty()) return;
  StoreBuilder& store = loading->store;
  store.node(id).stack =
      NoteStack(read.node.traces, read.message, loading->source, store, &loading->code);
  store.node(id).has_trace = true;
}

// Prefetches data of large nodes: its distance from `read` is about that between `read` and `next`.
void AddExecs(NodeId id, const Read& read, const Read& next, LoadingProfile* loading) {
  StoreBuilder& store = loading->store;
  BeginNode(id, store.AddLabel(store.node(id).name, id), read.node.canonical_device,
            &loading->rows);
  const bool large = read.message.size() > kFetchedBytes;
  const auto to_next = static_cast<ptrdiff_t>(reinterpret_cast<uintptr_t>(next.message.data()) -
                                              reinterpret_cast<uintptr_t>(read.message.data()));
  for (const MapEntry<int64_t>& exec : read.node.execs) {
    if (large) wire::PrefetchAhead(exec.value.data(), to_next);
    const char* bad = AddExec(exec.key, exec.value, &loading->rows);
    if (bad != nullptr) loading->malformed.Add(bad);
  }
}

// Adds the facts that are new for a node of an earlier profile.
void AddFacts(NodeId id, const Read& read, LoadingProfile* loading) {
  const ProfileNode& node = read.node;
  StoreBuilder& store = loading->store;
  Node& known = store.node(id);
  if (known.float_ops == 0) known.float_ops = node.float_ops;
  if (known.parameter.rank < 0 && !node.shape.empty()) {
    known.parameter = store.AddShape(node.shape);
  }
  for (const std::string_view type : node.types) {
    if (type != node.op && type != node.canonical_device) store.AddType(id, store.Name(type));
  }
  if (known.inputs.count == 0) AddInputs(id, node, store, &loading->inputs);
  if (known.output_shapes.count == 0) AddOutputShapes(id, node, loading);
  AddDataFormat(id, node, loading);
  if (!known.has_trace) AddCode(id, read, loading);
}

void AddNode(const Read& read, const Read& next, LoadingProfile* loading) {
  StoreBuilder& store = loading->store;
  const ProfileNode& node = read.node;
  const NameId name = store.Name(node.name, read.name_hash);
  const NodeId known = store.FindNode(name);
  const bool earlier = known.some() && known.value < loading->earlier.nodes;
  const NodeId id = known.some() ? known : store.AddNode(name, store.Name(node.op), true);
  loading->inputs.node_of_entry[read.entry] = id;
  ++loading->own_nodes;
  if (earlier && store.Text(store.node(id).type) == node.op) ++loading->shared_nodes;
  if (known.some() && !earlier) {
    loading->repeated.Add(read.message.data());
    return;
  }
  AddFacts(id, read, loading);
  AddExecs(id, read, next, loading);
}

// Prefetches the first bytes of a node. The rest is prefetched while the node is read.
void FetchStart(std::string_view message) {
  const size_t bytes = std::min(message.size(), kFetchedBytes);
  for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(message.data() + at);
}

void ReadNode(std::string_view message, size_t entry, LoadingProfile* loading) {
  Read& read = loading->batch[loading->batched];
  if (ReadProfileNode(message, &read.node) != nullptr) {
    loading->malformed.Add(message.data());
    return;
  }
  read.message = message;
  read.entry = entry;
  read.name_hash = Hash(read.node.name);
  loading->store.names().PrefetchSlot(read.name_hash);
  ++loading->batched;
}

// Adds all nodes by ascending id, so that ids survive when the store is saved again.
Result<void> AddNodes(const ProfileFile& content, LoadingProfile* loading, Context& context) {
  const size_t count = content.node_count();
  const size_t sample = count / kSamplePart / kBatch * kBatch;
  uint64_t done = 0;
  for (size_t first = 0; first < count; first += kBatch) {
    if (first % kNodesPerPoll == 0) {
      context.done_bytes.store(done, std::memory_order_relaxed);
      TFPROF_TRY(Poll(context));
    }
    if (first == sample && sample > 0) loading->store.ReserveInProportion(first, count);
    loading->batched = 0;
    const size_t end = std::min(first + kBatch, count);
    for (size_t i = first; i < end; ++i) {
      ReadNode(content.node(i).value, i, loading);
      done += content.node(i).value.size();
      content.Prefetch(i + 2 * kBatch);
    }
    for (size_t i = 0; i < loading->batched; ++i) {
      if (end + i < count) FetchStart(content.node(end + i).value);
      const size_t next = std::min(i + 1, loading->batched - 1);
      AddNode(loading->batch[i], loading->batch[next], loading);
    }
  }
  LinkInputs(content, loading->inputs, loading->store, &loading->unknown_inputs);
  return {};
}

void AddSteps(const ProfileFile& content, StoreBuilder& store) {
  for (const int64_t step : content.steps) {
    store.step(store.AddStep(step)).lacks_accelerator_stream |= content.lacks_accelerator_stream;
  }
  if (content.has_trace) store.SetCodeTraces();
}

void AddAllNotes(const LoadingProfile& loading) {
  const SourceFile& file = loading.file;
  StoreBuilder& store = loading.store;
  loading.malformed.AddNoteTo(note::malformed_node_parts, file, store);
  loading.repeated.AddNoteTo(note::duplicate_nodes, file, store);
  loading.unknown_inputs.AddNoteTo(note::unknown_inputs, file, store);
  AddAllNotes(loading.rows);
}

Result<void> LoadProfile(const SourceFile& file, const LoadArguments& arguments,
                         StoreBuilder& store, Context& context) {
  const SourceId source =
      store.AddSource({file.path, "profile", file.file_bytes, file.bytes.size(), true});
  ProfileFile content;
  ProblemCount malformed;
  KeptCode code{file,
                {.code = wire::Tag(field::ProfileNode::trace, wire::kBytes),
                 .text = wire::Tag(field::ProfileProto::id_to_string, wire::kBytes),
                 .in_all_logs = false}};
  const char* bad = ReadProfileFile(file.bytes, &code, &malformed, &content);
  if (bad != nullptr && !context.limits.partial) return Damaged(bad, file, "", store, context);
  LoadingProfile loading{file,
                         store,
                         source,
                         std::move(code),
                         {file, store, source, arguments.host},
                         ProfileInputs(content, store)};
  loading.earlier = FindEarlier(store);
  loading.malformed = malformed;
  store.ReserveNodes(content.node_count());
  AddSteps(content, store);
  loading.rows.has_step_minus_one = std::ranges::find(content.steps, -1) != content.steps.end();
  FindEpoch(content, store);
  TFPROF_TRY(AddNodes(content, &loading, context));
  KeepAllocations(file, source, AllocationsOfExec, store);
  KeepCode(std::move(loading.code), source, store);
  // The flag for code traces follows the nodes, so a truncated file lacks it.
  if (bad != nullptr && store.source(source).stacks.count > 0) store.SetCodeTraces();
  TFPROF_TRY(CheckOneRun(loading.earlier, loading.own_nodes, loading.shared_nodes, store, file));
  AddAllNotes(loading);
  content.unknown.AddNoteTo(file, store);
  // Steps follow the nodes. A file that is truncated between two nodes is a valid message without
  // steps.
  if (bad == nullptr && content.steps.empty() && !loading.rows.steps.empty()) {
    store.AddNote(note::profiles_without_steps, file.path);
  }
  return bad == nullptr ? Result<void>() : Damaged(bad, file, "", store, context);
}

}  // namespace

const Loader kProfileLoader = {
    .name = "profile",
    .noun = "a ProfileProto",
    .flag = "--profile_path",
    .summary = "ProfileProto: a whole profile as the classic program saves it",
    .order = 0,
    .role = MergeRole::whole,
    .score = ScoreProfile,
    .load = LoadProfile,
    .hosts = HostsOfProfile,
};

}  // namespace tfprof
