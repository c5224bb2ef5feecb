// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace tfprof {

// Sorts numbers in ascending order. `low_bits`: keys that differ only in these lowest bits are
// already in order (the bits may be a row number), which saves passes. Nearly sorted keys cost
// about one pass, others one pass per 11 bits or more. `scratch` is reused for its capacity.
void SortKeys(std::vector<uint64_t>* keys, int low_bits, std::vector<uint64_t>* scratch);

}  // namespace tfprof
