// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loaders/loader.h"

namespace tfprof {

// How run metadata is read: a file alone in parts of about so many bytes, several files each on a
// thread of its own. Their rows wait to be stored, so as many files are read together as give
// every thread enough to do, but not more than `most_bytes`.
struct RunSplit {
  size_t threads = 1;
  size_t part_bytes = size_t{64} << 10;
  size_t enough_bytes = size_t{8} << 20;
  size_t most_bytes = size_t{256} << 20;
};

// Loader::load_several of run metadata. The store is the same whatever the split.
Result<void> LoadRuns(std::span<const FileToLoad> files, const RunSplit& split, StoreBuilder& store,
                      Context& context);

}  // namespace tfprof
