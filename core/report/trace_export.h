// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/cursor.h"
#include "core/store/store.h"

namespace tfprof {

// What one holds of a memory counter's value.
struct TraceHolder {
  std::string_view name;
  int64_t bytes = 0;
};

// A group of tracks: what trace viewers call a process.
struct TraceGroup {
  std::string name;
  std::string label = {};  // tells apart groups of one name; empty: there is no need
};

// Where time is drawn: what trace viewers call a thread. Spans that overlap without nesting lie on
// levels of it, 0, 1, ..., each of which is a thread to viewers.
struct TraceTrack {
  uint32_t group = 0;
  std::string name;
};

struct TraceCounter {
  uint32_t group = 0;
  std::string name;
};

struct TraceSpan {
  int64_t start_ps = 0;
  int64_t duration_ps = 0;
  std::string_view name;
  uint32_t track = 0;
  uint32_t level = 0;
  EventId event = {};  // none: made up by the view
  StepId step = {};
  uint32_t memory_row = kNoMemory;  // of Store::exec_memory
  static constexpr uint32_t kNoMemory = 0xFFFFFFFFu;
};

// Leaves a span at `from_ps`, its end or shortly before, and leads to one that starts at `to_ps`.
struct TraceArrow {
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

// Time as it is drawn. Times count from `epoch_ns` of wall time. Spans come track by track, those
// of a track by start, of equal starts the longest first; samples counter by counter, by time.
struct Trace {
  int64_t epoch_ns = 0;
  int64_t earliest_ps = 0;  // the first start of the profile, drawn or not
  std::vector<TraceGroup> groups;
  std::vector<TraceTrack> tracks;
  std::vector<TraceCounter> counters;
  std::vector<Note> notes;  // what is not drawn
  bool details = false;     // spans of events have all that their source says of them
  Cursor<TraceSpan> spans;
  Cursor<TraceArrow> arrows;
  Cursor<TraceSample> samples;
};

}  // namespace tfprof
