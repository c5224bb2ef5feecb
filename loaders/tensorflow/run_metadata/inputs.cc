// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/inputs.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "loaders/tensorflow/run_metadata/timeline_label.h"

namespace tfprof {
namespace {

// The edge from a producer that the text of a record names; no producer: it has no record.
Edge EdgeFrom(std::string_view input, StoreBuilder& store) {
  Edge edge;
  if (input.starts_with('^')) {
    input.remove_prefix(1);
    edge.output_slot = Edge::kControlSlot;
  } else if (const size_t colon = input.rfind(':'); colon != input.npos) {
    const std::string_view slot = input.substr(colon + 1);
    std::from_chars(slot.data(), slot.data() + slot.size(), edge.output_slot);
    input = input.substr(0, colon);
  }
  edge.producer = store.FindNode(store.Name(input));
  return edge;
}

}  // namespace

void LinkInputs(const RunFile& file, StoreBuilder& store) {
  std::vector<Edge> edges;
  for (const auto& [node, timeline_label] : file.without_graph) {
    edges.clear();
    int32_t input_slot = 0;
    for (const std::string_view input : InputsInTimelineLabel(timeline_label)) {
      edges.push_back(EdgeFrom(input, store));
      edges.back().input_slot = input_slot++;
    }
    std::erase_if(edges, [](const Edge& edge) { return !edge.producer.some(); });
    if (!edges.empty()) store.SetInputs(node, edges);
  }
}

}  // namespace tfprof
