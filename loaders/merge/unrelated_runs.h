// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/store/builder.h"
#include "loaders/inputs/opened.h"

namespace tfprof {

// Hosts of one run are recorded at one time. Notes the traces whose recorder says that it ran at
// another time than that of most of them: between the two there was nothing for as long as either
// took, and for a minute; on the same machine, at all. Times of the events themselves do not tell
// it: recorders count them from their own start. Error: a file that shrinks while it is read.
Result<void> NoteFarApart(const std::vector<Opened>& all, StoreBuilder& store);

}  // namespace tfprof
