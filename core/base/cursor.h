// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <utility>

namespace tfprof {

// Pulls blocks of rows that are too many to keep in memory. A call fills the front of `out` and
// returns the number of filled rows; 0 is the end. Empty: there are no rows.
template <class T>
using Cursor = std::function<size_t(std::span<T> out)>;

// A cursor that calls next(*position, out).
template <class T, class Position>
Cursor<T> CursorFrom(std::shared_ptr<Position> position, size_t (*next)(Position&, std::span<T>)) {
  return [position = std::move(position), next](std::span<T> out) { return next(*position, out); };
}

}  // namespace tfprof
