// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "core/base/context.h"
#include "core/store/details.h"
#include "core/text/kept_texts.h"
#include "loaders/io/source.h"
#include "loaders/xspace/layout.h"
#include "loaders/xspace/stats.h"

namespace tfprof::xspace {

// Input of the details of an XSpace. Process i of the store (Process::index) is plane i, lane i of
// a process is its line i, and label i of a process is its event metadata i.
struct DetailState {
  SourceFile file;
  Layout layout;
  std::vector<StatNames> names;  // by plane
  mutable std::mutex common_lock;
  mutable KeptTexts common;  // names of stats that columns share as texts
};

// Reads some keys of all events of a process: see DetailReader::columns. Walks the stats of every
// event once, on several threads. Error: cancelled.
Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, DetailKeys keys, Context& context);
// See DetailReader::chosen.
Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, std::span<const EventId> events,
                                              DetailKeys keys, Context& context);

// Returns a reader of stats from the file. REQUIRES: the file has not become shorter.
DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state);

}  // namespace tfprof::xspace
