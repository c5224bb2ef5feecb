// SPDX-License-Identifier: Apache-2.0
#include "core/base/sorting.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace tfprof {
namespace {

using Keys = std::vector<uint64_t>;

// Returns false if it gave up because the keys are far from sorted; all keys are still there. It
// gives up on concatenated sorted runs, such as those of several lanes, where the second run
// begins.
bool SortByInsertion(Keys* keys) {
  constexpr size_t kMovesPerKey = 8, kFreeMoves = 4096;
  size_t moves = 0;
  for (size_t i = 1; i < keys->size(); ++i) {
    const uint64_t key = (*keys)[i];
    size_t at = i;
    for (; at > 0 && (*keys)[at - 1] > key; --at) (*keys)[at] = (*keys)[at - 1];
    (*keys)[at] = key;
    moves += i - at;
    if (moves > i * kMovesPerKey + kFreeMoves) return false;
  }
  return true;
}

// Sorts from the lowest digit to the highest; each pass is stable.
void SortByRadix(Keys* keys, int low_bits, Keys* scratch) {
  constexpr int kMaxBits = 11;
  uint64_t differ = 0;  // bits in which keys differ
  for (const uint64_t key : *keys) differ |= key ^ keys->front();
  differ >>= low_bits;
  if (differ == 0) return;
  const int lowest = low_bits + std::countr_zero(differ);
  const int width = low_bits + static_cast<int>(std::bit_width(differ)) - lowest;
  const int passes = (width + kMaxBits - 1) / kMaxBits;
  scratch->resize(keys->size());
  for (int pass = 0; pass < passes; ++pass) {
    const int shift = lowest + pass * kMaxBits;
    const auto digit = [&](uint64_t key) { return key >> shift & ((1u << kMaxBits) - 1); };
    std::array<uint32_t, (1u << kMaxBits) + 1> next{};
    for (const uint64_t key : *keys) ++next[digit(key) + 1];
    for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (const uint64_t key : *keys) (*scratch)[next[digit(key)]++] = key;
    keys->swap(*scratch);
  }
}

}  // namespace

void SortKeys(Keys* keys, int low_bits, Keys* scratch) {
  constexpr size_t kFew = 256;
  if (keys->size() < kFew) return std::sort(keys->begin(), keys->end());
  if (!SortByInsertion(keys)) SortByRadix(keys, low_bits, scratch);
}

std::vector<uint32_t> StableOrder(size_t count,
                                  const std::function<bool(uint32_t a, uint32_t b)>& before) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t a, uint32_t b) { return before(a, b); });
  return order;
}

}  // namespace tfprof
