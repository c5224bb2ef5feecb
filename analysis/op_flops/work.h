// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>

// FLOPs from sizes, whoever recorded them. A multiply-add is 2. kNoInt: a size is not known (it is
// negative). Numbers that exceed 64 bits are clamped to the largest.

namespace tfprof {

using Dims = std::span<const int64_t>;

// The product of numbers that are not negative; kNoInt if one is.
int64_t Times(std::initializer_list<int64_t> numbers);
int64_t Plus(std::initializer_list<int64_t> numbers);
// The number of elements; 1 for a scalar.
int64_t ElementsOf(Dims dims);

// `outputs` elements, each the sum of `depth` products.
int64_t ProductFlops(int64_t outputs, int64_t depth);

// A convolution with `kernel` positions and `channels` input channels per group. Positions that
// fall on padding count, as TensorFlow counts them.
int64_t KernelFlops(int64_t outputs, int64_t kernel, int64_t channels);

// The scores of each query and key, and the weighted sum of the values: two products. `causal`: a
// query meets the keys before it, about half of them. The softmax does not count.
struct AttentionSizes {
  int64_t batch = -1;
  int64_t heads = -1;  // of the queries
  int64_t queries = -1;
  int64_t keys = -1;
  int64_t key_depth = -1;
  int64_t value_depth = -1;
  bool causal = false;
};
int64_t AttentionFlops(const AttentionSizes& sizes);

// `steps` steps of a recurrent layer: products with its weights, for `gates` gates.
struct RecurrentSizes {
  int64_t steps = -1;
  int64_t batch = -1;
  int64_t inputs = -1;
  int64_t units = -1;
  int64_t layers = 1;
  int64_t directions = 1;
  int64_t gates = -1;
};
int64_t RecurrentFlops(const RecurrentSizes& sizes);

}  // namespace tfprof
