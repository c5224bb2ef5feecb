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

// Facts beside the bytes that only the command line has.
struct LoadArguments {
  int64_t step = 0;  // of a run record file: its index among the files of its host, 0, 1, 2 ...
  // Not empty: files of several hosts are opened together, and this file is of that host alone.
  // Devices whose text names no host get it, so that they are not merged with devices of another
  // file.
  std::string host = {};
  // Refuses a file that shares nothing with the files before it. Unset under the original's path
  // flags, which accept any files.
  bool check_overlap = false;
  // Notes nodes whose name is their type, as there is no graph. Unset under the original's path
  // flags, by whose rules it is so.
  bool notes_types = false;
  // The events that the query needs. A loader that always reads all events may ignore it; a loader
  // that reads fewer records that in the store.
  EventsRead read = {};
};

struct FileToLoad {
  const SourceFile& file;
  LoadArguments arguments;
};

// Time and machine of a recording; times in ns of the epoch. The text points into the file.
struct Recorded {
  std::string_view machine = {};  // empty: not recorded
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// How files of a format combine with other files into one store.
enum class MergeRole : uint8_t {
  part,   // part of a profile; parts load in the order of Loader::order
  step,   // a part that is one step of the hosts in it
  extra,  // a part that may also go with a whole profile
  whole,  // a store of its own, or one host of several files of its format
};

// One input format. A loader only translates: it never aggregates, prints or keeps state, so every
// view sees the same facts for any format.
struct Loader {
  std::string_view name;     // the value of -as
  std::string_view noun;     // in messages: "a GraphDef"
  std::string_view flag;     // the original's path flag; empty: none
  std::string_view summary;  // one line for `help formats`
  // Load order of several files that make one store: smaller first (graph, op log, checkpoint,
  // runs).
  int order;
  MergeRole role = MergeRole::part;
  bool is_text = false;  // another format with this flag is the binary form

  // Returns how certain it is that `bytes` have this format, 0 to 100; 0: impossible. Receives the
  // whole file and examines a bounded part. Never fails, never reads outside of `bytes`.
  int (*score)(std::string_view bytes);

  // Translates all of `file` into `store`. On error the store is discarded. A malformed record is
  // skipped and counted in a note.
  Result<void> (*load)(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                       Context& context);

  // Loads several files in order, each guarded against shrinking (Guarded) and followed by
  // NoteDamage. An error names its file. Null: loading them together is not faster.
  Result<void> (*load_several)(std::span<const FileToLoad> files, StoreBuilder& store,
                               Context& context) = nullptr;

  // Returns the hosts whose work is in a file. Null: the format has no hosts, or they do not
  // matter. REQUIRES: Guarded.
  std::set<std::string> (*hosts)(std::string_view bytes) = nullptr;

  // Returns the file for `path`, where the user does not name the file itself. Null: `path` is the
  // file.
  std::string (*file_of)(const std::string& path) = nullptr;

  // Files of a folder that belong to this format: those with one of these endings, else the first
  // of these names that exists. A folder whose file names begin with these prefixes looks like a
  // folder of profiles.
  std::span<const std::string_view> endings = {};
  std::string_view name_in_folder = {};
  std::string_view name_begins = {};

  // Files of a folder without traces belong to this format by their content.
  bool found_by_content = false;
  // Programs draw other profiles in this format: in a folder with run metadata or a profile, its
  // files are skipped.
  bool draws_profiles = false;
  // Two files of equal content are not the same: their names have further facts.
  bool name_has_facts = false;

  // Returns the files next to `path` that are read later, when a query needs their values. Null:
  // none.
  std::vector<std::string> (*beside)(const std::string& path) = nullptr;

  // Returns the time and machine of the recording, if the file has them. Null: the format never has
  // them. REQUIRES: Guarded.
  std::optional<Recorded> (*recorded)(std::string_view bytes) = nullptr;

  // Returns the rank of the process among those of its job, if the file records it, else kNoInt.
  // Null: the format never does. REQUIRES: Guarded.
  int64_t (*rank)(std::string_view bytes) = nullptr;

  // True if the file is an answer of this program, which a later answer may replace. Null: it
  // writes no answers in this format. REQUIRES: Guarded.
  bool (*is_answer)(std::string_view bytes) = nullptr;
};

// Returns every loader, in the order of `help formats`.
std::span<const Loader> Loaders();
const Loader* FindLoader(std::string_view name);
// Returns the loader of the original's path flag `flag`, in text or binary form; null: unknown
// flag.
const Loader* LoaderOfFlag(std::string_view flag, bool is_text);

}  // namespace tfprof
