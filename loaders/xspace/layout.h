// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/wire/map_entry.h"
#include "loaders/wire/unknown.h"

// Where the parts of an XSpace lie (proto/xplane.proto), found by jumping over the lines of events:
// milliseconds for a gigabyte. Nothing is given a meaning here.

namespace tfprof::xspace {

using Entries = std::vector<MapEntry<int64_t>>;  // ascending by id; the values are messages

// An XLine: what stands before its events. The rest is found when they are read.
struct Line {
  std::string_view bytes;
  const char* events = nullptr;  // the first of its fields that is an event; or the end
  int64_t id = 0;
  int64_t timestamp_ns = 0;
  std::string_view name;
  int64_t display_id = 0;
  std::string_view display_name;
};

// Takes the scalar fields of an XLine from `at` on; stops at an event if `until_event`. Returns
// where it stopped, null with *bad set where it is no wire format.
const char* ReadLineFields(const char* at, bool until_event, Line* line, const char** bad,
                           UnknownFields* unknown);

struct Plane {
  std::string_view bytes;
  int64_t id = 0;
  std::string_view name;
  std::vector<Line> lines;
  Entries event_metadata;
  Entries stat_metadata;
  std::vector<std::string_view> stats;
};

struct Layout {
  std::vector<Plane> planes;
  std::vector<std::string_view> errors;
  std::vector<std::string_view> warnings;
  std::vector<std::string_view> hostnames;
  std::deque<std::string> merged;  // values that the file has in pieces
  const char* bad = nullptr;       // where it stops to be wire format
  UnknownFields unknown;
};

// What there is of a damaged file is kept; `bad` tells.
Layout ReadLayout(std::string_view bytes);

}  // namespace tfprof::xspace
