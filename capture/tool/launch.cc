// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "capture/spool/control_file.h"
#include "capture/tool/convert.h"
#include "capture/tool/environment.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;

constexpr int kUsageStatus = 2;
constexpr int kNotFound = 127;
constexpr int kNotExecutable = 126;
// Sent to us alone, these are meant for the command. Those of the terminal reach it by itself.
constexpr int kForwarded[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

volatile sig_atomic_t g_child = 0;

void Forward(int signal) {
  if (g_child != 0) kill(g_child, signal);
}

void SetHandlers() {
  struct sigaction action = {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGQUIT, &action, nullptr);
  action.sa_handler = Forward;
  for (const int signal : kForwarded) sigaction(signal, &action, nullptr);
}

std::string DefaultFolder() {
  const time_t now = std::time(nullptr);
  tm local = {};
  localtime_r(&now, &local);
  char name[64];
  std::strftime(name, sizeof name, "capture-%Y%m%d-%H%M%S", &local);
  return name;
}

// What a conversion writes, and spools.
bool IsOfCapture(std::string_view name) {
  return name.ends_with(".xplane.pb") || name.ends_with(".tfs") || name.ends_with(".tfr") ||
         name.ends_with(".graph") || name.ends_with(".op_log") || name.ends_with(".profile") ||
         name.find(".run_meta_step") != name.npos;
}

// Traces of two captures in one folder would be opened as one run.
void RemoveCapture(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> old = {folder / "manifest.json"};
  for (const fs::path& in : {folder, folder / "spool"}) {
    for (fs::directory_iterator at(in, failed), end; !failed && at != end; at.increment(failed)) {
      const std::string name = at->path().filename().string();
      if (IsOfCapture(name)) old.push_back(at->path());
    }
  }
  for (const fs::path& path : old) fs::remove(path, failed);
}

// Returns an empty text or what is wrong.
std::string MakeFolder(std::string* folder, bool overwrite) {
  std::error_code failed;
  *folder = fs::absolute(*folder, failed).lexically_normal().string();
  if (fs::exists(fs::path(*folder) / "manifest.json", failed)) {
    if (!overwrite) return *folder + " has a capture (--overwrite replaces it)";
    RemoveCapture(*folder);
  }
  const fs::path spool = fs::path(*folder) / "spool";
  fs::remove(fs::path(*folder) / kControlFile, failed);  // of another run
  fs::create_directories(spool, failed);
  if (failed) return "cannot make " + spool.string() + ": " + failed.message();
  if (access(spool.c_str(), W_OK) == 0) return {};
  return "cannot write to " + spool.string() + ": " + std::strerror(errno);
}

[[noreturn]] void Execute(const CaptureOptions& options, const std::string& recorder, int report) {
  for (const auto& [name, value] : CaptureVariables(options, recorder)) {
    setenv(name.c_str(), value.c_str(), 1);
  }
  std::vector<char*> words;
  for (const std::string& word : options.command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execvp(words[0], words.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(report, &error, sizeof error);
  _exit(error == ENOENT ? kNotFound : kNotExecutable);
}

// Returns the child, or below 0. `error`: why the command could not be executed; 0: it runs.
pid_t Start(const CaptureOptions& options, const std::string& recorder, int* error) {
  int report[2];
  *error = 0;
  if (pipe2(report, O_CLOEXEC) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) Execute(options, recorder, report[1]);
  g_child = child;
  close(report[1]);
  if (child > 0) {
    SetHandlers();
    while (read(report[0], error, sizeof *error) < 0 && errno == EINTR) {
    }
  }
  close(report[0]);
  return child;
}

int Wait(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  g_child = 0;
  return status;
}

// Who waits for us sees what happened to the command. Its core was dumped already.
int EndLike(int status) {
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  const int signal = WTERMSIG(status);
  const rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  std::fflush(nullptr);
  raise(signal);
  return 128 + signal;
}

void Convert(const CaptureOptions& options, int status) {
  const int exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  FolderConversion conversion(options.folder, options.convert);
  const Converted converted = conversion.Convert(exit_status);
  if (converted.error != 0) {
    std::fprintf(stderr, "tfprof-capture: cannot write %s: %s%s\n", converted.failed_path.c_str(),
                 std::strerror(converted.error),
                 converted.processes.empty() ? "" : "; the spool is kept");
  }
  if (options.quiet) return;
  if (converted.processes.empty() && converted.error != 0) return;  // the folder is gone
  if (converted.processes.empty()) {
    std::fprintf(stderr,
                 "tfprof-capture: nothing was recorded: no process called CUDA or NVTX with the "
                 "variables set; `tfprof-capture doctor` lists reasons\n");
  } else {
    PrintSummary(options.folder, converted);
  }
}

int Refuse(const std::string& what) {
  std::fprintf(stderr, "tfprof-capture: %s\n", what.c_str());
  return kUsageStatus;
}

}  // namespace

int RunCapture(const CaptureOptions& given) {
  CaptureOptions options = given;
  const std::string recorder = FindRecorder();
  if (recorder.empty()) return Refuse("libtfprof-capture.so is not installed beside this program");
  const std::string other = OtherInjection(recorder);
  if (!other.empty()) return Refuse(other);
  if (options.folder.empty()) options.folder = DefaultFolder();
  const std::string fault = MakeFolder(&options.folder, options.overwrite);
  if (!fault.empty()) return Refuse(fault + "; choose another folder with -o");
  int error = 0;
  const pid_t child = Start(options, recorder, &error);
  if (child < 0) return Refuse(std::string("cannot start a process: ") + std::strerror(errno));
  const int status = Wait(child);
  if (error != 0) {
    std::fprintf(stderr, "tfprof-capture: %s: %s\n", options.command[0].c_str(),
                 std::strerror(error));
    return WEXITSTATUS(status);
  }
  Convert(options, status);
  return EndLike(status);
}

}  // namespace tfprof::capture
