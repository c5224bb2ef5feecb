// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/graph/object_graph.h"

#include <fmt/core.h>

#include <unordered_map>

#include "loaders/wire/message.h"
#include "proto/meta_graph_fields.h"

namespace tfprof {
namespace {

constexpr std::string_view kVariableType = "VarHandleOp";
constexpr std::string_view kTrainedList = "trainable_variables";

// Returns the variable's node after the first `*next` ones of its name, which it counts.
NodeId NextNode(std::string_view name, uint32_t* next, StoreBuilder& store) {
  for (;;) {
    const NodeId node = store.FindNode(
        store.Name(*next == 0 ? std::string(name) : fmt::format("{}_{}", name, *next)));
    if (!node.some()) return node;
    ++*next;
    if (store.Text(store.node(node).type) == kVariableType) return node;
  }
}

}  // namespace

void ObjectGraph::Read(std::string_view message) {
  const auto read_object = [&](std::string_view object) -> const char* {
    ReadObject(object);
    return nullptr;
  };
  wire::ReadMessage(message, wire::Each<field::SavedObjectGraph::nodes>(read_object));
}

void ObjectGraph::ReadObject(std::string_view message) {
  Object object;
  const bool is_model = objects_.empty();
  const auto read_child = [&](std::string_view child) {
    using Of = field::SavedObject_ObjectReference;
    uint32_t id = 0;
    std::string_view name;
    const char* const bad =
        wire::ReadMessage(child, wire::Number<Of::node_id>(&id), wire::Text<Of::local_name>(&name));
    object.children.push_back(id);
    if (is_model && name == kTrainedList) list_ = id;
    return bad;
  };
  const auto read_variable = [&](std::string_view variable) {
    using Of = field::SavedVariable;
    return wire::ReadMessage(variable, wire::Number<Of::trainable>(&object.trained),
                             wire::Text<Of::name>(&object.name));
  };
  wire::ReadMessage(message, wire::Each<field::SavedObject::children>(read_child),
                    wire::Each<field::SavedObject::variable>(read_variable));
  objects_.push_back(std::move(object));
}

// By object. The list of a model excludes copies of its variables.
std::vector<bool> ObjectGraph::Trained() const {
  std::vector<bool> trained(objects_.size());
  if (list_ != 0 && list_ < objects_.size()) {
    for (const uint32_t id : objects_[list_].children) {
      if (id < trained.size()) trained[id] = true;
    }
    return trained;
  }
  for (size_t id = 0; id < trained.size(); ++id) trained[id] = objects_[id].trained;
  return trained;
}

std::vector<NodeId> ObjectGraph::TrainedNodes(StoreBuilder& store) const {
  const std::vector<bool> trained = Trained();
  std::unordered_map<std::string_view, uint32_t> next;  // by name: the nodes that are taken
  std::vector<NodeId> nodes;
  for (size_t id = objects_.size(); id-- > 0;) {
    const Object& object = objects_[id];
    if (object.name.empty()) continue;
    const NodeId node = NextNode(object.name, &next[object.name], store);
    if (node.some() && trained[id]) nodes.push_back(node);
  }
  return nodes;
}

}  // namespace tfprof
