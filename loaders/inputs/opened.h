// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"
#include "loaders/open.h"

namespace tfprof {

// An input with its bytes and, once it is known, its format.
struct Opened {
  Input input;
  SourceFile file;
  const Loader* loader = nullptr;
};

// Opens `inputs` and tells the format of each. A folder stands for its files (FilesOf), but under
// path flags it is no file, as in the original; what is left out of it is a note in `store`.
// Errors: as those of Load in open.h.
Result<std::vector<Opened>> OpenAll(const std::vector<Input>& inputs, StoreBuilder& store,
                                    Context& context);

// `error` with the file in its place, if it is not there already.
Failure Named(Error error, const std::string& path);

// Runs `work` where a mapped file that shrinks is an error; the error names the file.
template <class Work>
Result<void> Guarded(const SourceFile& file, Work work) {
  Result<void> done = GuardReads(file, work);
  if (!done) return Named(std::move(done).error(), file.path);
  return {};
}

}  // namespace tfprof
