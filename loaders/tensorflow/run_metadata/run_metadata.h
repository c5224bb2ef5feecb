// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loaders/loader.h"

namespace tfprof {

// How run metadata is read: one file in parts of about this many bytes; several files with one
// thread each. The rows of whole files are buffered until they are stored, so the files read
// together are enough to occupy every thread but not more than `max_bytes`.
struct RunSplit {
  size_t threads = 1;
  size_t part_bytes = size_t{64} << 10;
  size_t enough_bytes = size_t{8} << 20;
  size_t max_bytes = size_t{256} << 20;
};

// Loader::load_several of run metadata. The store does not depend on the split.
Result<void> LoadRuns(std::span<const FileToLoad> files, const RunSplit& split, StoreBuilder& store,
                      Context& context);

}  // namespace tfprof
