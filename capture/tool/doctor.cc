// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/doctor.h"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "capture/shim/config.h"
#include "capture/shim/cupti/library.h"
#include "capture/tool/environment.h"

namespace tfprof::capture {
namespace {

// Lines are "ok", "--" for what is only absent, or "!!" for an obstacle.
class Findings {
 public:
  void Ok(const std::string& what) { std::printf("ok  %s\n", what.c_str()); }
  void Absent(const std::string& what) { std::printf("--  %s\n", what.c_str()); }
  void Obstacle(const std::string& what, const std::string& fix) {
    std::printf("!!  %s\n    fix: %s\n", what.c_str(), fix.c_str());
    has_obstacle_ = true;
  }
  bool has_obstacle() const { return has_obstacle_; }

 private:
  bool has_obstacle_ = false;
};

void CheckRecorder(Findings* findings) {
  const std::string recorder = FindRecorder();
  if (recorder.empty()) {
    findings->Obstacle("libtfprof-capture.so was not found", "install it beside this program");
    return;
  }
  void* loaded = dlopen(recorder.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    findings->Obstacle(std::string("the recorder cannot be loaded: ") + dlerror(), "reinstall it");
    return;
  }
  findings->Ok("recorder: " + recorder);
}

void CheckDriver(Findings* findings) {
  void* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (driver == nullptr) {
    findings->Obstacle("no NVIDIA driver (libcuda.so.1)",
                       "install the driver; in a container: docker run --gpus all");
    return;
  }
  using GetVersion = int (*)(int*);
  const auto get = reinterpret_cast<GetVersion>(dlsym(driver, "cuDriverGetVersion"));
  int version = 0;
  if (get != nullptr) get(&version);
  findings->Ok("driver: CUDA " + std::to_string(version / 1000) + "." +
               std::to_string(version % 1000 / 10));
}

void CheckCupti(Findings* findings) {
  CuptiLibrary library;
  if (!LoadCupti(&library)) {
    findings->Obstacle(
        library.missing != nullptr
            ? std::string("libcupti lacks ") + library.missing
            : "no libcupti (programs with their own, as PyTorch, bring it along)",
        "pip install nvidia-cuda-cupti-cu12 and set TFPROF_CUPTI_LIB to its file, or "
        "set LD_LIBRARY_PATH to /usr/local/cuda/extras/CUPTI/lib64");
    return;
  }
  uint32_t version = 0;
  library.functions.GetVersion(&version);
  const std::string text =
      std::string("CUPTI: ") + library.path + ", API version " + std::to_string(version);
  if (version != 0 && version < cupti::kOldestVersion) {
    findings->Obstacle(text + " is too old", "set TFPROF_CUPTI_LIB to one of CUDA 11.8 or later");
  } else {
    findings->Ok(text);
  }
}

void CheckInjection(Findings* findings) {
  const std::string other = OtherInjection(FindRecorder());
  if (!other.empty()) findings->Obstacle(other, "unset it, or record outside of that tool");
  if (std::getenv("KINETO_USE_DAEMON") != nullptr) {
    findings->Obstacle("KINETO_USE_DAEMON is set: PyTorch takes CUPTI for itself",
                       "unset it: only one profiler per process is possible");
  }
  const char* disabled = std::getenv(kDisableVariable);
  if (disabled != nullptr && *disabled != '\0' && std::strcmp(disabled, "0") != 0) {
    findings->Obstacle(std::string(kDisableVariable) + " is set", "unset it");
  }
}

// Whether only administrators may use the counters: tracing then fails in some containers.
void CheckPermissions(Findings* findings) {
  std::ifstream parameters("/proc/driver/nvidia/params");
  if (!parameters) {
    findings->Absent("permissions: /proc/driver/nvidia/params does not exist");
    return;
  }
  std::string line;
  while (std::getline(parameters, line)) {
    if (line.starts_with("RmProfilingAdminOnly:")) {
      const bool is_restricted = line.find('1') != line.npos && geteuid() != 0;
      if (!is_restricted) findings->Ok("permissions: " + line);
      if (is_restricted) {
        findings->Obstacle("permissions: profiling is for administrators (ERR_NVGPUCTRPERM)",
                           "modprobe nvidia NVreg_RestrictProfilingToAdminUsers=0, run as root, or "
                           "docker run --cap-add SYS_ADMIN");
      }
    }
  }
}

void CheckContainer(Findings* findings) {
  const bool is_container = access("/.dockerenv", F_OK) == 0 ||
                            access("/run/.containerenv", F_OK) == 0 ||
                            std::getenv("KUBERNETES_SERVICE_HOST") != nullptr;
  if (is_container) {
    findings->Ok(
        "container: if CUPTI refuses (error 35), add CAP_SYS_ADMIN (docker run --cap-add "
        "SYS_ADMIN)");
  } else {
    findings->Absent("container: none");
  }
}

}  // namespace

int RunDoctor() {
  Findings findings;
  CheckRecorder(&findings);
  CheckDriver(&findings);
  CheckCupti(&findings);
  CheckPermissions(&findings);
  CheckInjection(&findings);
  CheckContainer(&findings);
  std::printf("\n%s\n",
              findings.has_obstacle()
                  ? "GPU work cannot be recorded here; ranges of NVTX can."
                  : "Nothing prevents a capture. Programs that are linked statically, or run "
                    "by sudo, do not load the recorder.");
  return findings.has_obstacle() ? 1 : 0;
}

}  // namespace tfprof::capture
