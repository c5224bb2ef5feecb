// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/counts.h"
#include "loaders/xspace/events.h"

// Decodes the bytes of events into rows of the store.

namespace tfprof::xspace {

// Problems of the events of a piece.
struct EventProblems {
  ProblemCount malformed;
  ProblemCount unknown;
  ProblemCount negative;
  ProblemCount clamped;
  ProblemCount far;
  ProblemCount unknown_fields;
};

// A part of a line that one task decodes.
struct Piece {
  const LaneLine* of = nullptr;
  const char* begin = nullptr;
  const char* end = nullptr;
  size_t first_row = 0;
  size_t events = 0;
  size_t rows = 0;  // decoded; less than `events` if some are malformed
  // Place where the bytes differ from those that were counted: another process writes to the file.
  const char* changed = nullptr;
  bool ascends = false;  // by start
  int64_t base_ps = 0;   // of the line, relative to the store's epoch
  EventProblems problem;
  std::vector<Aggregate> aggregates;  // by row
};

// Decodes a piece, which had only events when it was counted. Does not touch stats, the larger
// part. A mapped file may change between both passes: at most `events` rows are written, and
// piece->changed is set if there are other fields, or more or fewer events. REQUIRES: `gathers`
// only if wire::gathers_bits.
void DecodeEvents(const StoreBuilder::RawRows& to, Piece* piece, bool gathers = wire::gathers_bits);

}  // namespace tfprof::xspace
