// SPDX-License-Identifier: Apache-2.0
#include "views/diff/mann_whitney.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

namespace tfprof::mann_whitney_test {

using Samples = std::vector<double>;

// The expected values are those of SciPy 1.17: scipy.stats.mannwhitneyu(a, b).pvalue.

TEST_CASE("Mann-Whitney is exact for few samples without ties") {
  // mannwhitneyu([10, 11, 12, 13], [14, 15, 16, 17]): all 16 pairs agree, 2 of 70 orders
  CHECK(MannWhitney(Samples{10, 11, 12, 13}, Samples{14, 15, 16, 17}) ==
        Approx(0.02857142857142857).epsilon(1e-12));
  // mannwhitneyu([10, 11, 12, 13], [12.5, 15, 16, 17])
  CHECK(MannWhitney(Samples{10, 11, 12, 13}, Samples{12.5, 15, 16, 17}) ==
        Approx(0.05714285714285714).epsilon(1e-12));
  // mannwhitneyu([19, 22, 16, 29, 24], [20, 11, 17, 12])
  CHECK(MannWhitney(Samples{19, 22, 16, 29, 24}, Samples{20, 11, 17, 12}) ==
        Approx(0.1111111111111111).epsilon(1e-12));
  // mannwhitneyu([1, 2, 3, 4, 5], [1.5, 2.5, 3.5, 4.5])
  CHECK(MannWhitney(Samples{1, 2, 3, 4, 5}, Samples{1.5, 2.5, 3.5, 4.5}) == 1);
}

TEST_CASE("Mann-Whitney with ties is a normal approximation, corrected for ties and continuity") {
  // mannwhitneyu([10, 11, 12, 13], [13, 15, 16, 17])
  CHECK(MannWhitney(Samples{10, 11, 12, 13}, Samples{13, 15, 16, 17}) ==
        Approx(0.042066412206780826).epsilon(1e-12));
  // mannwhitneyu([5, 5, 5, 5], [5, 5, 5, 6])
  CHECK(MannWhitney(Samples{5, 5, 5, 5}, Samples{5, 5, 5, 6}) ==
        Approx(0.4532547047537364).epsilon(1e-12));
  CHECK(MannWhitney(Samples(4, 5), Samples(4, 5)) == 1);
}

TEST_CASE("Mann-Whitney of more than 8 samples on both sides is a normal approximation") {
  // mannwhitneyu(range(1, 11), [3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5])
  CHECK(MannWhitney(Samples{1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                    Samples{3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5, 11.5}) ==
        Approx(0.17790959498698244).epsilon(1e-12));
}

TEST_CASE("Mann-Whitney is symmetric, and absent below 4 samples") {
  const Samples a{10, 11, 12, 13}, b{12.5, 15, 16, 17, 18};
  CHECK(MannWhitney(a, b) == MannWhitney(b, a));
  CHECK(std::isnan(MannWhitney(Samples{1, 2, 3}, a)));
  CHECK(std::isnan(MannWhitney(a, Samples{1, 2, 3})));
}

}  // namespace tfprof::mann_whitney_test
