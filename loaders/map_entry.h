// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace tfprof {

// An entry of a map of a protobuf message; a value that is a message is kept as its bytes.
template <class Key, class Value = std::string_view>
struct MapEntry {
  Key key{};
  Value value{};
};

// Sorts by key; of equal keys the last one in the file counts. Returns how many are left, in front.
template <class Entry>
size_t KeepLast(std::span<Entry> map) {
  const auto before = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  const auto not_before = [&](const Entry& a, const Entry& b) { return !before(a, b); };
  if (std::adjacent_find(map.begin(), map.end(), not_before) == map.end()) return map.size();
  if (map.size() == 2 && before(map[1], map[0])) {
    std::swap(map[0], map[1]);
    return 2;
  }
  std::stable_sort(map.begin(), map.end(), before);
  size_t kept = 0;
  for (size_t i = 0; i < map.size(); ++i) {
    if (i + 1 < map.size() && map[i].key == map[i + 1].key) continue;
    map[kept++] = map[i];
  }
  return kept;
}

template <class Entry>
inline void KeepLast(std::vector<Entry>* map) {
  if (map->size() > 1) map->resize(KeepLast(std::span<Entry>(*map)));
}

}  // namespace tfprof
