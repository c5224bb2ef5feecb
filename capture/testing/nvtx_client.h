// SPDX-License-Identifier: Apache-2.0
// The program's side of NVTX: the vendor's headers where there are any, else as much of their
// public interface as our programs use. It loads the tool as those headers do, at the first call.
#pragma once

#if defined(TFPROF_HAS_NVTX)
#include <nvtx3/nvToolsExt.h>
#else

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>

struct nvtxEventAttributes_t {
  uint16_t version;
  uint16_t size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType;
  int32_t reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
  } payload;
  int32_t messageType;
  union {
    const char* ascii;
    const wchar_t* unicode;
    const void* registered;
  } message;
};
using nvtxDomainHandle_t = void*;
using nvtxStringHandle_t = const void*;
using nvtxRangeId_t = uint64_t;
inline constexpr int NVTX_VERSION = 3;
inline constexpr int NVTX_EVENT_ATTRIB_STRUCT_SIZE = sizeof(nvtxEventAttributes_t);
inline constexpr int NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1;
inline constexpr int NVTX_MESSAGE_TYPE_ASCII = 1;
inline constexpr int NVTX_MESSAGE_TYPE_UNICODE = 2;
inline constexpr int NVTX_MESSAGE_TYPE_REGISTERED = 3;

namespace nvtx_client {

using Function = void (*)();
inline Function g_core[16];
inline Function g_core2[16];
inline Function* g_core_places[16];
inline Function* g_core2_places[16];

inline int Table(int module, Function*** table, unsigned* size) {
  if (module != 1 && module != 5) return 0;
  *table = module == 1 ? g_core_places : g_core2_places;
  *size = 16;
  return 1;
}

struct Callbacks {
  size_t bytes = sizeof(Callbacks);
  int (*table)(int, Function***, unsigned*) = Table;
};

inline const void* ExportTable(uint32_t table) {
  static const Callbacks callbacks;
  return table == 1 ? &callbacks : nullptr;
}

inline bool Load() {
  for (int i = 1; i < 16; ++i) {
    g_core_places[i] = &g_core[i];
    g_core2_places[i] = &g_core2[i];
  }
  const char* path = std::getenv("NVTX_INJECTION64_PATH");
  void* tool = path != nullptr ? dlopen(path, RTLD_LAZY) : nullptr;
  if (tool == nullptr) return false;
  using Initialize = int (*)(const void* (*)(uint32_t));
  const auto initialize = reinterpret_cast<Initialize>(dlsym(tool, "InitializeInjectionNvtx2"));
  return initialize != nullptr && initialize(ExportTable) != 0;
}

inline bool IsLoaded() {
  static const bool is_loaded = Load();
  return is_loaded;
}

template <class Result, class... Arguments>
Result Call(const Function* functions, int at, Arguments... arguments) {
  if (!IsLoaded() || functions[at] == nullptr) return Result();
  return reinterpret_cast<Result (*)(Arguments...)>(functions[at])(arguments...);
}

}  // namespace nvtx_client

inline void nvtxMarkA(const char* text) { nvtx_client::Call<void>(nvtx_client::g_core, 2, text); }
inline nvtxRangeId_t nvtxRangeStartA(const char* text) {
  return nvtx_client::Call<nvtxRangeId_t>(nvtx_client::g_core, 5, text);
}
inline void nvtxRangeEnd(nvtxRangeId_t range) {
  nvtx_client::Call<void>(nvtx_client::g_core, 7, range);
}
inline int nvtxRangePushEx(const nvtxEventAttributes_t* event) {
  return nvtx_client::Call<int>(nvtx_client::g_core, 8, event);
}
inline int nvtxRangePushA(const char* text) {
  return nvtx_client::Call<int>(nvtx_client::g_core, 9, text);
}
inline int nvtxRangePushW(const wchar_t* text) {
  return nvtx_client::Call<int>(nvtx_client::g_core, 10, text);
}
inline int nvtxRangePop() { return nvtx_client::Call<int>(nvtx_client::g_core, 11); }
inline void nvtxNameOsThreadA(uint32_t thread, const char* name) {
  nvtx_client::Call<void>(nvtx_client::g_core, 14, thread, name);
}
inline int nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t* event) {
  return nvtx_client::Call<int>(nvtx_client::g_core2, 4, domain, event);
}
inline int nvtxDomainRangePop(nvtxDomainHandle_t domain) {
  return nvtx_client::Call<int>(nvtx_client::g_core2, 5, domain);
}
inline void nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category,
                                    const char* name) {
  nvtx_client::Call<void>(nvtx_client::g_core2, 8, domain, category, name);
}
inline nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char* text) {
  return nvtx_client::Call<nvtxStringHandle_t>(nvtx_client::g_core2, 10, domain, text);
}
inline nvtxDomainHandle_t nvtxDomainCreateA(const char* name) {
  return nvtx_client::Call<nvtxDomainHandle_t>(nvtx_client::g_core2, 12, name);
}

#endif
