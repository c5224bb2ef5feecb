// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_inputs.h"

#include <algorithm>

namespace tfprof {
namespace {

using Input = ProfileInputs::Input;
using NodeOfId = ProfileInputs::NodeOfId;

NodeId FindNode(int64_t id, const std::vector<NodeOfId>& nodes) {
  if (nodes.empty()) return {};
  // Ids are mostly 0, 1, 2 ...
  const uint64_t guess = static_cast<uint64_t>(id) - static_cast<uint64_t>(nodes.front().id);
  if (guess < nodes.size() && nodes[guess].id == id) return nodes[guess].node;
  const auto at = std::lower_bound(nodes.begin(), nodes.end(), id,
                                   [](const NodeOfId& node, int64_t key) { return node.id < key; });
  return at != nodes.end() && at->id == id ? at->node : NodeId();
}

// Inputs that the graph lacked when it was saved.
void KeepAbsentInputs(NodeId consumer, const ProfileNode& node, ProfileInputs* kept) {
  const auto first = static_cast<ptrdiff_t>(kept->inputs.size() - node.inputs.size());
  for (const auto& entry : node.absent_inputs) {
    const auto at =
        std::lower_bound(node.inputs.begin(), node.inputs.end(), entry.key,
                         [](const auto& input, int32_t slot) { return input.key < slot; });
    if (entry.value != -1 || (at != node.inputs.end() && at->key == entry.key)) continue;
    kept->inputs.push_back({consumer, entry.key, 0, {}});
  }
  std::sort(kept->inputs.begin() + first, kept->inputs.end(),
            [](const Input& a, const Input& b) { return a.slot < b.slot; });
}

}  // namespace

void KeepInputs(NodeId consumer, const ProfileNode& node, const char* place, ProfileInputs* kept) {
  const size_t before = kept->inputs.size();
  for (const auto& [slot, id] : node.inputs) {
    const auto source =
        std::lower_bound(node.source_slots.begin(), node.source_slots.end(), id,
                         [](const auto& entry, int64_t key) { return entry.key < key; });
    const bool known = source != node.source_slots.end() && source->key == id;
    kept->inputs.push_back({consumer, slot, known ? source->value : 0, id});
  }
  if (!node.absent_inputs.empty()) KeepAbsentInputs(consumer, node, kept);
  if (kept->inputs.size() > before) kept->places.push_back(place);
}

void LinkInputs(const ProfileInputs& kept, StoreBuilder& store, Tally* unknown) {
  std::vector<Edge> edges;
  size_t consumers = 0;
  for (size_t i = 0; i < kept.inputs.size(); ++consumers) {
    const NodeId consumer = kept.inputs[i].consumer;
    edges.clear();
    for (; i < kept.inputs.size() && kept.inputs[i].consumer == consumer; ++i) {
      const Input& input = kept.inputs[i];
      const NodeId producer =
          input.producer_id ? FindNode(*input.producer_id, kept.nodes) : NodeId();
      if (!producer.some()) unknown->Add(kept.places[consumers]);
      edges.push_back({producer, input.slot, input.output_slot});
    }
    store.SetInputs(consumer, edges);
  }
}

}  // namespace tfprof
