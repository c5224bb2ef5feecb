// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <span>
#include <string_view>
#include <vector>

#include "core/store/store.h"
#include "loaders/xspace/details.h"
#include "loaders/xspace/values.h"

// Reads some keys of the events of a process: the state that threads share, and the unit of work of
// one thread. Part of ReadColumns.

namespace tfprof::xspace {

// State that all tasks share.
struct Reading {
  const DetailState& state;
  const Store& store;
  const Process& process;
  const Plane& plane;
  const StatNames& names;
  std::span<const EventId> chosen;  // empty: all events
  Range rows;                       // of the columns
  std::deque<OwnTexts>* own;        // by key
  StatSlots slots = {};
  std::vector<RequestedKey> keys = {};
  std::vector<std::vector<Value>> of_label = {};  // by key and label; empty: no label has the key
  std::vector<std::vector<uint32_t>> texts = {};  // by key: the numbers of the labels' texts

  uint32_t EventOf(uint32_t row) const { return chosen.empty() ? row : chosen[row].value; }
};

// Consecutive blocks of the columns that one thread reads.
struct Task {
  Range rows;
  std::vector<std::vector<uint32_t>> texts = {};  // by key: the numbers of the texts it found
};

// `found`: offsets for one event, relative to the beginning of `line`.
TFPROF_INLINE Value ValueIn(const RequestedKey& key, const uint32_t* found, std::string_view line,
                            Texts* texts) {
  const size_t which = key.Which(found);
  if (which == key.stats) return {};
  if (key.spelling.presence != nullptr) return {ValueKind::integer, key.Presence(which)};
  return ValueOf(line.data() + found[key.slots[which]], line.data() + line.size(), texts);
}

// Reads the blocks of a task into `columns`, one for each key.
void ReadTask(const Reading& reading, Task* task, std::span<DetailColumn* const> columns);

}  // namespace tfprof::xspace
