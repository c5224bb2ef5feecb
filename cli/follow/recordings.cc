// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/recordings.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "loaders/inputs/manifest.h"
#include "loaders/inputs/run_folder.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr int kLevels = 5;           // of folders, as deep as log directories have traces
constexpr size_t kMaxFiles = 20000;  // of a folder: more are no folder of profiles
constexpr int64_t kNsPerSecond = 1'000'000'000;

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

// The recorder's program beside ours, else the one in PATH.
std::string RecorderProgram() {
  constexpr std::string_view kName = "tfprof-capture";
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  const fs::path beside = own.parent_path() / kName;
  return !failed && access(beside.c_str(), X_OK) == 0 ? beside.string() : std::string(kName);
}

// Runs a program without output. False: it cannot be run, or failed.
bool RunQuietly(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0);
  }
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  // In a group of its own: Ctrl-C ends us, but leaves no half-written trace.
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  pid_t child = -1;
  const int failed =
      posix_spawnp(&child, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
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

bool ConvertRunning(const std::string& folder) {
  if (SpoolsIn(folder).empty()) return true;
  const std::optional<Manifest> manifest = ReadManifest(folder);
  if (manifest && manifest->has_ended && !manifest->capture.IsRunning()) return true;
  return RunQuietly({RecorderProgram(), "convert", "--keep", folder});
}

}  // namespace tfprof
