// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/text_set.h"
#include "core/store/details.h"
#include "loaders/io/source.h"
#include "loaders/xspace/layout.h"
#include "loaders/xspace/stats.h"

namespace tfprof::xspace {

// What the details of an XSpace are read from. Process i of the store (Process::index) is plane i,
// lane i of a process its line i, label i of a process its event metadata i.
struct DetailState {
  SourceFile file;
  Layout layout;
  std::vector<StatNames> names;  // by plane
  mutable std::mutex common_lock;
  mutable KeptTexts common;  // names of stats that columns have as texts
};

// Reads stats from the file, which must not have become shorter.
DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state);

}  // namespace tfprof::xspace
