// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/cupti/library.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "capture/shim/config.h"

namespace tfprof::capture {
namespace {

constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8"};
// Relative to the folder of libcudart: a toolkit, and packages of Python.
constexpr const char* kBesideRuntime[] = {".", "../../cuda_cupti/lib", "../extras/CUPTI/lib64"};
constexpr const char* kInToolkit[] = {"extras/CUPTI/lib64", "lib64", "lib"};
constexpr const char* kToolkitVariables[] = {"CUDA_HOME", "CUDA_PATH"};

// Returns the folder of the libcudart that the process has loaded; empty: none.
struct RuntimeFolder {
  char path[PATH_MAX] = {};
};

int TakeRuntime(dl_phdr_info* info, size_t, void* to) {
  const char* slash = std::strrchr(info->dlpi_name, '/');
  if (slash == nullptr || std::strncmp(slash + 1, "libcudart.so", 12) != 0) return 0;
  const auto length = static_cast<size_t>(slash - info->dlpi_name);
  auto* folder = static_cast<RuntimeFolder*>(to);
  if (length < sizeof folder->path) std::memcpy(folder->path, info->dlpi_name, length);
  return 1;
}

bool TryIn(void* context, TryPath try_path, const char* folder, const char* below) {
  for (const char* name : kNames) {
    char path[PATH_MAX + 64];
    std::snprintf(path, sizeof path, "%s/%s/%s", folder, below, name);
    if (try_path(context, path, false)) return true;
  }
  return false;
}

bool TryToolkit(void* context, TryPath try_path, const char* folder) {
  if (folder == nullptr || *folder == '\0') return false;
  for (const char* below : kInToolkit) {
    if (TryIn(context, try_path, folder, below)) return true;
  }
  return false;
}

// The stub of the toolkit has the functions of the driver, and none that works.
bool IsStub(const char* path) { return std::strstr(path, "/stubs/") != nullptr; }

struct Attempt {
  CuptiLibrary* library;
  void* handle = nullptr;
};

bool Open(void* context, const char* path, bool loaded_only) {
  auto* attempt = static_cast<Attempt*>(context);
  if (IsStub(path)) return false;
  attempt->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | (loaded_only ? RTLD_NOLOAD : 0));
  return attempt->handle != nullptr;
}

template <class Function>
bool Find(void* handle, const char* name, Function* function) {
  *function = reinterpret_cast<Function>(dlsym(handle, name));
  return *function != nullptr;
}

bool FindAll(void* handle, CuptiLibrary* library) {
  cupti::Functions& f = library->functions;
  library->missing = nullptr;
  const auto need = [&](const char* name, auto* function) {
    if (!Find(handle, name, function)) library->missing = name;
  };
  need("cuptiGetVersion", &f.GetVersion);
  need("cuptiGetTimestamp", &f.GetTimestamp);
  need("cuptiGetResultString", &f.GetResultString);
  need("cuptiSubscribe", &f.Subscribe);
  need("cuptiUnsubscribe", &f.Unsubscribe);
  need("cuptiEnableCallback", &f.EnableCallback);
  need("cuptiGetCallbackName", &f.GetCallbackName);
  need("cuptiActivityRegisterCallbacks", &f.ActivityRegisterCallbacks);
  need("cuptiActivityEnable", &f.ActivityEnable);
  need("cuptiActivityDisable", &f.ActivityDisable);
  need("cuptiActivityFlushAll", &f.ActivityFlushAll);
  need("cuptiActivityGetNextRecord", &f.ActivityGetNextRecord);
  need("cuptiActivityGetNumDroppedRecords", &f.ActivityGetNumDroppedRecords);
  need("cuptiActivitySetAttribute", &f.ActivitySetAttribute);
  Find(handle, "cuptiSubscribe_v2", &f.Subscribe_v2);
  Find(handle, "cuptiSetThreadIdType", &f.SetThreadIdType);
  return library->missing == nullptr;
}

}  // namespace

bool EachCuptiPath(void* context, TryPath try_path) {
  const char* chosen = std::getenv(kCuptiVariable);
  if (chosen != nullptr && *chosen != '\0') return try_path(context, chosen, false);
  for (const char* name : kNames) {
    if (try_path(context, name, true)) return true;
  }
  RuntimeFolder runtime;
  dl_iterate_phdr(TakeRuntime, &runtime);
  if (runtime.path[0] != '\0') {
    for (const char* below : kBesideRuntime) {
      if (TryIn(context, try_path, runtime.path, below)) return true;
    }
  }
  for (const char* variable : kToolkitVariables) {
    if (TryToolkit(context, try_path, std::getenv(variable))) return true;
  }
  for (const char* name : kNames) {  // the loader's own search
    if (try_path(context, name, false)) return true;
  }
  return TryToolkit(context, try_path, "/usr/local/cuda");
}

bool LoadCupti(CuptiLibrary* library) {
  Attempt attempt{.library = library};
  if (!EachCuptiPath(&attempt, Open)) return false;
  if (!FindAll(attempt.handle, library)) return false;
  Dl_info where = {};
  if (dladdr(reinterpret_cast<void*>(library->functions.GetVersion), &where) != 0) {
    std::snprintf(library->path, sizeof library->path, "%s", where.dli_fname);
  }
  return true;
}

}  // namespace tfprof::capture
