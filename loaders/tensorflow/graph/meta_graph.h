// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// The parts of a MetaGraphDef that are read. Schema and semantics: proto/meta_graph.proto.
struct MetaGraph {
  bool has_graph = false;
  std::vector<std::string_view> graph;  // the non-empty pieces of its GraphDef
  bool serves = false;                  // has the tag "serve"
  bool trains = false;                  // has the tag "train"
  std::string tags;                     // human-readable: "serve gpu", shortened if there are many
  const char* bad = nullptr;            // where it is damaged or truncated; null: intact
};
MetaGraph ReadMetaGraph(std::string_view message);

// The graph of a SavedModel that is read: the first that serves, else the first that trains, else
// the first.
struct ChosenGraph {
  MetaGraph graph;
  int64_t others = 0;
  std::string other_tags;     // human-readable: "train, (none), ...", shortened if there are many
  const char* bad = nullptr;  // place of the first damage of the file; null: intact
};
ChosenGraph ChooseGraph(std::string_view saved_model);

}  // namespace tfprof
