// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "core/store.h"

namespace tfprof {

// Adds a note where the two profiles were not taken on the same devices, as far as `query` asks for
// them: a change may be due to that. Hosts are left out: their names are those of the files.
void NoteOtherDevices(const Store& base, const Store& store, const Query& query, Report* report);

}  // namespace tfprof
