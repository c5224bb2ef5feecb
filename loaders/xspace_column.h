// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/context.h"
#include "core/details.h"
#include "loaders/xspace_details.h"

namespace tfprof::xspace {

// One key of all events of a process: see DetailReader::column. Runs through the stats of every
// event once, on several threads. Error: cancelled.
Result<DetailColumn> ReadColumn(const DetailState& state, const Store& store, ProcessId process,
                                std::string_view key, Context& context);
// See DetailReader::chosen.
Result<DetailColumn> ReadColumn(const DetailState& state, const Store& store, ProcessId process,
                                std::span<const EventId> events, std::string_view key,
                                Context& context);

// The message of the event whose detail is `detail`; empty where there is none.
std::string_view EventAt(std::string_view line, uint32_t detail);

}  // namespace tfprof::xspace
