// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "proto/xplane.pb.h"

namespace tfprof {

// Requires that the store has the planes, lines, events and values of every key as libprotobuf
// reads them.
void RequireSameFacts(const Store& store, const pb::XSpace& space);

// The values of a key, by event; events without the key are omitted.
std::vector<std::string> ValuesOf(const Store& store, ProcessId process, const std::string& key);

}  // namespace tfprof
