// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>

namespace tfprof {

// Fewer samples than this on a side can hardly differ significantly: of 3 and 3, the least p is
// 0.1.
inline constexpr size_t kMinSamples = 4;

// Returns the two-sided p of the Mann-Whitney U test: how likely two sets of samples differ as much
// as these, or more, if they come from the same distribution. Order alone counts, so outliers weigh
// no more than other samples. Exact without ties if the smaller set has at most 8 samples; else the
// normal approximation with corrections for ties and continuity. NaN: fewer than kMinSamples on a
// side.
// H. B. Mann, D. R. Whitney, Annals of Mathematical Statistics 18 (1947), 50-60.
double MannWhitney(std::span<const double> a, std::span<const double> b);

}  // namespace tfprof
