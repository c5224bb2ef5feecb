// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/builder.h"

namespace tfprof {

// The variables of a SavedModel's objects. Schema and semantics: proto/meta_graph.proto.
class ObjectGraph {
 public:
  // Adds the objects of a SavedObjectGraph. Skips what is malformed.
  void Read(std::string_view message);

  // The nodes of the graph that stand for the variables which training changes.
  std::vector<NodeId> TrainedNodes(StoreBuilder& store) const;

 private:
  struct Object {
    std::string_view name;  // of a variable; null: another object
    bool trained = false;
    std::vector<uint32_t> children;
  };

  void ReadObject(std::string_view message);
  std::vector<bool> Trained() const;

  std::vector<Object> objects_;  // the first is the model
  uint32_t list_ = 0;            // the model's own list of trained variables; 0: it has none
};

}  // namespace tfprof
