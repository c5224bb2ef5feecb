// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/wire/map_entry.h"
#include "loaders/wire/unknown.h"

// Locates the parts of an XSpace (proto/xplane.proto) by jumping over the lines of events:
// milliseconds for a gigabyte. Does not interpret them.

namespace tfprof::xspace {

using Entries = std::vector<MapEntry<int64_t>>;  // ascending by id; the values are messages

// An XLine: the fields before its events. The others are read with the events.
struct Line {
  std::string_view bytes;
  const char* events = nullptr;  // the first field that is an event; or the end
  int64_t id = 0;
  int64_t timestamp_ns = 0;
  std::string_view name;
  int64_t display_id = 0;
  std::string_view display_name;
};

// Reads the scalar fields of an XLine from `at`; stops at an event if `until_event`. Returns the
// place where it stopped, or null with *bad set if the wire format is invalid.
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
  std::deque<std::string> merged;  // values in several pieces
  const char* bad = nullptr;       // where the wire format is invalid
  UnknownFields unknown;
};

// Keeps the readable part of a damaged file; `bad` is the place of the damage.
Layout ReadLayout(std::string_view bytes);

}  // namespace tfprof::xspace
