// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/counts.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/events.h"

// From the bytes of events to their rows in the store.

namespace tfprof::xspace {

// What is odd about the events of a piece.
struct Odd {
  Tally malformed;
  Tally unknown;
  Tally negative;
  Tally clamped;
  Tally far;
  Tally unknown_fields;
};

// A part of a line that is decoded at once.
struct Piece {
  const LaneLine* of = nullptr;
  const char* begin = nullptr;
  const char* end = nullptr;
  size_t first_row = 0;
  size_t events = 0;
  size_t rows = 0;  // decoded; less than `events` where some are malformed
  // Where the bytes are no longer those that were counted: somebody writes to the file.
  const char* changed = nullptr;
  bool ascends = false;  // by start
  int64_t base_ps = 0;   // of the line, from the store's epoch
  Odd odd;
  std::vector<Aggregate> aggregates;  // by row
};

// Decodes a piece, which held nothing but events when it was counted. Stats, the larger part, are
// not touched. A mapped file may change between both: no more than `events` rows are written, and
// piece->changed is set where there are other fields, or more or fewer events.
// REQUIRES: `gathers` only where wire::gathers_bits.
void DecodeEvents(const StoreBuilder::RawRows& to, Piece* piece, bool gathers = wire::gathers_bits);

}  // namespace tfprof::xspace
