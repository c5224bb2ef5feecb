// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "proto/tfprof_log.pb.h"

namespace tfprof {

// One line per fact. From a store, and from the message as libprotobuf reads it: both must be
// equal.
std::vector<std::string> ProfileFacts(const Store& store);
std::vector<std::string> ProfileFacts(const pb::ProfileProto& profile);

}  // namespace tfprof
