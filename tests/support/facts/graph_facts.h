// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/store.h"
#include "proto/graph.pb.h"

namespace tfprof {

// One line per node, in order: name, type, inputs, parameter shape, output shapes, data format.
// From a store, and from the message as libprotobuf reads it: both must be equal.
std::vector<std::string> GraphFacts(const Store& store);
std::vector<std::string> GraphFacts(const pb::GraphDef& graph);

}  // namespace tfprof
