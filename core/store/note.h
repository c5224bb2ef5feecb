// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"

namespace tfprof {

// A row of the catalogue: the id that JSON has, and the text, in which {} is a value. Ids are
// stable, texts are not.
struct NoteRow {
  std::string_view id;
  std::string_view text;
};

// The words of a note: a row of the catalogue and its values.
struct NoteWords {
  NoteWords(const NoteRow& of) : row(&of) {}  // NOLINT(google-explicit-constructor)
  NoteWords(const NoteRow&& of) = delete;
  bool operator==(const NoteWords&) const = default;
  std::string Text() const;

  const NoteRow* row;
  std::vector<std::string> values;
};

// A fact that affects how to read the numbers: skipped, clipped, malformed or omitted data.
struct Note {
  NoteWords what;  // a sentence without a count: "records without a start time"
  int64_t count = 0;
  std::string first_place;   // file, offset, record; or empty
  int64_t cost_ps = kNoInt;  // the time of omitted data
};

}  // namespace tfprof
