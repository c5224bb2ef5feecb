// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace tfprof {

// A MetaGraphDef as far as it is read. The schema and its meaning: proto/meta_graph.proto.
struct MetaGraph {
  bool has_graph = false;
  std::vector<std::string_view> graph;  // the pieces of its GraphDef that are not empty
  bool serves = false;                  // has the tag "serve"
  bool trains = false;                  // has the tag "train"
  std::string tags;                     // for people: "serve gpu", cut where there are many
  const char* bad = nullptr;            // where it is damaged or cut off; null: nowhere
};
MetaGraph ReadMetaGraph(std::string_view message);

// Of the graphs of a SavedModel the one that is read: the first that serves, else the first that
// trains, else the first.
struct ChosenGraph {
  MetaGraph graph;
  int64_t others = 0;
  std::string other_tags;     // for people: "train, (none), ...", cut where there are many
  const char* bad = nullptr;  // where the first damage of the file is; null: nowhere
};
ChosenGraph ChooseGraph(std::string_view saved_model);

}  // namespace tfprof
