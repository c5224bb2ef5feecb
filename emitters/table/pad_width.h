// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tfprof {

// How far the cells of a column are padded where lines have no end and nothing is cut: one name of
// hundreds of letters would move all other rows apart.
class PadWidth {
 public:
  void Add(size_t width);
  // The widest cell that is no wider than two middle ones, or than what a screen holds.
  size_t Widest() const;

 private:
  std::vector<uint32_t> cells_;  // by width
  size_t count_ = 0;
};

}  // namespace tfprof
