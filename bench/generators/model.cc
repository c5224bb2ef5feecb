// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/model.h"

#include <array>

namespace tfprof {
namespace {

struct LayerNode {
  std::string_view path;  // below the layer
  std::string_view type;
  int weight = -1;  // the variable of the layer that is an additional input
  bool has_kernel = false;
};

constexpr std::string_view kVariable = "VariableV2";

constexpr std::array<LayerNode, 32> kLayer = {{
    {"input/Identity", "Identity"},
    {"attention/self/query_projection/kernel", kVariable},
    {"attention/self/query_projection/MatMul", "MatMul", 1, true},
    {"attention/self/query_projection/bias", kVariable},
    {"attention/self/query_projection/BiasAdd", "BiasAdd", 3},
    {"attention/self/key_projection/kernel", kVariable},
    {"attention/self/key_projection/MatMul", "MatMul", 5, true},
    {"attention/self/value_projection/kernel", kVariable},
    {"attention/self/value_projection/MatMul", "MatMul", 7, true},
    {"attention/transpose", "Transpose"},
    {"attention/Reshape", "Reshape"},
    {"attention/scores/MatMul", "BatchMatMulV2"},
    {"attention/scores/Mul", "Mul"},
    {"attention/Softmax", "Softmax"},
    {"attention/dropout/RandomUniform", "RandomUniform"},
    {"attention/dropout/mul", "Mul"},
    {"attention/context/MatMul", "BatchMatMulV2", -1, true},
    {"attention/output_projection/kernel", kVariable},
    {"attention/output_projection/MatMul", "MatMul", 17, true},
    {"attention/output/add", "AddV2"},
    {"attention/output/LayerNorm/gamma", kVariable},
    {"attention/output/LayerNorm/moments_mean", "Mean"},
    {"attention/output/LayerNorm/moments_SquaredDifference", "SquaredDifference"},
    {"attention/output/LayerNorm/batchnorm_mul_1", "Mul", 20},
    {"attention/output/LayerNorm/batchnorm_Rsqrt", "Rsqrt"},
    {"intermediate_dense/kernel", kVariable},
    {"intermediate_dense/MatMul", "MatMul", 25, true},
    {"intermediate_dense/Relu", "Relu"},
    {"output_dense/kernel", kVariable},
    {"output_dense/MatMul", "MatMul", 28},
    {"output/add", "AddV2"},
    {"output/LayerNorm/batchnorm_add_1", "AddV2"},
}};
constexpr int64_t kLayerNodes = static_cast<int64_t>(kLayer.size());
constexpr int64_t kLayersPerStage = 24;

// Layers alternate: forward, its gradients, forward, ...
bool IsGradient(int64_t index) { return index / kLayerNodes % 2 == 1; }
const LayerNode& Place(int64_t index) { return kLayer[static_cast<size_t>(index % kLayerNodes)]; }

std::string_view TypeOf(const LayerNode& place, bool gradient) {
  return gradient && place.type == kVariable ? std::string_view("AddN") : place.type;
}

// The data flow skips variables.
int64_t NodeBefore(int64_t index) {
  do {
    --index;
  } while (index >= 0 && TypeOf(Place(index), IsGradient(index)) == kVariable);
  return index < 0 ? kNoNode : index;
}

}  // namespace

ModelNode NodeOfModel(int64_t index) {
  const LayerNode& place = Place(index);
  const bool gradient = IsGradient(index);
  ModelNode node;
  node.type = TypeOf(place, gradient);
  node.variable = node.type == kVariable;
  node.on_gpu = node.type != "RandomUniform" && node.type != "Identity";
  node.has_kernel = place.has_kernel;
  if (node.variable) return node;
  const int64_t layer = index - index % kLayerNodes;
  node.inputs[0] = NodeBefore(index);
  if (place.weight >= 0) node.inputs[1] = layer + place.weight;
  if (gradient) node.inputs[2] = index - kLayerNodes;
  if (Mix(1, static_cast<uint64_t>(index)) % 16 == 0 && index > 2) node.control = index - 3;
  return node;
}

void AppendNodeName(int64_t index, std::string* out) {
  const LayerNode& place = Place(index);
  const bool gradient = IsGradient(index);
  const int64_t layer = index / kLayerNodes / 2;
  if (gradient) out->append("gradients/");
  out->append("transformer_model/stage_").append(std::to_string(layer / kLayersPerStage));
  out->append("/layer_").append(std::to_string(layer % kLayersPerStage));
  out->append("/").append(place.path);
  if (gradient) out->append("_grad");
}

TensorSize TensorOfModel(int64_t index) {
  const uint64_t r = Mix(2, static_cast<uint64_t>(index));
  return {int64_t{32} << (r % 5), int64_t{64} << ((r >> 8) % 5)};
}

int64_t CompletionOrder(int64_t k, int64_t nodes, uint64_t step) {
  constexpr int64_t kWindow = 8;
  const int64_t first = k / kWindow * kWindow;
  if (first + kWindow > nodes) return k;
  const auto flip = static_cast<int64_t>(Mix(step + 3, static_cast<uint64_t>(first)) % kWindow);
  return first + ((k - first) ^ flip);
}

}  // namespace tfprof
