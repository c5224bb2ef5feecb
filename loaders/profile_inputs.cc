// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_inputs.h"

#include <algorithm>

namespace tfprof {
namespace {

// Where `key` is in a map that is sorted by it; null: nowhere.
template <class Key, class Value>
const MapEntry<Key, Value>* Find(const std::vector<MapEntry<Key, Value>>& map, Key key) {
  const auto at = std::lower_bound(map.begin(), map.end(), key, [](const auto& entry, Key wanted) {
    return entry.key < wanted;
  });
  return at != map.end() && at->key == key ? &*at : nullptr;
}

// Inputs that the graph lacked when it was saved.
void AddAbsentInputs(const ProfileNode& node, std::vector<Edge>* edges) {
  for (const auto& entry : node.absent_inputs) {
    if (entry.value != -1 || Find(node.inputs, entry.key) != nullptr) continue;
    edges->push_back({NodeId(), entry.key, 0});
  }
  std::sort(edges->begin(), edges->end(),
            [](const Edge& a, const Edge& b) { return a.input_slot < b.input_slot; });
}

}  // namespace

ProfileInputs::ProfileInputs(const Column<MapEntry<int64_t>>& nodes) {
  std::vector<int64_t> ids;
  ids.reserve(nodes.size());
  for (const auto& node : nodes) ids.push_back(node.key);
  entry_of_id = IdIndex(ids);
  node_of_entry.Resize(nodes.size());
}

void AddInputs(NodeId consumer, const ProfileNode& node, const char* place, StoreBuilder& store,
               ProfileInputs* inputs) {
  std::vector<Edge>& edges = inputs->edges;
  edges.clear();
  for (const auto& [slot, id] : node.inputs) {
    const auto* source = Find(node.source_slots, id);
    const NodeId producer(inputs->entry_of_id.Find(id));
    edges.push_back({producer, slot, source != nullptr ? source->value : 0});
  }
  if (!node.absent_inputs.empty()) AddAbsentInputs(node, &edges);
  if (edges.empty()) return;
  store.SetInputs(consumer, edges);
  inputs->consumers.Push({consumer, place});
}

void LinkInputs(const ProfileInputs& inputs, StoreBuilder& store, Tally* unknown) {
  for (const ProfileInputs::Consumer& consumer : inputs.consumers) {
    for (Edge& edge : store.inputs(consumer.node)) {
      if (edge.producer.some()) edge.producer = inputs.node_of_entry[edge.producer.value];
      if (!edge.producer.some()) unknown->Add(consumer.place);
    }
  }
}

}  // namespace tfprof
