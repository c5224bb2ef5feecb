// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/opened.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include "core/base/parallel.h"
#include "core/store/note_catalogue.h"
#include "loaders/detect/detect.h"
#include "loaders/inputs/folder_choice.h"
#include "loaders/inputs/ranks.h"
#include "loaders/inputs/run_folder.h"

namespace tfprof {
namespace {

// Returns the loader of the input's format; null: the user gave none, or it does not exist.
const Loader* RequestedLoader(const Input& input, bool is_text) {
  const Loader* named = FindLoader(input.format);
  return named != nullptr || !input.empty_is_message ? named : LoaderOfFlag(input.format, is_text);
}

// Returns true if files of the given format have another name than the input, like a checkpoint
// opened by its prefix.
bool HasOtherName(const Input& input) {
  const Loader* loader = RequestedLoader(input, false);
  return loader != nullptr && loader->file_of != nullptr;
}

std::string FileOf(const Input& input) {
  if (input.bytes != nullptr) return input.path;
  if (HasOtherName(input)) return RequestedLoader(input, false)->file_of(input.path);
  if (!input.format.empty() || input.path == "-" || Exists(input.path)) return input.path;
  for (const Loader& loader : Loaders()) {
    if (loader.file_of != nullptr && Exists(loader.file_of(input.path))) {
      return loader.file_of(input.path);
    }
  }
  return input.path;
}

Result<const Loader*> NamedLoader(const Opened& opened) {
  const std::string_view bytes = opened.file.bytes;
  const Loader* loader = RequestedLoader(opened.input, !bytes.empty() && LooksLikeTextFile(bytes));
  if (loader != nullptr) return loader;
  std::vector<std::string_view> names;
  for (const Loader& known : Loaders()) names.push_back(known.name);
  return Fail(ErrorKind::usage, fmt::format("no format named '{}'", opened.input.format), {},
              fmt::format("the formats are {}", fmt::join(names, ", ")));
}

Result<void> Refuse(const Loader& wanted, const Loader& found) {
  return Fail(ErrorKind::corrupt, fmt::format("the file is {}, not {}", found.noun, wanted.noun),
              {},
              found.flag.empty() ? std::string("open it as a FILE, without a flag")
                                 : fmt::format("use {}", found.flag));
}

Result<void> ChooseLoader(Opened& opened) {
  const std::string_view bytes = opened.file.bytes;
  if (bytes.empty() && !opened.input.empty_is_message) {
    return Fail(ErrorKind::corrupt, "the file is empty");
  }
  if (opened.input.format.empty()) {
    TFPROF_ASSIGN(const std::string format, DetectFormat(bytes, opened.file.path));
    opened.loader = FindLoader(format);
    return {};
  }
  TFPROF_ASSIGN(opened.loader, NamedLoader(opened));
  const Loader* other = bytes.empty() ? nullptr : CertainOther(*opened.loader, bytes);
  return other == nullptr ? Result<void>{} : Refuse(*opened.loader, *other);
}

bool IsFolder(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

// Refuses pipes that the user did not name: opening one could block forever.
Result<void> RefusePipe(const std::string& path) {
  struct stat status;
  if (stat(path.c_str(), &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode)) {
    return {};
  }
  return Fail(ErrorKind::unreadable, "is not a regular file", path);
}

Result<Opened> OpenOne(const Input& input, bool in_folder, Context& context) {
  const std::string path = FileOf(input);
  if (in_folder) TFPROF_TRY(RefusePipe(path));
  Result<SourceFile> file =
      input.bytes != nullptr
          ? SourceOf(path, *input.bytes, context)
          : OpenSource(path, context, {.format_is_known = !input.format.empty()});
  if (!file) return Named(std::move(file).error(), path);
  Opened opened{input, std::move(*file)};
  TFPROF_TRY(Guarded(opened.file, [&] { return ChooseLoader(opened); }));
  return opened;
}

// The files of one input.
struct Group {
  std::string folder;       // empty: the input is a file
  bool by_content = false;  // of a folder: other files are left out
  size_t first = 0;         // in Wanted::files
  size_t count = 0;
};

struct RequestedFiles {
  std::vector<Input> files;
  std::vector<bool> in_folder = {};  // by file: it was found in a folder
  std::vector<Group> groups;
  std::vector<FileNote> notes = {};
  std::optional<Manifest> manifest = {};
  std::optional<Error> error;  // of the input after the last group
};

// A capture is a whole job: its processes are those that its manifest names.
Error SeveralJobs(const std::string& folder) {
  return Error(ErrorKind::usage, "is a job of its own: nothing of different jobs is added up",
               folder, "open it alone; `jobs` shows several side by side");
}

RequestedFiles RequestedFilesOf(const std::vector<Input>& inputs) {
  RequestedFiles wanted;
  for (const Input& input : inputs) {
    Group group{"", false, wanted.files.size(), 1};
    // The prefix of a checkpoint may also be the name of a folder.
    const bool may_be_folder =
        !input.empty_is_message && input.bytes == nullptr && !HasOtherName(input);
    if (!may_be_folder || !IsFolder(input.path)) {
      wanted.files.push_back(input);
      wanted.in_folder.push_back(false);
      wanted.groups.push_back(std::move(group));
      continue;
    }
    Result<FolderFiles> found = FilesOf(input.path, input.run);
    if (!found) {
      wanted.error = std::move(found).error();
      return wanted;
    }
    group = {input.path, found->by_content, group.first, found->files.size()};
    std::ranges::move(found->notes, std::back_inserter(wanted.notes));
    if (found->manifest && inputs.size() > 1) {
      wanted.error = SeveralJobs(input.path);
      return wanted;
    }
    wanted.manifest = std::move(found->manifest);
    for (std::string& path : found->files) {
      wanted.files.push_back(input);
      wanted.files.back().path = std::move(path);
      wanted.in_folder.push_back(true);
    }
    wanted.groups.push_back(std::move(group));
  }
  return wanted;
}

// Returns the size on disk. Standard input has no known size; the calling thread reads it.
size_t BytesOf(const std::vector<Input>& files) {
  size_t bytes = 0;
  for (const Input& file : files) {
    struct stat status;
    if (file.path == "-") return 0;
    if (file.bytes != nullptr) bytes += file.bytes->size();
    if (file.bytes != nullptr) continue;
    if (stat(file.path.c_str(), &status) == 0) bytes += static_cast<size_t>(status.st_size);
  }
  return bytes;
}

// The rank of a file, by its content, else by its name; kNoInt: unknown.
int64_t RankOf(const Opened& opened) {
  int64_t rank = kNoInt;
  if (opened.loader != nullptr && opened.loader->rank != nullptr) {
    const Result<void> read = Guarded(opened.file, [&]() -> Result<void> {
      rank = opened.loader->rank(opened.file.bytes);
      return {};
    });
    if (!read) return kNoInt;  // loading it will fail
  }
  return rank != kNoInt ? rank : RankInName(opened.file.path);
}

// A file that cannot be opened has the rank of its name.
void LeaveOutOtherRanks(const Input& input, Result<Opened>* opened) {
  if (input.ranks.empty()) return;
  if (!*opened && (*opened).error().kind == ErrorKind::cancelled) return;
  const int64_t rank = *opened ? RankOf(**opened) : RankInName(input.path);
  if (TakesRank(input.ranks, rank) || (!*opened && rank == kNoInt)) return;
  if (!*opened) *opened = Opened{input, {}};
  (*opened)->has_other_rank = true;
  (*opened)->file = {};  // the memory is bounded
}

// Opens each file, or returns why it cannot be opened. Opening a compressed file inflates it, so
// several are opened in parallel. Error: cancelled.
Result<std::vector<Result<Opened>>> OpenFiles(const RequestedFiles& wanted, Context& context) {
  const std::vector<Input>& files = wanted.files;
  std::vector<Result<Opened>> opened(files.size());
  Context beside;  // for the other threads: cancelling by count relies on the count of one context
  beside.stop = context.stop;
  beside.limits = context.limits;
  const auto caller = std::this_thread::get_id();
  TFPROF_TRY(ForEachTask(files.size(), ThreadsFor(BytesOf(files)), context, [&](size_t i) {
    const bool is_caller = std::this_thread::get_id() == caller;
    opened[i] = OpenOne(files[i], wanted.in_folder[i], is_caller ? context : beside);
    LeaveOutOtherRanks(files[i], &opened[i]);
  }));
  return opened;
}

bool HasOtherRank(const Result<Opened>& file) { return file && file->has_other_rank; }

// Nothing of a folder was kept: none of its files has a selected rank, or none is a profile.
Result<void> NoProfiles(const Group& group, std::span<const Result<Opened>> of_group) {
  if (std::ranges::any_of(of_group, HasOtherRank)) return {};
  return Fail(ErrorKind::unreadable, "no profiles in this directory", group.folder,
              "a directory may hold traces, a SavedModel, run metadata with its graph, profiles or "
              "dumps of XLA");
}

// Collects the files of a folder that are chosen by content.
Result<void> Choose(const Group& group, std::span<Result<Opened>> files,
                    const std::vector<Input>& inputs, OpenedFiles* all) {
  const auto of_group = files.subspan(group.first, group.count);
  for (Result<Opened>& opened : of_group) {
    if (!opened && opened.error().kind == ErrorKind::cancelled) {
      return Failure(std::move(opened).error());
    }
  }
  const size_t before = all->files.size();
  const std::vector<FolderFile> chosen = ChooseFolderFiles(of_group);
  for (size_t i = 0; i < chosen.size(); ++i) {
    const std::string& path = inputs[group.first + i].path;
    if (of_group[i] && of_group[i]->has_other_rank) continue;
    if (chosen[i] == FolderFile::left_out) {
      all->notes.push_back({note::other_files_of_folders, path});
    } else if (chosen[i] == FolderFile::other_profile) {
      all->notes.push_back({note::other_profiles_of_folders, path});
    } else {
      all->files.push_back(std::move(*of_group[i]));
      all->files.back().beside_runs = chosen[i] == FolderFile::read_beside;
    }
  }
  return all->files.size() > before ? Result<void>{} : NoProfiles(group, of_group);
}

// Collects the files of a group that are kept.
Result<void> Collect(const Group& group, std::span<Result<Opened>> files,
                     const std::vector<Input>& inputs, Context& context, OpenedFiles* all) {
  if (group.by_content) return Choose(group, files, inputs, all);
  const size_t before = all->files.size();
  for (size_t i = group.first; i < group.first + group.count; ++i) {
    Result<Opened>& opened = files[i];
    if (opened && opened->has_other_rank) continue;
    if (opened) {
      all->files.push_back(std::move(*opened));
    } else if (context.limits.partial && !group.folder.empty() &&
               opened.error().kind != ErrorKind::cancelled) {
      all->notes.push_back({note::unreadable_files_of_folders, inputs[i].path});
    } else {
      Error error = std::move(opened).error();
      const bool helps =
          error.remedy != Remedy::none || !error.hint.empty() || error.kind == ErrorKind::cancelled;
      if (!helps && group.count > 1) error.remedy = Remedy::leave_out;
      return Failure(std::move(error));
    }
  }
  const bool has_any = group.folder.empty() || all->files.size() > before;
  return has_any ? Result<void>{} : NoProfiles(group, files.subspan(group.first, group.count));
}

// Checks that -ranks selects a file.
Result<void> CheckRanks(const std::vector<Input>& inputs, const RequestedFiles& wanted,
                        std::span<const Result<Opened>> files) {
  if (files.empty() || !std::ranges::all_of(files, HasOtherRank)) return {};
  if (wanted.error) return Failure(*wanted.error);
  return Fail(ErrorKind::usage, "no file is of a rank that --ranks selects", inputs.front().path,
              "ranks are recorded in traces of PyTorch, or part of the names of files: rank3.json");
}

}  // namespace

Failure Named(Error error, const std::string& path) {
  if (error.where.empty()) {
    error.where = path;
  } else if (error.where.find(path) == error.where.npos) {
    error.where = path + ": " + error.where;
  }
  return Failure(std::move(error));
}

Result<OpenedFiles> OpenAll(const std::vector<Input>& inputs, Context& context) {
  RequestedFiles wanted = RequestedFilesOf(inputs);
  TFPROF_ASSIGN(std::vector<Result<Opened>> files, OpenFiles(wanted, context));
  TFPROF_TRY(CheckRanks(inputs, wanted, files));
  OpenedFiles all{{}, std::move(wanted.notes), std::move(wanted.manifest)};
  for (const Group& group : wanted.groups) {
    TFPROF_TRY(Collect(group, files, wanted.files, context, &all));
  }
  if (wanted.error) return Failure(std::move(*wanted.error));
  LeaveOutRepeated(&all);
  return all;
}

}  // namespace tfprof
