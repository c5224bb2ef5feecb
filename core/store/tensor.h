// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace tfprof {

// The values of a checkpoint entry, row-major. `shape` empty: a scalar (one value).
struct TensorValue {
  enum class Kind { real, integer, unsupported };
  Kind kind = Kind::unsupported;
  int dtype = 0;  // TensorFlow's DataType number
  std::vector<int64_t> shape;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

}  // namespace tfprof
