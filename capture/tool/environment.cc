// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/environment.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "capture/shim/config.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libtfprof-capture.so";
constexpr const char* kExitLibrary = "libtfprof-capture-exit.so";  // beside it
constexpr const char* kPreload = "LD_PRELOAD";
constexpr const char* kPythonFolder = "python";  // likewise
constexpr const char* kPythonPath = "PYTHONPATH";
// Relative to the folder of the program.
constexpr const char* kPlaces[] = {".", "../lib/tfprof", "../lib/x86_64-linux-gnu/tfprof",
                                   "capture"};

// The variable, a list of paths, with one more at its front.
std::pair<std::string, std::string> WithFirst(const char* variable, const fs::path& first) {
  const char* others = std::getenv(variable);
  const bool has_others = others != nullptr && *others != '\0';
  return {variable, first.string() + (has_others ? ":" + std::string(others) : "")};
}

// As one word of a shell.
std::string Quoted(const std::string& value) {
  std::string quoted = "'";
  for (const char c : value) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string FindRecorder() {
  std::error_code failed;
  const fs::path program = fs::read_symlink("/proc/self/exe", failed);
  for (const char* place : kPlaces) {
    const fs::path path = (program.parent_path() / place / kLibrary).lexically_normal();
    if (fs::exists(path, failed)) return path.string();
  }
  return {};
}

std::vector<std::pair<std::string, std::string>> CaptureVariables(const CaptureOptions& options,
                                                                  const std::string& recorder) {
  std::vector<std::pair<std::string, std::string>> variables = {
      {kCudaInjection, recorder}, {kNvtxInjection, recorder}, {kFolderVariable, options.folder}};
  if (!options.recorder_options.empty()) {
    variables.emplace_back(kOptionsVariable, options.recorder_options);
  }
  const fs::path folder = fs::path(recorder).parent_path();
  if (options.preload_exit) variables.push_back(WithFirst(kPreload, folder / kExitLibrary));
  if (options.torch_nvtx) variables.push_back(WithFirst(kPythonPath, folder / kPythonFolder));
  return variables;
}

std::string OtherInjection(const std::string& recorder) {
  for (const char* variable : {kCudaInjection, kNvtxInjection}) {
    const char* holder = std::getenv(variable);
    if (holder == nullptr || *holder == '\0' || recorder == holder) continue;
    return std::string(variable) + " is set to " + holder +
           ": another profiler records this process; run outside of it, or unset the variable";
  }
  return {};
}

int RunEnv(const CaptureOptions& given) {
  CaptureOptions options = given;
  const std::string recorder = FindRecorder();
  if (recorder.empty()) {
    std::fprintf(stderr, "tfprof-capture: %s is not installed\n", kLibrary);
    return 3;
  }
  std::error_code failed;
  options.folder =
      fs::absolute(options.folder.empty() ? "capture" : options.folder, failed).string();
  for (const auto& [name, value] : CaptureVariables(options, recorder)) {
    std::printf("export %s=%s\n", name.c_str(), Quoted(value).c_str());
  }
  return 0;
}

}  // namespace tfprof::capture
