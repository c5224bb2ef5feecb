// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/run_shapes.h"

#include <memory>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/graph_ops.h"
#include "loaders/tensorflow/shape.h"
#include "loaders/wire/message.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"

namespace tfprof {
namespace {

// The handle of a resource is a scalar, whatever it stands for; a dead output has no type.
constexpr int32_t kInvalidType = 0, kResource = 20;

// Find: the node of a name.
template <class Find>
class ReadingShapes {
 public:
  ReadingShapes(Find find, std::vector<RunShape>* found) : find_(find), found_(*found) {}

  // Skips what is malformed: loading counted it.
  void Run(std::string_view bytes) {
    const auto read_node = [&](std::string_view node) { return Node(node); };
    const auto read_device = [&](std::string_view device) {
      return wire::ReadMessage(device, wire::Each<field::DeviceStepStats::node_stats>(read_node));
    };
    const auto read_step = [&](std::string_view step) {
      return wire::ReadMessage(step, wire::Each<field::StepStats::dev_stats>(read_device));
    };
    wire::ReadMessage(bytes, wire::Each<field::RunMetadata::step_stats>(read_step));
  }

 private:
  const char* Node(std::string_view message) {
    using Of = field::NodeExecStats;
    std::string_view name;
    outputs_.clear();
    const auto keep = [&](std::string_view output) -> const char* {
      outputs_.push_back(output);
      return nullptr;
    };
    wire::ReadMessage(message, wire::Text<Of::node_name>(&name), wire::Each<Of::output>(keep));
    const NodeId node = find_(name.substr(0, name.find(':')));
    if (!node.some()) return nullptr;
    for (const std::string_view output : outputs_) Output(node, output);
    return nullptr;
  }

  void Output(NodeId node, std::string_view message) {
    RunShape shape;
    shape.node = node;
    int32_t type = kInvalidType;
    bool has_shape = false, unknown_rank = false;
    const auto read_shape = [&](std::string_view text) {
      has_shape = true;
      shape.dims.clear();
      return ReadShape(text, &shape.dims, &unknown_rank);
    };
    const auto read_tensor = [&](std::string_view tensor) {
      using Of = field::TensorDescription;
      return wire::ReadMessage(tensor, wire::Number<Of::dtype>(&type),
                               wire::Each<Of::shape>(read_shape));
    };
    const char* const bad =
        wire::ReadMessage(message, wire::Number<field::NodeOutput::slot>(&shape.slot),
                          wire::Each<field::NodeOutput::tensor_description>(read_tensor));
    const bool is_known = bad == nullptr && has_shape && !unknown_rank;
    if (!is_known || type == kInvalidType || type == kResource) return;
    found_.push_back(std::move(shape));
  }

  Find find_;
  std::vector<RunShape>& found_;
  std::vector<std::string_view> outputs_;
};

// The nodes of a graph repeat in loops: a shape that equals the one before it is left out.
std::vector<RunShape> Changes(const std::vector<RunShape>& all) {
  std::vector<RunShape> changes;
  std::unordered_map<uint64_t, size_t> last;  // by output
  for (const RunShape& shape : all) {
    const uint64_t output = uint64_t{shape.node.value} << 32 | static_cast<uint32_t>(shape.slot);
    const auto [before, is_first] = last.try_emplace(output, changes.size());
    if (!is_first && changes[before->second].dims == shape.dims) continue;
    before->second = changes.size();
    changes.push_back(shape);
  }
  return changes;
}

void KeepShapes(const SourceFile& file, SourceId source, StoreBuilder& store) {
  if (!store.has_graph()) return;
  std::vector<RunShape> all;
  ReadingShapes([&](std::string_view name) { return store.FindNode(store.names().Find(name)); },
                &all)
      .Run(file.bytes);
  // Shared: a store that grows is copied.
  const auto kept = std::make_shared<const std::vector<RunShape>>(Changes(all));
  store.source(source).details.run_shapes = [kept](const Store&, std::vector<RunShape>* found) {
    found->insert(found->end(), kept->begin(), kept->end());
    return Result<void>();
  };
}

}  // namespace

void KeepRunShapes(const SourceFile& file, SourceId source, StoreBuilder& store) {
  if (file.mapping == nullptr) return KeepShapes(file, source, store);
  store.source(source).details.run_shapes = [file](const Store& of, std::vector<RunShape>* found) {
    return GuardReads(file, [&]() -> Result<void> {
      ReadingShapes([&](std::string_view name) { return of.NodeNamed(of.names.Find(name)); }, found)
          .Run(file.bytes);
      return {};
    });
  };
}

}  // namespace tfprof
