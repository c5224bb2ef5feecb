// SPDX-License-Identifier: Apache-2.0
// The interface between NVTX version 3, which is compiled into programs, and a tool: the tool asks
// for tables of pointers to functions and replaces those that it implements.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tfprof::capture::nvtx {

enum class Module : int { core = 1, core2 = 5 };

// Positions in the table of a module.
enum class Core : uint32_t {
  MarkEx = 1,
  MarkA,
  MarkW,
  RangeStartEx,
  RangeStartA,
  RangeStartW,
  RangeEnd,
  RangePushEx,
  RangePushA,
  RangePushW,
  RangePop,
  NameCategoryA,
  NameCategoryW,
  NameOsThreadA,
  NameOsThreadW,
};
enum class Core2 : uint32_t {
  DomainMarkEx = 1,
  DomainRangeStartEx,
  DomainRangeEnd,
  DomainRangePushEx,
  DomainRangePop,
  DomainResourceCreate,
  DomainResourceDestroy,
  DomainNameCategoryA,
  DomainNameCategoryW,
  DomainRegisterStringA,
  DomainRegisterStringW,
  DomainCreateA,
  DomainCreateW,
  DomainDestroy,
  Initialize,
};

using Function = void (*)();

struct Callbacks {
  size_t bytes;
  // Returns 0 on failure. An entry of the table may be null: the program's NVTX is older.
  int (*GetModuleFunctionTable)(Module module, Function*** table, unsigned* size);
};

inline constexpr uint32_t kCallbacksTable = 1;
using GetExportTable = const void* (*)(uint32_t table);

enum class MessageType : int32_t { none = 0, ascii = 1, wide = 2, registered = 3 };

union Message {
  const char* ascii;
  const wchar_t* wide;
  const void* registered;
};

// Fields up to `bytes` exist.
struct EventAttributes {
  uint16_t version;
  uint16_t bytes;
  uint32_t category;
  int32_t color_type;
  uint32_t color;
  int32_t payload_type;
  int32_t reserved;
  uint64_t payload;
  MessageType message_type;
  Message message;
};
static_assert(sizeof(EventAttributes) == 48);

inline constexpr int kNoPushPopTracking = -2;

}  // namespace tfprof::capture::nvtx
