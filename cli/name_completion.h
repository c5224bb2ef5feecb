// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cli/session.h"

namespace tfprof {

// Names of the open profile that begin with `typed`, the costliest first: the scopes (with a slash
// behind them) and nodes one level below the last slash in it, and operation types where
// `with_types`. What comes without a slash in `typed` may also be in the scope that one is in.
std::vector<std::string> NamesThatBegin(const Session& session, std::string_view typed,
                                        bool with_types);

std::vector<std::string> StepNumbers(const Session& session);
// Of lanes, or of processes; as -device and -host look for them.
std::vector<std::string> DeviceNames(const Session& session);
std::vector<std::string> HostNames(const Session& session);
// Ids of the columns of the last table.
std::vector<std::string> ColumnNames(const Session& session);

}  // namespace tfprof
