// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query.h"
#include "core/store.h"

namespace tfprof {

// Whether -host and -device let a process through: a name of its host (of the file, or its own)
// contains the one, its own
// name, or that of its device model, the other. In any case of letters.
bool InPlace(const Store& store, const Process& process, const Query& query);

// What a machine calls itself, where the profile tells that, else the name of its file.
std::string OwnName(const Store& store, HostId host);

}  // namespace tfprof
