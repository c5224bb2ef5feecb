// SPDX-License-Identifier: Apache-2.0
// Any bytes as a MetaGraphDef and as a SavedModel, binary and text. What libprotobuf reads too must
// give the same facts.
#include "loaders/detect/detect.h"
#include "loaders/formats.h"
#include "proto/meta_graph.pb.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/facts/graph_facts.h"

namespace tfprof {
namespace {

void RequireSame(const StorePtr& store, const pb::MetaGraphDef& meta) {
  if ((store != nullptr) != meta.has_graph_def()) std::abort();
  if (store != nullptr && GraphFacts(*store) != GraphFacts(meta.graph_def())) std::abort();
}

void TryMetaGraph(std::string_view bytes) {
  LoadAny(kMetaGraphLoader, bytes, {.partial = true});
  const StorePtr store = LoadAny(kMetaGraphLoader, bytes);
  pb::MetaGraphDef meta;
  if (meta.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) RequireSame(store, meta);
}

void TrySavedModel(std::string_view bytes) {
  LoadAny(kSavedModelLoader, bytes, {.partial = true});
  const StorePtr store = LoadAny(kSavedModelLoader, bytes);
  pb::SavedModel model;
  const bool parsed = model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()));
  if (parsed && model.meta_graphs_size() == 1) RequireSame(store, model.meta_graphs(0));
}

}  // namespace
}  // namespace tfprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  TryMetaGraph(bytes);
  TrySavedModel(bytes);
  if (!LooksLikeTextFile(bytes)) return 0;
  LoadAny(kMetaGraphTextLoader, bytes);
  LoadAny(kSavedModelTextLoader, bytes);
  return 0;
}
