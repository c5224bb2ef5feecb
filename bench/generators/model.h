// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

// A synthetic model of any size, computed node by node from the node's number: a stack of
// transformer layers, each followed by its gradients. Names are 45 to 105 bytes long (70 on
// average) and 4 to 9 scopes deep (6.7 on average), as in graphs of large models.

namespace tfprof {

// A well-mixed number that depends only on both arguments (splitmix64).
inline uint64_t Mix(uint64_t seed, uint64_t index) {
  uint64_t x = (seed << 40) + index + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

constexpr int64_t kNoNode = -1;

struct ModelNode {
  std::string_view type;
  bool variable = false;
  bool on_gpu = true;
  bool has_kernel = false;  // launches a kernel that the streams record
  // Producers: data inputs; `control` runs before. Always lower node numbers.
  int64_t inputs[3] = {kNoNode, kNoNode, kNoNode};
  int64_t control = kNoNode;
};

ModelNode NodeOfModel(int64_t index);
void AppendNodeName(int64_t index, std::string* out);  // distinct for distinct numbers
inline std::string NodeNameOfModel(int64_t index) {
  std::string name;
  AppendNodeName(index, &name);
  return name;
}

// Dimensions of the node's output tensor.
struct TensorSize {
  int64_t rows;
  int64_t columns;
  int64_t bytes() const { return rows * columns * 4; }
};
TensorSize TensorOfModel(int64_t index);

// The node that completes as the k-th of `nodes` in a step: nearly in order of number, as in an
// executor with several threads, and different in every step.
int64_t CompletionOrder(int64_t k, int64_t nodes, uint64_t step);

}  // namespace tfprof
