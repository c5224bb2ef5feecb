// SPDX-License-Identifier: Apache-2.0
#include "loaders/open.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/inputs/folder_choice.h"
#include "loaders/inputs/manifest.h"
#include "loaders/inputs/opened.h"
#include "loaders/merge/unrelated_runs.h"

namespace tfprof {
namespace {

bool SameFile(const SourceFile& a, const SourceFile& b) {
  struct stat of_a, of_b;
  if (stat(a.path.c_str(), &of_a) == 0 && stat(b.path.c_str(), &of_b) == 0 &&
      of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino) {
    return true;
  }
  return a.bytes.size() == b.bytes.size() &&
         std::memcmp(a.bytes.data(), b.bytes.data(), a.bytes.size()) == 0;
}

// Reads a file once if it is given twice, even under another name. Not applied under the original's
// path flags: there each run counts as a step, whatever its content.
Result<void> DropDuplicates(OpenedFiles* opened) {
  std::vector<Opened>& all = opened->files;
  for (size_t i = 0; i < all.size(); ++i) {
    const SourceFile& file = all[i].file;
    bool duplicate = false;
    TFPROF_TRY(Guarded(file, [&]() -> Result<void> {
      for (size_t before = 0; before < i && !duplicate; ++before) {
        const Opened& other = all[before];
        if (all[i].loader->name_has_facts && other.file.path != file.path) continue;
        duplicate = !other.input.empty_is_message && !all[i].input.empty_is_message &&
                    SameFile(file, other.file);
      }
      return {};
    }));
    if (!duplicate) continue;
    opened->notes.push_back({note::files_given_twice, file.path});
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(i--));
  }
  return {};
}

// Checks that a whole profile is opened alone, except for a checkpoint with the values of its
// variables.
Result<void> CheckTogether(const std::vector<Opened>& all) {
  const Opened* whole = nullptr;
  for (const Opened& opened : all) {
    if (opened.loader->role != MergeRole::whole) continue;
    if (whole != nullptr && whole->loader == opened.loader) continue;
    if (whole != nullptr) {
      return Fail(
          ErrorKind::usage,
          fmt::format("{} and {} are both whole profiles", whole->file.path, opened.file.path), {},
          "open one at a time");
    }
    whole = &opened;
  }
  if (whole == nullptr) return {};
  for (const Opened& opened : all) {
    if (opened.loader == whole->loader || opened.loader->role == MergeRole::extra) continue;
    return Fail(
        ErrorKind::usage,
        fmt::format("{} is a whole profile and cannot be combined with other files, but {} is {}",
                    whole->file.path, opened.file.path, opened.loader->noun));
  }
  return {};
}

// Sorts by precedence: see StoreBuilder.
void Sort(std::vector<Opened>* all) {
  const auto rank = [](const Opened& opened) {
    return opened.loader->role == MergeRole::whole ? -1 : opened.loader->order;
  };
  StableSort(*all, [&](const Opened& a, const Opened& b) { return rank(a) < rank(b); });
}

// Hosts of the files of one format, read only where they matter.
struct Hosts {
  std::vector<std::set<std::string>> of_file;  // by index in `all`; empty: not read, or none
  std::set<std::string> all;
};

Result<Hosts> FindHosts(const std::vector<Opened>& all) {
  Hosts hosts{std::vector<std::set<std::string>>(all.size()), {}};
  for (size_t i = 0; i < all.size(); ++i) {
    const Opened& opened = all[i];
    const auto alike = std::count_if(
        all.begin(), all.end(), [&](const Opened& other) { return other.loader == opened.loader; });
    // Under path flags every file is a step.
    if (opened.input.empty_is_message || alike < 2 || opened.loader->hosts == nullptr) continue;
    TFPROF_TRY(Guarded(opened.file, [&]() -> Result<void> {
      hosts.of_file[i] = opened.loader->hosts(opened.file.bytes);
      return {};
    }));
    hosts.all.insert(hosts.of_file[i].begin(), hosts.of_file[i].end());
  }
  return hosts;
}

// Returns the next step number. Files of run records are the steps of their host; a file of several
// hosts, or without records, is a step of each of them.
int64_t NextStep(std::set<std::string> hosts, std::map<std::string, int64_t>* next_of_host) {
  if (hosts.empty()) hosts.insert("");
  int64_t step = 0;
  for (const std::string& host : hosts) step = std::max(step, (*next_of_host)[host]);
  for (const std::string& host : hosts) (*next_of_host)[host] = step + 1;
  return step;
}

Result<std::vector<FileToLoad>> ArgumentsOf(const std::vector<Opened>& all, EventsRead read) {
  TFPROF_ASSIGN(const Hosts hosts, FindHosts(all));
  std::map<std::string, int64_t> next_of_host;
  std::vector<FileToLoad> files;
  for (size_t i = 0; i < all.size(); ++i) {
    const Opened& opened = all[i];
    LoadArguments arguments;
    arguments.read = read;
    arguments.check_overlap = arguments.notes_types = !opened.input.empty_is_message;
    if (opened.loader->role == MergeRole::step) {
      const std::set<std::string>& of = hosts.of_file[i].empty() ? hosts.all : hosts.of_file[i];
      arguments.step = opened.input.step >= 0 ? opened.input.step : NextStep(of, &next_of_host);
    }
    if (hosts.all.size() > 1 && hosts.of_file[i].size() == 1) {
      arguments.host = *hosts.of_file[i].begin();
    }
    files.push_back({opened.file, std::move(arguments)});
  }
  return files;
}

Result<void> LoadOne(const Loader& loader, const FileToLoad& to_load, StoreBuilder& store,
                     Context& context) {
  const SourceFile& file = to_load.file;
  TFPROF_TRY(Guarded(file, [&] { return loader.load(file, to_load.arguments, store, context); }));
  NoteDamage(file, store);
  return {};
}

Result<void> LoadAll(const std::vector<Opened>& all, EventsRead read, StoreBuilder& store,
                     Context& context) {
  TFPROF_ASSIGN(const std::vector<FileToLoad> files, ArgumentsOf(all, read));
  uint64_t total_bytes = 0, done_bytes = 0;
  for (const FileToLoad& file : files) total_bytes += file.file.bytes.size();
  context.total_bytes.store(total_bytes, std::memory_order_relaxed);
  for (size_t i = 0; i < all.size();) {
    const Loader& loader = *all[i].loader;
    const size_t first = i++;
    if (loader.load_several != nullptr) {
      while (i < all.size() && all[i].loader == &loader) ++i;
      TFPROF_TRY(loader.load_several(std::span(files).subspan(first, i - first), store, context));
    } else {
      TFPROF_TRY(LoadOne(loader, files[first], store, context));
    }
    for (size_t done = first; done < i; ++done) done_bytes += files[done].file.bytes.size();
    context.done_bytes.store(done_bytes, std::memory_order_relaxed);
  }
  return {};
}

Result<StorePtr> LoadOpened(const OpenedFiles& opened, EventsRead read, Context& context) {
  StoreBuilder store;
  for (const FileNote& file : opened.notes) store.AddNote(file.what, file.place);
  TFPROF_TRY(LoadAll(opened.files, read, store, context));
  if (opened.manifest) {
    AddCapture(*opened.manifest, store);
  } else {
    TFPROF_TRY(NoteUnrelatedRuns(opened.files, store));
  }
  return store.Finish();
}

}  // namespace

std::vector<std::vector<Input>> JobsOf(const std::vector<Input>& inputs) {
  std::vector<std::vector<Input>> jobs;
  std::optional<size_t> others;  // in `jobs`: the inputs that are no captures
  for (const Input& input : inputs) {
    const bool is_capture = !input.empty_is_message && input.bytes == nullptr &&
                            input.run.empty() && IsCapture(input.path);
    if (!is_capture && others) {
      jobs[*others].push_back(input);
      continue;
    }
    if (!is_capture) others = jobs.size();
    jobs.push_back({input});
  }
  return jobs;
}

Result<StorePtr> Load(const std::vector<Input>& inputs, Context& context, EventsRead read) {
  if (inputs.empty()) return Fail(ErrorKind::usage, "no file to open");
  TFPROF_ASSIGN(OpenedFiles opened, OpenAll(inputs, context));
  TFPROF_TRY(DropDuplicates(&opened));
  TFPROF_TRY(CheckTogether(opened.files));
  Sort(&opened.files);
  Result<StorePtr> loaded = LoadOpened(opened, read, context);
  // A folder may hold the graph of another program beside its runs.
  const bool unrelated = !loaded && loaded.error().kind == ErrorKind::usage;
  if (!unrelated || !LeaveOutBeside(&opened)) return loaded;
  return LoadOpened(opened, read, context);
}

Result<void> GrowingStore::Add(const std::vector<Input>& inputs, Context& context) {
  GrowingStore grown = std::exchange(*this, {});
  TFPROF_ASSIGN(OpenedFiles opened, OpenAll(inputs, context));
  TFPROF_TRY(CheckTogether(opened.files));
  Sort(&opened.files);
  TFPROF_TRY(LoadAll(opened.files, {}, grown.store_, context));
  Part part{{}, grown.store_.TakeRecords()};
  for (const Input& input : inputs) {
    if (input.step >= 0) part.steps.push_back(input.step);
  }
  grown.parts_.push_back(std::move(part));
  *this = std::move(grown);
  return {};
}

Result<StorePtr> GrowingStore::Finish(std::optional<int64_t> step) const {
  StoreBuilder store = store_.Copy();
  for (const Part& part : parts_) {
    if (!step || !part.IsOfOthers(*step)) store.AddRecords(part.records);
  }
  return store.Finish();
}

bool GrowingStore::IsApart(int64_t step) const {
  return std::ranges::any_of(parts_, [&](const Part& part) { return part.Has(step); }) &&
         std::ranges::any_of(parts_, [&](const Part& part) { return part.IsOfOthers(step); });
}

}  // namespace tfprof
