// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "loaders/loader.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

bool Before(const std::string& a, const std::string& b) {
  const int order = strverscmp(a.c_str(), b.c_str());
  return order != 0 ? order < 0 : a < b;
}

bool IsTrace(const std::string& name) {
  for (const Loader& loader : Loaders()) {
    const auto ends = [&](std::string_view ending) { return name.ends_with(ending); };
    if (std::any_of(loader.endings.begin(), loader.endings.end(), ends)) return true;
  }
  return false;
}

// Returns the names in a folder that `wanted` accepts, in natural order; none if the folder cannot
// be read.
template <class IsWanted>
std::vector<std::string> List(const fs::path& folder, IsWanted wanted) {
  std::vector<std::string> names;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    if (wanted(*at)) names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end(), Before);
  return names;
}

// Returns traces by name alone. A trace that is not a regular file, such as a dangling link,
// belongs to a host, too; skipping it would make sums wrong.
std::vector<std::string> TracesIn(const fs::path& folder) {
  std::vector<std::string> traces = List(folder, [](const fs::directory_entry& entry) {
    return IsTrace(entry.path().filename().string());
  });
  for (std::string& trace : traces) trace = (folder / trace).string();
  return traces;
}

std::vector<std::string> RunsIn(const fs::path& folder) {
  return List(folder, [](const fs::directory_entry& entry) {
    std::error_code failed;
    return entry.is_directory(failed) && !TracesIn(entry.path()).empty();
  });
}

// Skips hidden files, whose names begin with a dot. Skips non-regular files, which could block on a
// writer, and files without a size, such as those of /proc, which could block as well.
std::vector<std::string> RegularFilesIn(const fs::path& folder) {
  return List(folder, [](const fs::directory_entry& entry) {
    std::error_code failed;
    return entry.path().filename().string()[0] != '.' && entry.is_regular_file(failed) &&
           entry.file_size(failed) > 0 && !failed;
  });
}

// Returns the one file of a SavedModel, binary before text; empty: the folder is not a SavedModel.
std::string SavedModelIn(const fs::path& folder) {
  std::error_code failed;
  for (const Loader& loader : Loaders()) {
    if (loader.name_in_folder.empty()) continue;
    const fs::path file = folder / loader.name_in_folder;
    if (fs::is_regular_file(file, failed)) return file.string();
  }
  return {};
}

fs::path WithoutSlash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
}

Failure NoRun(const std::string& folder, const std::string& run,
              const std::vector<std::string>& runs) {
  return Fail(ErrorKind::unreadable, "has no run '" + run + "'", folder,
              runs.empty() ? "" : fmt::format("runs: {}", fmt::join(runs, " ")));
}

}  // namespace

Result<std::vector<std::string>> TracesOf(const std::string& folder, const std::string& run) {
  if (run.empty()) {
    std::vector<std::string> traces = TracesIn(folder);
    if (!traces.empty()) return traces;
  }
  const fs::path path = WithoutSlash(folder);
  for (const fs::path& root : {path / "plugins" / "profile", path / "profile", path}) {
    if (root.filename() != "profile") continue;
    const std::vector<std::string> runs = RunsIn(root);
    if (runs.empty()) continue;
    if (run.empty()) return TracesIn(root / runs.back());
    if (std::find(runs.begin(), runs.end(), run) == runs.end()) return NoRun(folder, run, runs);
    return TracesIn(root / run);
  }
  if (!run.empty()) return NoRun(folder, run, {});
  return std::vector<std::string>();
}

Result<FolderFiles> FilesOf(const std::string& folder, const std::string& run) {
  FolderFiles found;
  TFPROF_ASSIGN(found.files, TracesOf(folder, run));
  if (!found.files.empty()) return found;
  if (std::string model = SavedModelIn(folder); !model.empty()) {
    found.files.push_back(std::move(model));
    return found;
  }
  found.files = RegularFilesIn(folder);
  for (std::string& file : found.files) file = (fs::path(folder) / file).string();
  found.by_content = true;
  return found;
}

bool LooksLikeProfile(const std::string& folder) {
  const Result<std::vector<std::string>> traces = TracesOf(folder, {});
  if (traces && !traces->empty()) return true;
  if (!SavedModelIn(folder).empty()) return true;
  for (const std::string& name : RegularFilesIn(folder)) {
    for (const Loader& loader : Loaders()) {
      if (!loader.name_begins.empty() && name.starts_with(loader.name_begins)) return true;
    }
  }
  return false;
}

}  // namespace tfprof
