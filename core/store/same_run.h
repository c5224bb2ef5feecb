// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>

#include "core/store/store.h"

namespace tfprof {

// The note of loaders/merge/unrelated_runs.h.
inline constexpr std::string_view kOfOtherRuns =
    "traces recorded at a different time, probably of another run: answers sum unrelated data; "
    "open them separately, select one with -host, or compare two with `diff`";

// Returns true if all open files may belong to one run. Otherwise hosts cannot be compared with
// each other.
inline bool IsOneRun(const Store& store) {
  return std::none_of(store.notes.begin(), store.notes.end(),
                      [](const Note& note) { return note.what == kOfOtherRuns; });
}

}  // namespace tfprof
