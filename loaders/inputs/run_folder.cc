// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/run_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "core/store/note_catalogue.h"
#include "loaders/loader.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSpools = "spool";

bool Before(const std::string& a, const std::string& b) {
  const int order = strverscmp(a.c_str(), b.c_str());
  return order != 0 ? order < 0 : a < b;
}

fs::path WithoutSlash(const fs::path& path) {
  return path.has_filename() ? path : path.parent_path();
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

// Returns true if a file has a name that shows its format, or the folder is a SavedModel.
bool HasNamedFiles(const fs::path& folder) {
  if (!SavedModelIn(folder).empty()) return true;
  for (const std::string& name : RegularFilesIn(folder)) {
    for (const Loader& loader : Loaders()) {
      if (!loader.name_begins.empty() && name.starts_with(loader.name_begins)) return true;
    }
  }
  return false;
}

// Returns the folders of traces in a folder.
std::vector<fs::path> RunsIn(const fs::path& folder) {
  std::vector<fs::path> runs;
  for (const std::string& name : List(folder, [](const fs::directory_entry& entry) {
         std::error_code failed;
         return entry.is_directory(failed) && !TracesIn(entry.path()).empty();
       })) {
    runs.push_back(folder / name);
  }
  return runs;
}

// Where a log directory has its runs.
constexpr std::string_view kProfiles = "plugins/profile";

// Returns the runs of the log directories some levels below a folder, such as FOLDER/train and
// FOLDER/validation: by name, whatever their directory. Does not follow links.
std::vector<fs::path> RunsBelow(const fs::path& folder) {
  constexpr size_t kLevels = 3, kMaxFolders = 1000;
  std::vector<fs::path> runs, level{folder};
  size_t seen = 0;
  for (size_t depth = 0; depth < kLevels && seen < kMaxFolders; ++depth) {
    std::vector<fs::path> next;
    for (const fs::path& parent : level) {
      for (const std::string& name : List(parent, [](const fs::directory_entry& entry) {
             std::error_code failed;
             return entry.is_directory(failed) && !entry.is_symlink(failed);
           })) {
        if (++seen > kMaxFolders) break;
        const std::vector<fs::path> found = RunsIn(parent / name / kProfiles);
        runs.insert(runs.end(), found.begin(), found.end());
        next.push_back(parent / name);
      }
    }
    level = std::move(next);
  }
  std::stable_sort(runs.begin(), runs.end(), [](const fs::path& a, const fs::path& b) {
    return Before(a.filename().string(), b.filename().string());
  });
  return runs;
}

// Returns the runs of a folder in order of their names.
std::vector<fs::path> RunsOf(const fs::path& folder) {
  const fs::path path = WithoutSlash(folder);
  std::vector<fs::path> runs;
  for (const fs::path& root : {path / kProfiles, path / "profile", path}) {
    if (root.filename() == "profile") runs = RunsIn(root);
    if (!runs.empty()) return runs;
  }
  return HasNamedFiles(folder) ? runs : RunsBelow(path);
}

Failure NoRun(const std::string& folder, const std::string& run,
              const std::vector<fs::path>& runs) {
  std::vector<std::string> names;
  for (const fs::path& of : runs) names.push_back(of.filename().string());
  return Fail(ErrorKind::unreadable, "has no run '" + run + "'", folder,
              names.empty() ? "" : fmt::format("runs: {}", fmt::join(names, " ")));
}

// Opens what a manifest names; traces that it does not name are noted. False: it names no trace
// that is there.
bool TakeManifest(const std::string& folder, std::optional<Manifest> manifest, FolderFiles* found) {
  if (!manifest) return false;
  found->notes = manifest->notes;
  if (manifest->traces.empty()) return false;
  found->files = manifest->traces;
  std::sort(found->files.begin(), found->files.end(), Before);
  const std::set<std::string> named(found->files.begin(), found->files.end());
  for (std::string& trace : TracesIn(folder)) {
    if (named.count(trace) == 0)
      found->notes.push_back({note::traces_without_process, std::move(trace)});
  }
  found->manifest = std::move(manifest);
  return true;
}

Failure NoTraces(const std::string& folder) {
  if (!SpoolsIn(folder).empty()) {
    return Fail(ErrorKind::unreadable, "no traces of this recording yet", folder,
                "tfprof-capture convert " + folder + " makes them, also while it runs");
  }
  return Fail(ErrorKind::unreadable, "no process of this recording has a trace", folder,
              "tfprof-capture doctor shows obstacles");
}

}  // namespace

Result<std::vector<std::string>> TracesOf(const std::string& folder, const std::string& run) {
  if (run.empty()) {
    std::vector<std::string> traces = TracesIn(folder);
    if (!traces.empty()) return traces;
  }
  const std::vector<fs::path> runs = RunsOf(folder);
  if (run.empty()) return runs.empty() ? std::vector<std::string>() : TracesIn(runs.back());
  for (auto of = runs.rbegin(); of != runs.rend(); ++of) {
    if (of->filename() == run) return TracesIn(*of);
  }
  return NoRun(folder, run, runs);
}

std::vector<std::string> RunFoldersOf(const std::string& folder) {
  std::vector<std::string> paths;
  if (!TracesIn(folder).empty()) return paths;
  for (const fs::path& run : RunsOf(folder)) paths.push_back(run.string());
  return paths;
}

Result<FolderFiles> FilesOf(const std::string& folder, const std::string& run) {
  FolderFiles found;
  std::error_code failed;
  if (const fs::path file = fs::path(folder) / run;
      !run.empty() && fs::is_regular_file(file, failed)) {
    found.files.push_back(file.string());
    return found;
  }
  const std::optional<Manifest> manifest = run.empty() ? ReadManifest(folder) : std::nullopt;
  if (TakeManifest(folder, manifest, &found)) return found;
  TFPROF_ASSIGN(found.files, TracesOf(folder, run));
  if (!found.files.empty()) return found;
  const bool is_capture = manifest && !manifest->is_malformed;
  if (run.empty() && (is_capture || !SpoolsIn(folder).empty())) return NoTraces(folder);
  if (std::string model = SavedModelIn(folder); !model.empty()) {
    found.files.push_back(std::move(model));
    return found;
  }
  found.files = RegularFilesIn(folder);
  for (std::string& file : found.files) file = (fs::path(folder) / file).string();
  found.by_content = true;
  return found;
}

std::vector<std::string> SpoolsIn(const std::string& folder) {
  const fs::path spools = fs::path(folder) / kSpools;
  std::vector<std::string> paths = List(
      spools, [](const fs::directory_entry& entry) { return entry.path().extension() == ".tfs"; });
  for (std::string& path : paths) path = (spools / path).string();
  return paths;
}

bool IsSpoolFolder(const std::string& path) { return fs::path(path).filename() == kSpools; }

bool LooksLikeProfile(const std::string& folder) {
  if (IsCapture(folder) || !SpoolsIn(folder).empty()) return true;
  const Result<std::vector<std::string>> traces = TracesOf(folder, {});
  return (traces && !traces->empty()) || HasNamedFiles(folder);
}

std::vector<std::string> CapturesIn(const std::string& folder) {
  std::vector<std::string> captures = List(
      folder, [](const fs::directory_entry& entry) { return IsCapture(entry.path().string()); });
  if (captures.empty() || LooksLikeProfile(folder)) return {};
  for (std::string& capture : captures) capture = (fs::path(folder) / capture).string();
  return captures;
}

}  // namespace tfprof
