// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "proto/xplane.pb.h"

namespace tfprof {

// Requires that planes, lines, events and the values of every key are in the store as libprotobuf
// reads them.
void RequireSameFacts(const Store& store, const pb::XSpace& space);

// The values of a key, by event; those without are left out.
std::vector<std::string> ValuesOf(const Store& store, ProcessId process, const std::string& key);

}  // namespace tfprof
