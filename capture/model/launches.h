// SPDX-License-Identifier: Apache-2.0
// Which call started device work, by correlation ID.
#pragma once

#include <cstdint>
#include <vector>

#include "capture/model/scopes.h"

namespace tfprof::capture {

struct Launch {
  uint32_t correlation = 0;  // 0: none
  ScopeId scope = kNoScope;
  int32_t step = -1;  // index of the step; -1: none
  uint32_t thread = 0;
  uint64_t start = 0;  // of the call
  uint64_t end = 0;
  uint32_t instruction = 0;  // the innermost range that names an instruction; 0: none
  uint32_t program = 0;      // the innermost that names a program
  uint32_t stack = 0;        // of Python calls; 0: none
  uint32_t function = 0;     // of CUDA: domain << 24 | callback
};

// Work follows its call soon, so that only the last calls are kept: kMost of them, 84 MB.
class Launches {
 public:
  void Add(const Launch& launch) {
    while (true) {
      Launch& slot = slots_[launch.correlation & (slots_.size() - 1)];
      const bool is_free = slot.correlation == 0 || slot.correlation == launch.correlation;
      if (!is_free && slots_.size() < kMost) {
        Grow();
        continue;
      }
      slot = launch;
      return;
    }
  }

  // Null: the call was not recorded, or too long ago.
  const Launch* Find(uint32_t correlation) const {
    const Launch& slot = slots_[correlation & (slots_.size() - 1)];
    return correlation != 0 && slot.correlation == correlation ? &slot : nullptr;
  }

 private:
  static constexpr size_t kMost = size_t{1} << 21;

  // Slots of one half may hold what belongs to the other.
  void Grow() {
    std::vector<Launch> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Launch& launch : old) {
      if (launch.correlation != 0) slots_[launch.correlation & (slots_.size() - 1)] = launch;
    }
  }

  std::vector<Launch> slots_ = std::vector<Launch>(1 << 12);
};

}  // namespace tfprof::capture
