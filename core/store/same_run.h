// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "core/store/note_catalogue.h"
#include "core/store/store.h"

namespace tfprof {

// Returns true if all open files may belong to one run. Otherwise hosts cannot be compared with
// each other.
inline bool IsOneRun(const Store& store) {
  return std::none_of(store.notes.begin(), store.notes.end(),
                      [](const Note& note) { return note.what == note::other_runs; });
}

}  // namespace tfprof
