// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/store/details.h"
#include "loaders/xspace/details.h"

namespace tfprof::xspace {

// Reads some keys of all events of a process: see DetailReader::columns. Walks the stats of every
// event once, on several threads. Error: cancelled.
Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, DetailKeys keys, Context& context);
// See DetailReader::chosen.
Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, std::span<const EventId> events,
                                              DetailKeys keys, Context& context);

}  // namespace tfprof::xspace
