// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// Returns the first eight bytes of a name as a number with the same order; shorter names are padded
// with zeros, so "a" and "a\0" are equal.
inline uint64_t NameHead(std::string_view text) {
  uint64_t head = 0;
  std::memcpy(&head, text.data(), std::min<size_t>(text.size(), 8));
  return __builtin_bswap64(head);
}

// Sorts nodes by the bytes of their names. Compares eight bytes at a time, and reads a text again
// only where those are equal, since long common prefixes are the rule.
Result<void> SortByName(const Store& store, Column<NodeId>* nodes, Context& context);

// An index: all nodes, ascending by the bytes of their names.
struct NodesByName {
  using Value = Column<NodeId>;
  static Result<Value> Build(const Store& store, Context& context);
};

}  // namespace tfprof
