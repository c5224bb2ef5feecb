// SPDX-License-Identifier: Apache-2.0
#include "loaders/opened.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include "loaders/checkpoint.h"
#include "loaders/detect.h"
#include "loaders/run_folder.h"
#include "loaders/text_file.h"

namespace tfprof {
namespace {

bool Exists(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0;
}

// A checkpoint is named by its prefix, which is no file.
std::string FileOf(const Input& input) {
  if (input.format == "checkpoint") return CheckpointIndexPath(input.path);
  const bool prefix = input.format.empty() && input.path != "-" && !Exists(input.path) &&
                      Exists(input.path + ".index");
  return prefix ? CheckpointIndexPath(input.path) : input.path;
}

std::string FormatNames() {
  std::string names;
  for (const Loader& loader : Loaders()) {
    if (!names.empty()) names += ", ";
    names += loader.name;
  }
  return names;
}

// "graph" is either form of a GraphDef.
Result<const Loader*> NamedLoader(const Opened& opened) {
  std::string_view format = opened.input.format;
  if (format == "graph")
    format = LooksLikeTextFile(opened.file.bytes) ? "graphdef-text" : "graphdef";
  if (format == "graphdef-text" && opened.file.bytes.empty()) format = "graphdef";
  const Loader* loader = FindLoader(format);
  if (loader != nullptr) return loader;
  return Fail(ErrorKind::usage, fmt::format("no format is named '{}'", format), {},
              fmt::format("the formats are {}", FormatNames()));
}

Result<void> Refuse(const Loader& wanted, const Loader& found) {
  const std::string_view flag = FormatFlag(found.name);
  return Fail(
      ErrorKind::corrupt,
      fmt::format("the file is {}, not {}", FormatNoun(found.name), FormatNoun(wanted.name)), {},
      flag.empty() ? std::string("open it as a FILE, without a flag")
                   : fmt::format("use {}", flag));
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
  const Loader* other = bytes.empty() ? nullptr : SurelyOther(*opened.loader, bytes);
  return other == nullptr ? Result<void>{} : Refuse(*opened.loader, *other);
}

bool IsFolder(const std::string& path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

Result<Opened> OpenOne(const Input& input, Context& context) {
  const std::string path = FileOf(input);
  Result<SourceFile> file = OpenSource(path, context);
  if (!file) return Named(std::move(file).error(), path);
  Opened opened{input, std::move(*file)};
  TFPROF_TRY(Guarded(opened.file, [&] { return ChooseLoader(opened); }));
  return opened;
}

// Opens the files of a folder: all, or those of them that are run metadata.
Result<void> OpenFolder(const Input& folder, StoreBuilder& store, Context& context,
                        std::vector<Opened>* all) {
  TFPROF_ASSIGN(const FolderFiles found, FilesOf(folder.path, folder.run));
  const size_t before = all->size();
  for (const std::string& path : found.files) {
    TFPROF_TRY(Poll(context));
    Input input = folder;
    input.path = path;
    Result<Opened> opened = OpenOne(input, context);
    if (!opened && opened.error().kind == ErrorKind::cancelled) {
      return Failure(std::move(opened).error());
    }
    if (found.only_runs && (!opened || opened->loader->name != "run_metadata")) {
      store.AddNote("files of folders that are no run metadata, or cannot be read: left out", path);
    } else if (opened) {
      all->push_back(std::move(*opened));
    } else if (context.limits.partial) {
      store.AddNote("files of folders that cannot be read: left out", path);
    } else {
      Error error = std::move(opened).error();
      if (error.hint.empty() && found.files.size() > 1) error.hint = "--partial leaves it out";
      return Failure(std::move(error));
    }
  }
  if (all->size() > before) return {};
  return Fail(ErrorKind::unreadable, "is a directory without profiles", folder.path,
              "a directory stands for its traces, its SavedModel or its run metadata");
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

Result<std::vector<Opened>> OpenAll(const std::vector<Input>& inputs, StoreBuilder& store,
                                    Context& context) {
  std::vector<Opened> all;
  for (const Input& input : inputs) {
    // A checkpoint is named by its prefix, which may be the name of a folder, too.
    const bool may_be_folder = !input.empty_is_message && input.format != "checkpoint";
    if (may_be_folder && IsFolder(input.path)) {
      TFPROF_TRY(OpenFolder(input, store, context, &all));
      continue;
    }
    TFPROF_ASSIGN(Opened opened, OpenOne(input, context));
    all.push_back(std::move(opened));
  }
  return all;
}

}  // namespace tfprof
