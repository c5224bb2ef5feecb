// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/inputs.h"

#include <algorithm>

namespace tfprof {
namespace {

// Returns the entry of `key` in a map sorted by key; null: absent.
template <class Key, class Value>
const MapEntry<Key, Value>* Find(const std::vector<MapEntry<Key, Value>>& map, Key key) {
  const auto at = std::lower_bound(map.begin(), map.end(), key, [](const auto& entry, Key wanted) {
    return entry.key < wanted;
  });
  return at != map.end() && at->key == key ? &*at : nullptr;
}

// Adds the inputs that the graph lacked when it was saved.
void AddAbsentInputs(const ProfileNode& node, std::vector<Edge>* edges) {
  for (const auto& entry : node.absent_inputs) {
    if (entry.value != -1 || Find(node.inputs, entry.key) != nullptr) continue;
    edges->push_back({NodeId(), entry.key, 0});
  }
  std::ranges::sort(*edges, {}, &Edge::input_slot);
}

// Returns the place in the file of the node that has the edge as an input.
const char* PlaceOf(size_t edge, const ProfileFile& file, const ProfileInputs& inputs,
                    StoreBuilder& store) {
  for (size_t i = 0; i < file.node_count(); ++i) {
    const NodeId node = inputs.node_of_entry[i];
    if (!node.some()) continue;
    const Range edges = store.node(node).inputs;
    if (edge - edges.first < edges.count) return file.node(i).value.data();
  }
  return nullptr;
}

}  // namespace

ProfileInputs::ProfileInputs(const ProfileFile& file, const StoreBuilder& store)
    : entry_of_id(file.node_count(), [&](size_t place) { return file.node(place).key; }),
      first_edge(store.edge_count()) {
  node_of_entry.Resize(file.node_count());
}

void AddInputs(NodeId consumer, const ProfileNode& node, StoreBuilder& store,
               ProfileInputs* inputs) {
  std::vector<Edge>& edges = inputs->edges;
  edges.clear();
  for (const auto& [slot, id] : node.inputs) {
    const auto* source = Find(node.source_slots, id);
    const NodeId producer(inputs->entry_of_id.Find(id));
    edges.push_back({producer, slot, source != nullptr ? source->value : 0});
  }
  if (!node.absent_inputs.empty()) AddAbsentInputs(node, &edges);
  if (!edges.empty()) store.SetInputs(consumer, edges);
}

void LinkInputs(const ProfileFile& file, const ProfileInputs& inputs, StoreBuilder& store,
                ProblemCount* unknown) {
  const std::span<Edge> edges = store.edges(inputs.first_edge);
  for (size_t i = 0; i < edges.size(); ++i) {
    NodeId& producer = edges[i].producer;
    if (producer.some()) producer = inputs.node_of_entry[producer.value];
    if (producer.some()) continue;
    unknown->Add(unknown->count > 0 ? nullptr
                                    : PlaceOf(inputs.first_edge + i, file, inputs, store));
  }
}

}  // namespace tfprof
