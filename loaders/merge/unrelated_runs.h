// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/inputs/opened.h"

namespace tfprof {

// Adds a note for traces that were recorded at another time than most: hosts of one run are
// recorded simultaneously. Two recordings are apart if the gap between them is longer than either
// recording and than a minute; on the same machine, if there is any gap. Event times do not show
// this: recorders count them from their own start. Error: a file shrinks while it is read.
Result<void> NoteUnrelatedRuns(const std::vector<Opened>& all, StoreBuilder& store);

}  // namespace tfprof
