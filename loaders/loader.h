// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// Beside the bytes: what only the command line knows.
struct LoadArguments {
  int64_t step = 0;  // of a run record file: its place among those of its host, 0, 1, 2 ...
  // Not empty: files of several hosts are opened together and this one is of that host alone.
  // Devices whose text names no host get it, or they would be those of another file.
  std::string host = {};
  // A file that shares nothing with those before it is refused. Not under the original's path
  // flags, which take what they are given.
  bool check_overlap = false;
  // What is asked of the events. A loader that reads no less than all may ignore it; one that does
  // says so in the store.
  EventsRead read = {};
};

struct FileToLoad {
  const SourceFile& file;
  LoadArguments arguments;
};

// When and where a file was recorded, in ns of the epoch. The text lies in the file.
struct Recorded {
  std::string_view machine = {};  // empty: it does not say
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// How the files of a format make one store with others.
enum class MergeRole : uint8_t {
  part,   // of a profile, with other parts in the order of Loader::order
  step,   // a part that is a step of the hosts that it tells of
  extra,  // a part that goes with a whole profile, too
  whole,  // a store alone, or together with files of its format: one per host
};

// One input format. A loader only translates: it never aggregates, prints or keeps state, so
// every view sees the same facts whatever file they came from.
struct Loader {
  std::string_view name;     // what the user types after -as
  std::string_view noun;     // in messages: "a GraphDef"
  std::string_view flag;     // the original's path flag for it; empty: it has none
  std::string_view summary;  // one line for `help formats`
  // When several files make one store: smaller first (graph, op log, checkpoint, runs).
  int order;
  MergeRole role = MergeRole::part;
  bool is_text = false;  // another format with this flag is the same in binary form

  // How surely `bytes` (all of the file; look at a bounded part) is this format, 0 to 100. 0:
  // cannot be. Never fails, never reads out of `bytes`.
  int (*score)(std::string_view bytes);

  // Translates all of `file` into `store`. On error the store is discarded; a malformed record
  // alone is counted in a note and skipped.
  Result<void> (*load)(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                       Context& context);

  // The same for files one after the other, each guarded against shrinking (Guarded) and followed
  // by TellDamage; an error names its file. Null: there is nothing to gain over one by one.
  Result<void> (*load_several)(std::span<const FileToLoad> files, StoreBuilder& store,
                               Context& context) = nullptr;

  // The hosts whose work a file tells of; null: no file does, or none that matters. REQUIRES:
  // Guarded.
  std::set<std::string> (*hosts)(std::string_view bytes) = nullptr;

  // The file that `path` stands for, where the user does not name the file itself; null: it is.
  std::string (*file_of)(const std::string& path) = nullptr;

  // What a folder stands for: its files with one of these endings, else the first of these names
  // that it has. A folder of files whose names begin so looks like one of profiles.
  std::span<const std::string_view> endings = {};
  std::string_view name_in_folder = {};
  std::string_view name_begins = {};

  // The files next to `path` that are read later, when a question asks for their values; null:
  // none.
  std::vector<std::string> (*beside)(const std::string& path) = nullptr;

  // What a file of this format says of that; none: nothing. Null: none does. REQUIRES: Guarded.
  std::optional<Recorded> (*recorded)(std::string_view bytes) = nullptr;
};

// Every loader, in the order of `help formats`.
std::span<const Loader> Loaders();
const Loader* FindLoader(std::string_view name);
// Of the original's path flag `flag`, in text or binary form; null: there is no such flag.
const Loader* LoaderOfFlag(std::string_view flag, bool is_text);

}  // namespace tfprof
