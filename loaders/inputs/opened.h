// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/store/builder.h"
#include "loaders/inputs/manifest.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"
#include "loaders/open.h"

namespace tfprof {

// An input with its bytes and, once it is known, its format.
struct Opened {
  Input input;
  SourceFile file;
  const Loader* loader = nullptr;
  bool beside_runs = false;     // see FolderFile::read_beside
  bool has_other_rank = false;  // than Input::ranks selects: it is not read
};

struct OpenedFiles {
  std::vector<Opened> files;
  std::vector<FileNote> notes = {};       // files that are not read, and the like
  std::optional<Manifest> manifest = {};  // of the folder that was opened
};

// Opens `inputs` and detects the format of each. A folder is replaced by its files (FilesOf),
// except under path flags: there a folder is not a valid file, as in the original. Errors: those of
// Load in open.h.
Result<OpenedFiles> OpenAll(const std::vector<Input>& inputs, Context& context);

// Sets the file as the place of `error` unless the place has it already.
Failure Named(Error error, const std::string& path);

// Runs `work` such that a mapped file that shrinks is an error with the file's name.
template <class Work>
Result<void> Guarded(const SourceFile& file, Work work) {
  Result<void> done = GuardReads(file, work);
  if (!done) return Named(std::move(done).error(), file.path);
  return {};
}

}  // namespace tfprof
