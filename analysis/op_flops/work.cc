// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/work.h"

#include <algorithm>
#include <limits>

#include "core/base/arith.h"

namespace tfprof {
namespace {

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

bool IsKnown(int64_t number) { return number >= 0; }

// REQUIRES: both are known. 0 times anything is 0, also if the other one was clamped.
int64_t Product(int64_t a, int64_t b) {
  int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

int64_t ProductOf(std::span<const int64_t> numbers) {
  if (!std::ranges::all_of(numbers, IsKnown)) return kNoInt;
  if (std::ranges::find(numbers, 0) != numbers.end()) return 0;
  int64_t product = 1;
  for (const int64_t number : numbers) product = Product(product, number);
  return product;
}

}  // namespace

int64_t Times(std::initializer_list<int64_t> numbers) {
  return ProductOf({numbers.begin(), numbers.size()});
}

int64_t Plus(std::initializer_list<int64_t> numbers) {
  int64_t sum = 0;
  for (const int64_t number : numbers) {
    if (!IsKnown(number)) return kNoInt;
    if (__builtin_add_overflow(sum, number, &sum)) return kMost;
  }
  return sum;
}

int64_t ElementsOf(Dims dims) { return ProductOf(dims); }

int64_t ProductFlops(int64_t outputs, int64_t depth) { return Times({2, outputs, depth}); }

int64_t KernelFlops(int64_t outputs, int64_t kernel, int64_t channels) {
  return Times({2, outputs, kernel, channels});
}

int64_t AttentionFlops(const AttentionSizes& sizes) {
  const int64_t pairs = Times({sizes.batch, sizes.heads, sizes.queries, sizes.keys});
  const int64_t flops = Times({2, pairs, Plus({sizes.key_depth, sizes.value_depth})});
  return sizes.causal && flops != kNoInt ? flops / 2 : flops;
}

int64_t RecurrentFlops(const RecurrentSizes& sizes) {
  if (sizes.layers < 1) return sizes.layers == 0 ? 0 : kNoInt;
  // The first layer reads the inputs, each further one the outputs of all directions.
  const int64_t below = Times({sizes.directions, sizes.units});
  const int64_t first = Plus({sizes.inputs, sizes.units});
  const int64_t further = Times({sizes.layers - 1, Plus({below, sizes.units})});
  return Times({2, sizes.steps, sizes.batch, sizes.directions, sizes.gates, sizes.units,
                Plus({first, further})});
}

}  // namespace tfprof
