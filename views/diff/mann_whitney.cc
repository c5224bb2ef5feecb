// SPDX-License-Identifier: Apache-2.0
#include "views/diff/mann_whitney.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/base/arith.h"

namespace tfprof {
namespace {

constexpr size_t kMostExact = 8;

struct Ranks {
  double u = 0;     // pairs in which the sample of `a` is larger; equal samples count half
  double ties = 0;  // the sum of t^3 - t over the groups of t equal samples
};

Ranks RanksOf(std::span<const double> a, std::span<const double> b) {
  std::vector<std::pair<double, bool>> all;  // is it one of a?
  for (const double value : a) all.emplace_back(value, true);
  for (const double value : b) all.emplace_back(value, false);
  std::ranges::sort(all);
  Ranks found;
  double ranks_of_a = 0;
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    size_t of_a = 0;
    for (end = first; end < all.size() && all[end].first == all[first].first; ++end) {
      of_a += all[end].second ? 1 : 0;
    }
    const auto equal = static_cast<double>(end - first);
    found.ties += equal * equal * equal - equal;
    ranks_of_a += static_cast<double>(of_a) * static_cast<double>(first + 1 + end) / 2;
  }
  const auto n = static_cast<double>(a.size());
  found.u = ranks_of_a - n * (n + 1) / 2;
  return found;
}

// Returns the probability that U is at least `u` if all orders are equally likely.
// ways[k][s]: the number of ways to choose k of the ranks counted until now with U = s.
double AtLeast(double u, size_t few, size_t many) {
  const size_t most = few * many;
  std::vector<std::vector<double>> ways(few + 1, std::vector<double>(most + 1));
  ways[0][0] = 1;
  for (size_t rank = 0; rank < few + many; ++rank) {
    for (size_t k = std::min(few, rank + 1); k > 0; --k) {
      // The k-th smallest sample is larger than rank - (k - 1) samples of the other set.
      const size_t larger_than = rank - (k - 1);
      for (size_t s = larger_than; s <= most; ++s) ways[k][s] += ways[k - 1][s - larger_than];
    }
  }
  double all = 0, at_least = 0;
  for (size_t s = 0; s <= most; ++s) {
    all += ways[few][s];
    if (static_cast<double>(s) >= u) at_least += ways[few][s];
  }
  return at_least / all;
}

}  // namespace

double MannWhitney(std::span<const double> a, std::span<const double> b) {
  if (a.size() < kMinSamples || b.size() < kMinSamples) return kNoReal;
  const Ranks ranks = RanksOf(a, b);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double u = std::max(ranks.u, n * m - ranks.u);
  const size_t few = std::min(a.size(), b.size()), many = std::max(a.size(), b.size());
  if (ranks.ties == 0 && few <= kMostExact) return std::min(1.0, 2 * AtLeast(u, few, many));
  const double all = n + m;
  const double variance = n * m / 12 * (all + 1 - ranks.ties / (all * (all - 1)));
  if (variance <= 0) return 1;  // all samples are equal
  const double z = (u - n * m / 2 - 0.5) / std::sqrt(variance);
  return std::min(1.0, std::erfc(z / std::numbers::sqrt2));
}

}  // namespace tfprof
