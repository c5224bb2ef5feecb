// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <span>

namespace tfprof {

// Rows too many to keep: whoever reads them pulls blocks. `next` fills the front of `out` and
// returns how many it filled; 0 is the end. `next` null: there are none.
template <class T>
struct Cursor {
  std::shared_ptr<void> state;
  size_t (*next)(void* state, std::span<T> out) = nullptr;
  explicit operator bool() const { return next != nullptr; }
};

}  // namespace tfprof
