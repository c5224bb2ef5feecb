// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/recordings.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

#include "core/base/arith.h"
#include "loaders/inputs/manifest.h"
#include "loaders/inputs/run_folder.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr int kLevels = 5;           // of folders, as deep as log directories have traces
constexpr size_t kMaxFiles = 20000;  // of a folder: more are no folder of profiles

void AddFile(const std::string& path, std::vector<WatchedFile>* files) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  files->push_back({path, status.st_ino, status.st_size,
                    status.st_mtim.tv_sec * kNsPerSecond + status.st_mtim.tv_nsec});
}

void AddFilesBelow(const fs::path& folder, std::vector<WatchedFile>* files) {
  std::error_code failed;
  fs::recursive_directory_iterator at(folder, failed), end;
  for (; !failed && at != end && files->size() < kMaxFiles; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    const bool is_folder = at->is_directory(failed);
    if (is_folder && (at.depth() + 1 >= kLevels || IsSpoolFolder(at->path().string()))) {
      at.disable_recursion_pending();
    }
    if (!is_folder && name[0] != '.') AddFile(at->path().string(), files);
  }
}

RecordingState StateOf(const Input& input) {
  const std::optional<Manifest> manifest = ReadManifest(input.path);
  const bool has_spools = !SpoolsIn(input.path).empty();
  if (!manifest || manifest->is_malformed) {
    return has_spools ? RecordingState::running : RecordingState::unknown;
  }
  if (manifest->capture.IsRunning()) return RecordingState::running;
  return has_spools && !manifest->has_ended ? RecordingState::silent : RecordingState::ended;
}

}  // namespace

std::vector<WatchedFile> SpoolsOf(const std::vector<Input>& inputs) {
  std::vector<WatchedFile> files;
  for (const Input& input : inputs) {
    for (const std::string& spool : SpoolsIn(input.path)) AddFile(spool, &files);
  }
  std::ranges::sort(files, {}, &WatchedFile::path);
  return files;
}

std::vector<WatchedFile> WatchedFiles(const std::vector<Input>& inputs) {
  std::vector<WatchedFile> files;
  for (const Input& input : inputs) {
    const size_t first = files.size();
    std::error_code failed;
    if (fs::is_directory(input.path, failed)) {
      AddFilesBelow(input.path, &files);
    } else {
      AddFile(input.path, &files);
    }
    if (SpoolsIn(input.path).empty()) continue;
    for (size_t i = first; i < files.size(); ++i) files[i].inode = files[i].modified_ns = 0;
  }
  std::ranges::sort(files, {}, &WatchedFile::path);
  return files;
}

RecordingState StateOfRecordings(const std::vector<Input>& inputs) {
  RecordingState state = RecordingState::ended;
  for (const Input& input : inputs) state = std::min(state, StateOf(input));
  return state;
}

ProcessCounts CountProcesses(const std::vector<Input>& inputs) {
  ProcessCounts counts;
  for (const Input& input : inputs) {
    const std::optional<Manifest> manifest = ReadManifest(input.path);
    if (!manifest) continue;
    counts.all += static_cast<int64_t>(manifest->capture.processes.size());
    counts.running +=
        std::ranges::count_if(manifest->capture.processes, &CapturedProcess::is_running);
  }
  return counts;
}

bool NeedsConversion(const std::string& folder) {
  if (SpoolsIn(folder).empty()) return false;
  const std::optional<Manifest> manifest = ReadManifest(folder);
  return !manifest || !manifest->has_ended || manifest->capture.IsRunning();
}

int64_t ShownOf(const std::vector<Input>& inputs) {
  int64_t shown_ns = kNoInt;
  for (const Input& input : inputs) {
    const std::optional<Manifest> manifest = ReadManifest(input.path);
    if (manifest) shown_ns = std::max(shown_ns, manifest->capture.last_ns);
  }
  return shown_ns;
}

}  // namespace tfprof
