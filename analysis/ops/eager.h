// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/store/store.h"

namespace tfprof {

// Which events of a thread TensorFlow ran one by one, and not as part of a function: those whose
// innermost eager executor around them has the key `is_func` and it is 0. Index: row - first placed
// row of the lane; empty: none. `is_func`: that key of the lane's process.
std::vector<uint8_t> EagerRows(const Store& store, const Lane& lane, const DetailColumn& is_func);

}  // namespace tfprof
