// SPDX-License-Identifier: Apache-2.0
// The part of CUPTI's binary interface that the recorder uses, so that one build works with
// CUPTI 11.8 to 13 and needs no headers of CUDA. Later versions of a record only append fields, so
// these structs are the fields that all of these versions have at the same place;
// tests/unit/capture/abi_test.cc checks them against the vendor's headers, and the sizes against
// its libraries, where there are any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tfprof::capture::cupti {

using Result = int;
inline constexpr Result kSuccess = 0;
inline constexpr Result kNotInitialized = 15;
inline constexpr Result kInsufficientPrivileges = 35;
inline constexpr Result kMultipleSubscribers = 39;
inline constexpr Result kVirtualizedPrivileges = 40;
inline constexpr Result kUnknown = 999;

// The first version that the structs below hold for, CUDA 11.8, as cuptiGetVersion numbers it.
inline constexpr uint32_t kOldestVersion = 18;

enum class Kind : uint32_t {
  none = 0,
  copy = 1,
  fill = 2,
  driver = 4,
  runtime = 5,
  device = 8,
  context = 9,
  concurrent_kernel = 10,
  overhead = 17,
  peer_copy = 22,
  wait = 38,
  memory = 49,
  graph = 51,
};

struct KernelActivity {
  uint32_t kind;
  uint8_t cache_config;
  uint8_t shared_memory_config;
  uint16_t registers;
  uint32_t partitioned_cache[2];
  uint64_t start;
  uint64_t end;
  uint64_t completed;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  int32_t grid[3];
  int32_t block[3];
  uint32_t static_shared_bytes;
  uint32_t dynamic_shared_bytes;
  uint32_t local_bytes;
  uint32_t local_bytes_total;
  uint32_t correlation;
  int64_t grid_id;
  const char* name;
  void* reserved;
  uint64_t queued;
  uint64_t submitted;
  uint8_t launch_type;
  uint8_t carveout[3];
  uint32_t shared_memory_executed;
  uint64_t graph_node;
  uint32_t shared_memory_limit;
  uint32_t graph;
};
static_assert(sizeof(KernelActivity) == 160);
static_assert(offsetof(KernelActivity, start) == 16 &&
              offsetof(KernelActivity, correlation) == 92 &&
              offsetof(KernelActivity, name) == 104 && offsetof(KernelActivity, graph) == 156);

struct CopyActivity {
  uint32_t kind;
  uint8_t copy_kind;
  uint8_t from;
  uint8_t to;
  uint8_t flags;  // 1: asynchronous
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;
  uint32_t runtime_correlation;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
  uint32_t channel;
};
static_assert(sizeof(CopyActivity) == 80);

struct PeerCopyActivity {
  uint32_t kind;
  uint8_t copy_kind;
  uint8_t from;
  uint8_t to;
  uint8_t flags;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t from_device;
  uint32_t from_context;
  uint32_t to_device;
  uint32_t to_context;
  uint32_t correlation;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
  uint32_t channel;
};
static_assert(sizeof(PeerCopyActivity) == 88);

struct FillActivity {
  uint32_t kind;
  uint32_t value;
  uint64_t bytes;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  uint32_t correlation;
  uint16_t flags;
  uint16_t memory_kind;
  uint32_t padding;
  void* reserved;
  uint64_t graph_node;
  uint32_t graph;
  uint32_t channel;
};
static_assert(sizeof(FillActivity) == 80);

struct MemoryActivity {
  uint32_t kind;
  uint32_t operation;  // 1: allocation, 2: release
  uint32_t memory_kind;
  uint32_t correlation;
  uint64_t address;
  uint64_t bytes;
  uint64_t time;
  uint64_t program_counter;
  uint32_t process;
  uint32_t device;
  uint32_t context;
  uint32_t stream;
  const char* name;
  uint32_t is_async;
  uint32_t padding;
  uint32_t pool_type;  // 0: none
  uint32_t pool_padding;
  uint64_t pool_address;
  uint64_t release_threshold;
  uint64_t pool_bytes;  // of a local pool
};
static_assert(sizeof(MemoryActivity) == 112);

struct WaitActivity {
  uint32_t kind;
  uint32_t type;
  uint64_t start;
  uint64_t end;
  uint32_t correlation;
  uint32_t context;
  uint32_t stream;
  uint32_t event;
};
static_assert(sizeof(WaitActivity) == 40);

#pragma pack(push, 4)
struct OverheadActivity {
  uint32_t kind;
  uint32_t overhead_kind;
  uint32_t object_kind;  // 2: thread
  uint32_t process;      // the union of object IDs
  uint32_t thread;
  uint32_t stream;
  uint64_t start;
  uint64_t end;
};
#pragma pack(pop)
static_assert(sizeof(OverheadActivity) == 40);

struct ApiActivity {
  uint32_t kind;
  uint32_t callback;
  uint64_t start;
  uint64_t end;
  uint32_t process;
  uint32_t thread;
  uint32_t correlation;
  uint32_t result;
};
static_assert(sizeof(ApiActivity) == 40);

struct GraphActivity {
  uint32_t kind;
  uint32_t correlation;
  uint64_t start;
  uint64_t end;
  uint32_t device;
  uint32_t graph;
  uint32_t context;
  uint32_t stream;
  void* reserved;
};
static_assert(sizeof(GraphActivity) == 48);

struct DeviceActivity {
  uint32_t kind;
  uint32_t flags;
  uint64_t memory_kilobytes_per_s;
  uint64_t memory_bytes;
  uint32_t constant_memory_bytes;
  uint32_t cache_bytes;
  uint32_t threads_per_warp;
  uint32_t clock_khz;
  uint32_t copy_engines;
  uint32_t multiprocessors;
  uint32_t limits[14];
  uint32_t capability_major;
  uint32_t capability_minor;
  uint32_t device;
  uint32_t has_ecc;
  uint8_t uuid[16];
  const char* name;
};
static_assert(sizeof(DeviceActivity) == 144);
static_assert(offsetof(DeviceActivity, capability_major) == 104);

struct ContextActivity {
  uint32_t kind;
  uint32_t context;
  uint32_t device;
  uint16_t api;
  uint16_t null_stream;
};
static_assert(sizeof(ContextActivity) == 16);

// ---- callbacks
enum class Site : int { enter = 0, exit = 1 };
inline constexpr int kDriverDomain = 1;
inline constexpr int kRuntimeDomain = 2;

struct CallbackData {
  Site site;
  const char* function;
  const void* parameters;
  void* result;
  const char* symbol;
  void* context;
  uint32_t context_id;
  uint64_t* correlation_data;  // ours between enter and exit
  uint32_t correlation;
};
static_assert(offsetof(CallbackData, correlation) == 64);

struct SubscriberParameters {
  size_t bytes = sizeof(SubscriberParameters);
  const char* name = nullptr;
  char* other = nullptr;  // receives the name of the present subscriber
  size_t other_bytes = 0;
};

enum class Attribute : int { device_buffer_pool_limit = 2, zeroed_buffers = 5 };
inline constexpr int kSystemThreadIds = 1;
inline constexpr uint32_t kFlushForced = 1;

using Subscriber = void*;
using Callback = void (*)(void* user, int domain, uint32_t callback, const void* data);
using RequestBuffer = void (*)(uint8_t** buffer, size_t* bytes, size_t* most_records);
using CompleteBuffer = void (*)(void* context, uint32_t stream, uint8_t* buffer, size_t bytes,
                                size_t valid_bytes);

// The functions, by their names without "cupti". Only those that this binary uses.
struct Functions {
  Result (*GetVersion)(uint32_t* version);
  Result (*GetTimestamp)(uint64_t* time);
  Result (*GetResultString)(Result result, const char** text);
  Result (*Subscribe)(Subscriber* subscriber, Callback callback, void* user);
  Result (*Unsubscribe)(Subscriber subscriber);
  Result (*EnableCallback)(uint32_t enable, Subscriber subscriber, int domain, uint32_t callback);
  Result (*GetCallbackName)(int domain, uint32_t callback, const char** name);
  Result (*ActivityRegisterCallbacks)(RequestBuffer request, CompleteBuffer complete);
  Result (*ActivityEnable)(Kind kind);
  Result (*ActivityDisable)(Kind kind);
  Result (*ActivityFlushAll)(uint32_t flags);
  Result (*ActivityGetNextRecord)(uint8_t* buffer, size_t valid_bytes, void** record);
  Result (*ActivityGetNumDroppedRecords)(void* context, uint32_t stream, size_t* dropped);
  Result (*ActivitySetAttribute)(Attribute attribute, size_t* bytes, void* value);
  // Absent in old versions
  Result (*Subscribe_v2)(Subscriber* subscriber, Callback callback, void* user,
                         SubscriberParameters* parameters);
  Result (*SetThreadIdType)(int type);
};

}  // namespace tfprof::capture::cupti
