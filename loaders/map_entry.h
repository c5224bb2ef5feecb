// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace tfprof {

// An entry of a map of a protobuf message; a value that is a message is kept as its bytes.
template <class Key, class Value = std::string_view>
struct MapEntry {
  Key key{};
  Value value{};
};

// Sorts by key; of equal keys the last one in the file counts.
template <class Entry>
void KeepLast(std::vector<Entry>* map) {
  const auto not_before = [](const Entry& a, const Entry& b) { return !(a.key < b.key); };
  if (std::adjacent_find(map->begin(), map->end(), not_before) == map->end()) return;
  std::stable_sort(map->begin(), map->end(),
                   [](const Entry& a, const Entry& b) { return a.key < b.key; });
  size_t kept = 0;
  for (size_t i = 0; i < map->size(); ++i) {
    if (i + 1 < map->size() && (*map)[i].key == (*map)[i + 1].key) continue;
    (*map)[kept++] = (*map)[i];
  }
  map->resize(kept);
}

}  // namespace tfprof
