// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/pad_width.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kScreen = 160;  // cells of a wide terminal

}  // namespace

void PadWidth::Add(size_t width) {
  if (width >= cells_.size()) cells_.resize(width + 1);
  ++cells_[width];
  ++count_;
}

size_t PadWidth::Widest() const {
  size_t middle = 0;
  for (size_t below = 0; middle < cells_.size(); ++middle) {
    below += cells_[middle];
    if (2 * below > count_) break;
  }
  size_t widest = std::min(cells_.size(), std::max(kScreen, 2 * middle) + 1);
  while (widest > 0 && cells_[widest - 1] == 0) --widest;
  return widest == 0 ? 0 : widest - 1;
}

}  // namespace tfprof
