// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <map>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "loaders/wire/message.h"

namespace tfprof {

// An entry of a protobuf map. A message value is kept as its bytes.
template <class Key, class Value = std::string_view>
struct MapEntry {
  Key key{};
  Value value{};
};

// ---- reading one ------------------------------------------------------------------------------

// Reads the key or value at `at`, if present. Returns the byte after it, or null. (clang 14 does
// not accept a consteval function such as TagByte in a template.)
template <MapEntryField kField, class T>
TFPROF_INLINE const char* TakeHalf(const char* at, const char* end, T* half) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    constexpr auto kTag = static_cast<char>(wire::Tag(kField, wire::kBytes));
    if (*at != kTag) return nullptr;
    return wire::ReadBytes(at + 1, end, half);
  } else {
    constexpr auto kTag = static_cast<char>(wire::Tag(kField, wire::kVarint));
    if (*at != kTag) return nullptr;
    uint64_t number = 0;
    at = wire::ReadVarint(at + 1, &number);
    *half = static_cast<T>(number);
    return at;
  }
}

template <MapEntryField kField, class T>
auto HalfField(T* half) {
  if constexpr (std::is_same_v<T, std::string_view>) {
    return wire::Text<kField>(half);
  } else {
    return wire::Number<kField>(half);
  }
}

// Reads an entry in any form.
template <class Key, class Value>
__attribute__((noinline)) const char* ReadUnusualEntry(std::string_view message,
                                                       MapEntry<Key, Value>* entry) {
  *entry = {};
  return wire::ReadMessage(message, HalfField<MapEntryField::key>(&entry->key),
                           HalfField<MapEntryField::value>(&entry->value));
}

// Returns null, or the place where the wire format of `message` is invalid. Nearly all writers
// write the key, then the value, and nothing else; that form is tried first.
template <class Key, class Value>
TFPROF_INLINE const char* ReadEntry(std::string_view message, MapEntry<Key, Value>* entry) {
  const char* const end = message.data() + message.size();
  if (message.size() >= 4) {
    const char* at = TakeHalf<MapEntryField::key>(message.data(), end, &entry->key);
    if (at != nullptr && at < end) at = TakeHalf<MapEntryField::value>(at, end, &entry->value);
    if (at == end) return nullptr;
  }
  return ReadUnusualEntry(message, entry);
}

// For wire::Each.
template <class Entry>
auto AppendTo(std::vector<Entry>* map) {
  return [map](std::string_view entry) { return ReadEntry(entry, &map->emplace_back()); };
}

// ---- all of a map -----------------------------------------------------------------------------

// Sorts entries with text keys of the file, which may change while they are compared. A sort that
// trusts its comparisons would then leave the list; a tree does not.
template <class Value>
size_t KeepLastText(std::span<MapEntry<std::string_view, Value>> map) {
  std::map<std::string_view, Value> sorted;
  for (const auto& entry : map) sorted[entry.key] = entry.value;
  size_t kept = 0;
  for (const auto& [key, value] : sorted) map[kept++] = {key, value};
  return kept;
}

// Sorts by key; of equal keys the last one in the file counts. Returns the number of remaining
// entries, which are in front.
template <class Entry>
size_t KeepLast(std::span<Entry> map) {
  const auto before = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  const auto not_before = [&](const Entry& a, const Entry& b) { return !before(a, b); };
  if (std::adjacent_find(map.begin(), map.end(), not_before) == map.end()) return map.size();
  if (map.size() == 2 && before(map[1], map[0])) {
    std::swap(map[0], map[1]);
    return 2;
  }
  if constexpr (std::is_same_v<decltype(Entry::key), std::string_view>) return KeepLastText(map);
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
