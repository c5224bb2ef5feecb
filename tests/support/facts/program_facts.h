// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/hlo/program.h"
#include "proto/hlo.pb.h"

namespace tfprof {

// One line per instruction and computation. From our reader, and from the message as libprotobuf
// reads it: both must be equal.
std::vector<std::string> ProgramFacts(const Program& p);
std::vector<std::string> ProgramFacts(const pb::HloModule& module);

}  // namespace tfprof
