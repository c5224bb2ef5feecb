// SPDX-License-Identifier: Apache-2.0
#include "cli/running/nvml.h"

#include <dlfcn.h>
#include <fmt/chrono.h>
#include <fmt/core.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "cli/run.h"

namespace tfprof {
namespace {

// The part of NVML's interface that is used. Its functions return 0 for success.
using Gpu = void*;
struct Utilization {
  unsigned gpu = 0;  // percent of the last second or so
  unsigned memory = 0;
};
struct MemoryInfo {
  unsigned long long total = 0, free = 0, used = 0;
};
struct ProcessInfo {  // of nvmlDeviceGetComputeRunningProcesses_v2 and _v3
  unsigned pid = 0;
  unsigned long long used_bytes = 0;
  unsigned gpu_instance = 0, compute_instance = 0;
};
constexpr unsigned long long kNotAvailable =
    ~0ULL;  // as the driver of Windows and some containers say
constexpr unsigned kMostProcesses = 256;

class Library {
 public:
  Library() {
    const std::string_view named = Environment("TFPROF_NVML_LIB");
    handle_ = dlopen(named.empty() ? "libnvidia-ml.so.1" : std::string(named).c_str(),
                     RTLD_NOW | RTLD_LOCAL);
    const auto init = Find<int (*)()>("nvmlInit_v2");
    is_open_ = init != nullptr && init() == 0;
  }
  ~Library() {
    const auto shutdown = Find<int (*)()>("nvmlShutdown");
    if (is_open_ && shutdown != nullptr) shutdown();
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  bool is_open() const { return is_open_; }

  // Calls a function, if the library has it; false: it has not, or fails.
  template <class... Arguments>
  bool Call(const char* name, Arguments... arguments) const {
    const auto function = Find<int (*)(Arguments...)>(name);
    return function != nullptr && function(arguments...) == 0;
  }

 private:
  template <class Function>
  Function Find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

  void* handle_ = nullptr;
  bool is_open_ = false;
};

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// The number in the line of a file of /proc that begins with `name`; kNoInt: there is none.
int64_t NumberIn(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return std::atoll(line.c_str() + name.size());
  }
  return kNoInt;
}

// When a process began, in seconds since 1970, by its ticks since the system was started; kNoInt:
// not visible. The times of its folder in /proc are those of the first look at it.
int64_t BeganAt(const std::string& stat) {
  constexpr int kFieldsBefore = 19;  // from the state, behind the name, to the start
  static const int64_t booted = NumberIn("/proc/stat", "btime ");
  const size_t name_end = stat.rfind(')');
  if (booted == kNoInt || name_end == stat.npos) return kNoInt;
  std::istringstream fields(stat.substr(name_end + 1));
  std::string field;
  for (int i = 0; i < kFieldsBefore; ++i) fields >> field;
  int64_t ticks = kNoInt;
  fields >> ticks;
  return fields ? booted + ticks / sysconf(_SC_CLK_TCK) : kNoInt;
}

GpuProcess ProcessOf(const ProcessInfo& info) {
  GpuProcess process{static_cast<int64_t>(info.pid)};
  if (info.used_bytes != kNotAvailable)
    process.memory_bytes = static_cast<int64_t>(info.used_bytes);
  const std::string place = fmt::format("/proc/{}", info.pid);
  process.program = FirstLine(place + "/comm");
  struct stat status {};
  if (stat(place.c_str(), &status) != 0) return process;
  const int64_t began = BeganAt(FirstLine(place + "/stat"));
  if (began != kNoInt) {
    process.began =
        fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(began)));
  }
  passwd entry{}, *found = nullptr;
  std::array<char, 4096> texts;
  getpwuid_r(status.st_uid, &entry, texts.data(), texts.size(), &found);
  process.user = found != nullptr ? found->pw_name : std::to_string(status.st_uid);
  return process;
}

GpuNow GpuOf(const Library& nvml, unsigned index, Gpu device) {
  GpuNow gpu{static_cast<int64_t>(index)};
  std::array<char, 96> name{};
  if (nvml.Call("nvmlDeviceGetName", device, name.data(), static_cast<unsigned>(name.size())))
    gpu.name = name.data();
  Utilization utilization;
  if (nvml.Call("nvmlDeviceGetUtilizationRates", device, &utilization))
    gpu.busy_pct = utilization.gpu;
  MemoryInfo memory;
  if (nvml.Call("nvmlDeviceGetMemoryInfo", device, &memory)) {
    gpu.used_bytes = static_cast<int64_t>(memory.used);
    gpu.total_bytes = static_cast<int64_t>(memory.total);
  }
  std::array<ProcessInfo, kMostProcesses> processes{};
  for (const char* const function :
       {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2"}) {
    unsigned count = kMostProcesses;
    if (!nvml.Call(function, device, &count, processes.data())) continue;
    for (unsigned i = 0; i < count && i < kMostProcesses; ++i)
      gpu.processes.push_back(ProcessOf(processes[i]));
    break;
  }
  return gpu;
}

}  // namespace

std::vector<GpuNow> GpusNow() {
  std::vector<GpuNow> gpus;
  const Library nvml;
  unsigned count = 0;
  if (!nvml.is_open() || !nvml.Call("nvmlDeviceGetCount_v2", &count)) return gpus;
  for (unsigned index = 0; index < count; ++index) {
    Gpu device = nullptr;
    if (nvml.Call("nvmlDeviceGetHandleByIndex_v2", index, &device))
      gpus.push_back(GpuOf(nvml, index, device));
  }
  return gpus;
}

}  // namespace tfprof
