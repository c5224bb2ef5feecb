// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/cursor.h"
#include "core/store.h"

namespace tfprof {

// What one holds of a memory counter's value.
struct TraceHolder {
  std::string_view name;
  int64_t bytes = 0;
};

// A group of tracks: what trace viewers call a process.
struct TraceGroup {
  std::string name;
};

// A line on which time is drawn: what trace viewers call a thread.
struct TraceTrack {
  uint32_t group = 0;
  uint32_t number = 0;  // within the group
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
  EventId event;  // none: made up by the view
};

// Leads from the end of one span to the start of another.
struct TraceArrow {
  int64_t from_ps = 0;
  int64_t to_ps = 0;
  std::string_view name;
  uint32_t from_track = 0;
  uint32_t to_track = 0;
};

// The value of a counter from a time on.
struct TraceSample {
  int64_t time_ps = 0;
  int64_t value = 0;
  uint32_t counter = 0;
  std::span<const TraceHolder> holders;  // the largest first; valid until the next block
};

// Time as it is drawn. Times count from `epoch_ns` of wall time.
struct Trace {
  int64_t epoch_ns = 0;
  std::vector<TraceGroup> groups;
  std::vector<TraceTrack> tracks;
  std::vector<TraceCounter> counters;
  Cursor<TraceSpan> spans;
  Cursor<TraceArrow> arrows;
  Cursor<TraceSample> samples;
};

}  // namespace tfprof
