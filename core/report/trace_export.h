// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/store/store.h"

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

// One holder's share of a memory counter's value.
struct TraceHolder {
  std::string_view name;
  int64_t bytes = 0;
};

// A group of tracks: a process in trace viewers.
struct TraceGroup {
  std::string name;
  std::string label = {};  // distinguishes groups of the same name; empty: not needed
};

// A line of time: a thread in trace viewers. Spans that overlap without nesting are on levels 0, 1,
// ..., each of which is a separate thread in viewers.
struct TraceTrack {
  uint32_t group = 0;
  std::string name;
};

struct TraceCounter {
  uint32_t group = 0;
  std::string name;
  int64_t peak = kNoInt;  // also of samples that are left out; kNoInt: not computed
};

struct TraceSpan {
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  std::string_view name;
  uint32_t track = 0;
  uint32_t level = 0;
  EventId event = {};  // none: synthesized by the view
  StepId step = {};
  uint32_t memory_row = kNoMemory;  // of Store::exec_memory
  static constexpr uint32_t kNoMemory = 0xFFFFFFFFu;
};

// A flow: leaves a span at `from_ps`, its end or shortly before, and enters a span that starts at
// `to_ps`.
struct TraceFlow {
  int64_t from_ps = 0;
  int64_t to_ps = 0;
  std::string_view name;
  uint32_t from_track = 0;
  uint32_t from_level = 0;
  uint32_t to_track = 0;
  uint32_t to_level = 0;
};

// The value of a counter from a time on.
struct TraceSample {
  int64_t time_ps = 0;
  int64_t value = 0;
  uint32_t counter = 0;
  std::span<const TraceHolder> holders;  // the largest first; valid until the next block
};

// Exported time. Times count from `epoch_ns` of wall time. Spans are ordered by track, then by
// start, equal starts by descending length; samples by counter, then by time.
struct Trace {
  int64_t epoch_ns = 0;
  int64_t earliest_ps = 0;  // the first start of the profile, exported or not
  std::vector<TraceGroup> groups;
  std::vector<TraceTrack> tracks;
  std::vector<TraceCounter> counters;
  std::vector<Note> notes;  // omitted data
  bool details = false;     // spans of events have all details of their source
  Cursor<TraceSpan> spans;
  Cursor<TraceFlow> flows;
  Cursor<TraceSample> samples;
};

}  // namespace tfprof
