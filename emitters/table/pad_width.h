// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfprof {

// Padding of a column's cells if lines are unbounded and nothing is cut: padding to one name of
// hundreds of letters would push all other rows apart.
class PadWidth {
 public:
  void Add(size_t width);
  // Returns the widest cell that is no wider than twice the median or the width of a screen.
  size_t Widest() const;

 private:
  std::vector<uint32_t> cells_;  // count by width
  size_t count_ = 0;
};

}  // namespace tfprof
