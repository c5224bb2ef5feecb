// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "core/base/kept_texts.h"
#include "core/store/details.h"
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

// Returns a reader of stats from the file. REQUIRES: the file has not become shorter.
DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state);

}  // namespace tfprof::xspace
