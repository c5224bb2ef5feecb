// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

namespace tfprof {

// Sorts numbers, ascending. `low_bits`: keys that differ in these lowest bits only are in order
// already (they count the keys, say), which saves going over them. Nearly sorted keys cost about
// one pass, others one pass for 11 bits and more. `scratch` is kept for its capacity.
void SortKeys(std::vector<uint64_t>* keys, int low_bits, std::vector<uint64_t>* scratch);

}  // namespace tfprof
