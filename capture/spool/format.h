// SPDX-License-Identifier: Apache-2.0
// The spool: what the recorder leaves on disk, one file per process, NAME.tfs, and all that the
// converter knows. With a ring, events are in segments beside it, NAME.NUMBER.tfr. A file is a
// sequence of blocks; a block is a sequence of records of one thread. Blocks are only appended,
// each by one write, so that what was written before a process dies stays readable.
//
// Numbers are little-endian. Times are nanoseconds of CLOCK_REALTIME, which is also CUPTI's clock.
// Records begin at multiples of 8 bytes. A reader skips kinds that it does not know.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tfprof::capture {

inline constexpr uint32_t kBlockMagic = 0x42534654;  // "TFSB"
inline constexpr uint32_t kFormatVersion = 1;
// Of the records in a block. A greater length is damage, so a reader needs no more memory than
// this.
inline constexpr uint32_t kMostBlockBytes = 1 << 20;
// Longer texts are shortened.
inline constexpr uint32_t kMostTextBytes = 4096;

struct BlockHead {
  uint32_t magic = kBlockMagic;
  uint32_t bytes = 0;     // of the records that follow
  uint32_t thread = 0;    // kernel ID of the thread; 0: the recorder itself
  uint32_t sequence = 0;  // of the file; a gap is a lost block
  uint64_t checksum = 0;  // BlockChecksum
};
static_assert(sizeof(BlockHead) == 24);

enum class RecordKind : uint16_t {
  none = 0,
  // Texts: the record's ID, then the text up to a zero byte.
  name = 1,
  info = 2,         // "key=value"; a later value of a key is one more
  thread_name = 3,  // ID: thread
  api_name = 4,     // ID: domain << 24 | callback ID
  // NVTX
  domain = 10,
  category = 11,
  push = 12,
  pop = 13,
  range_start = 14,
  range_end = 15,
  mark = 16,
  // After a pause, or where a thread's first records were dropped (ring): what the thread was in
  // before is over, and what follows until the first other kind is what it is in. `reopen` is a
  // PushRecord whose time is that of the push, or 0 if that was in a pause.
  resume = 17,
  reopen = 18,
  // Calls of the CUDA API that start device work, by callbacks; in order with the thread's ranges.
  call = 20,
  // Activities of CUPTI
  lane = 30,
  kernel_shape = 31,
  kernel = 32,
  copy = 33,
  fill = 34,
  memory = 35,
  wait = 36,
  overhead = 37,
  graph = 38,
  api = 39,
  device = 40,
  // Python
  frame = 45,
  stack = 46,
  sample = 47,
  // The recorder itself
  clock = 50,
  dropped = 51,
  end = 52,
  window = 53,
  status = 54,
  segment = 55,
};

struct RecordHead {
  RecordKind kind = RecordKind::none;
  uint16_t bytes = 0;  // of the whole record, a multiple of 8
  uint32_t id = 0;     // what it is depends on the kind
};
static_assert(sizeof(RecordHead) == 8);

// IDs of names are dense and start at 1; 0 is no name.
struct DomainRecord {  // ID: domain; 0 is the default one, which has no record
  RecordHead head{RecordKind::domain, sizeof(DomainRecord)};
  uint32_t name = 0;
  uint32_t padding = 0;
};

struct CategoryRecord {  // ID: category
  RecordHead head{RecordKind::category, sizeof(CategoryRecord)};
  uint32_t domain = 0;
  uint32_t name = 0;
};

enum class PayloadType : uint16_t {  // as NVTX numbers them, but for the last
  none = 0,
  uint64 = 1,
  int64 = 2,
  real64 = 3,
  uint32 = 4,
  int32 = 5,
  real32 = 6,
  // PyTorch's number of an operator of the forward pass, which its gradient has, too.
  sequence = 16,
};

// A push or a mark. With a payload it is 8 bytes longer: PushPayloadRecord.
struct PushRecord {  // ID: name
  RecordHead head{RecordKind::push, sizeof(PushRecord)};
  uint64_t time = 0;
  uint16_t domain = 0;
  PayloadType payload_type = PayloadType::none;
  uint32_t category = 0;
};

struct PushPayloadRecord {
  PushRecord push;
  uint64_t payload = 0;
};

struct PopRecord {  // ID: domain
  RecordHead head{RecordKind::pop, sizeof(PopRecord)};
  uint64_t time = 0;
};

struct RangeStartRecord {
  PushPayloadRecord start;
  uint64_t range = 0;  // never 0
};

struct RangeEndRecord {  // may be in another thread's block than its start
  RecordHead head{RecordKind::range_end, sizeof(RangeEndRecord)};
  uint64_t time = 0;
  uint64_t range = 0;
};

struct ResumeRecord {  // ID: window
  RecordHead head{RecordKind::resume, sizeof(ResumeRecord)};
  uint64_t time = 0;  // the window's start
};

enum class ApiDomain : uint32_t { none = 0, driver = 1, runtime = 2 };  // as CUPTI numbers them

struct CallRecord {  // ID: correlation
  RecordHead head{RecordKind::call, sizeof(CallRecord)};
  uint64_t start = 0;
  uint64_t end = 0;
  ApiDomain domain = ApiDomain::none;
  uint32_t callback = 0;
};

// A call on a thread that is in Python code.
struct CallStackRecord {
  CallRecord call;
  uint32_t stack = 0;
  uint32_t is_gradient = 0;  // the stack is that of the operator whose gradient this is
};

struct FrameRecord {  // ID: frame; dense from 1
  RecordHead head{RecordKind::frame, sizeof(FrameRecord)};
  uint32_t file = 0;  // names
  uint32_t function = 0;
  uint32_t line = 0;
  uint32_t first_line = 0;  // of the function
};

// Stacks of frameworks are 60 to 100 calls deep.
inline constexpr uint32_t kMostStackFrames = 128;

// Its frames follow, the innermost first.
struct StackRecord {  // ID: stack; dense from 1
  RecordHead head{RecordKind::stack, sizeof(StackRecord)};
  uint32_t count = 0;
  uint32_t is_cut = 0;  // there were further frames outside
};

constexpr uint32_t StackRecordBytes(uint32_t frames) {
  return static_cast<uint32_t>(sizeof(StackRecord)) + (frames + 1) / 2 * 8;
}

// A thread was in a stack. Another thread records it, so that it is in no order with the records of
// its own; samples are in order with each other.
struct SampleRecord {  // ID: stack
  RecordHead head{RecordKind::sample, sizeof(SampleRecord)};
  uint64_t time = 0;
  uint64_t since = 0;  // from when on it is likely to have been there
  uint32_t thread = 0;
  uint32_t padding = 0;
};

// Where device work ran.
struct LaneRecord {  // ID: lane; dense from 1
  RecordHead head{RecordKind::lane, sizeof(LaneRecord)};
  uint32_t device = 0;
  uint32_t context = 0;
  uint32_t stream = 0;
  uint32_t padding = 0;
};

struct KernelShapeRecord {  // ID: shape; dense from 1
  RecordHead head{RecordKind::kernel_shape, sizeof(KernelShapeRecord)};
  uint32_t name = 0;
  uint32_t registers = 0;  // of a thread
  int32_t grid[3] = {};
  int32_t block[3] = {};
  uint32_t static_shared_bytes = 0;
  uint32_t dynamic_shared_bytes = 0;
  uint32_t local_bytes = 0;  // of a thread
  uint32_t padding = 0;
};

// The part that all work on a device has.
struct WorkRecord {
  RecordHead head;  // ID: lane
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t correlation = 0;
  uint32_t graph = 0;  // the executable graph that it is a node of; 0: none
  uint64_t graph_node = 0;
};
static_assert(sizeof(WorkRecord) == 40);

struct KernelRecord {
  WorkRecord work{.head = {RecordKind::kernel, sizeof(KernelRecord)}};
  uint32_t shape = 0;
  uint32_t padding = 0;
};

struct CopyRecord {
  WorkRecord work{.head = {RecordKind::copy, sizeof(CopyRecord)}};
  uint64_t bytes = 0;
  uint8_t kind = 0;  // CUpti_ActivityMemcpyKind
  uint8_t from = 0;  // CUpti_ActivityMemoryKind
  uint8_t to = 0;
  uint8_t is_async = 0;
  uint32_t to_device = 0;  // of copies between devices, else UINT32_MAX
};

struct FillRecord {
  WorkRecord work{.head = {RecordKind::fill, sizeof(FillRecord)}};
  uint64_t bytes = 0;
  uint32_t value = 0;
  uint8_t memory_kind = 0;
  uint8_t is_async = 0;
  uint16_t padding = 0;
};

struct GraphRecord {
  WorkRecord work{.head = {RecordKind::graph, sizeof(GraphRecord)}};
};

struct MemoryRecord {  // ID: lane
  RecordHead head{RecordKind::memory, sizeof(MemoryRecord)};
  uint64_t time = 0;
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint32_t correlation = 0;
  uint8_t is_release = 0;
  uint8_t kind = 0;  // CUpti_ActivityMemoryKind
  uint8_t is_async = 0;
  uint8_t is_pooled = 0;
  uint64_t pool_bytes = 0;  // of the pool, if pooled
  uint64_t pool_used_bytes = 0;
};

struct WaitRecord {  // ID: correlation
  RecordHead head{RecordKind::wait, sizeof(WaitRecord)};
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t type = 0;  // CUpti_ActivitySynchronizationType
  uint32_t context = 0;
  uint32_t stream = 0;  // UINT32_MAX: none
  uint32_t event = 0;
};

struct OverheadRecord {  // ID: CUpti_ActivityOverheadKind
  RecordHead head{RecordKind::overhead, sizeof(OverheadRecord)};
  uint64_t start = 0;
  uint64_t end = 0;
  uint32_t object_kind = 0;  // CUpti_ActivityObjectKind
  uint32_t thread = 0;       // if the object is a thread
};

struct ApiRecord {  // ID: correlation
  RecordHead head{RecordKind::api, sizeof(ApiRecord)};
  uint64_t start = 0;
  uint64_t end = 0;
  ApiDomain domain = ApiDomain::none;
  uint32_t callback = 0;
  uint32_t thread = 0;
  uint32_t result = 0;
};

struct DeviceRecord {  // ID: device
  RecordHead head{RecordKind::device, sizeof(DeviceRecord)};
  uint64_t memory_bytes = 0;
  uint64_t memory_kilobytes_per_s = 0;
  uint32_t clock_khz = 0;
  uint32_t multiprocessors = 0;
  uint32_t capability_major = 0;
  uint32_t capability_minor = 0;
  uint32_t name = 0;
  uint32_t padding = 0;
};

// The same instant by three clocks, so that steps of the wall clock can be found.
struct ClockRecord {
  RecordHead head{RecordKind::clock, sizeof(ClockRecord)};
  uint64_t realtime = 0;
  uint64_t monotonic = 0;
  uint64_t cupti = 0;  // 0: CUPTI is not used
};

enum class DropReason : uint32_t {
  memory = 1,         // records of threads; the writer was too slow for the cap
  device_memory = 2,  // bytes of activity buffers; likewise
  cupti = 3,          // records that CUPTI dropped
  unknown_kind = 4,   // records of a kind that is not read
  names = 5,          // texts beyond the cap, recorded as one
  stacks = 6,         // calls whose stack is beyond the cap
};

struct DroppedRecord {  // ID: DropReason; the number is the whole until then
  RecordHead head{RecordKind::dropped, sizeof(DroppedRecord)};
  uint64_t count = 0;
};

// The recorder ended by itself; a file without it is of a process that was killed, called _exit, or
// still runs.
struct EndRecord {
  RecordHead head{RecordKind::end, sizeof(EndRecord)};
  uint64_t time = 0;
};

// Why a window began.
enum class WindowCause : uint32_t {
  start = 0,    // of the process, without a condition
  time = 1,     // --delay, --duration
  steps = 2,    // --steps, --every
  range = 3,    // --capture-range=nvtx:NAME
  program = 4,  // --capture-range=cuda
  control = 5,  // tfprof-capture ctl
  ring = 6,     // another segment begins; nothing is missing in between
};

// A fact of a process that began with a pause, so that it has windows, maybe none.
inline constexpr char kPausedFact[] = "begins_paused";

// A fact of a process that was not to be recorded: by which option.
inline constexpr char kSkippedFact[] = "skipped_by";

// A time in which records were taken; without any it is the whole time, unless the process began
// with a pause. The last record of an ID holds.
struct WindowRecord {  // ID: window, from 1 on
  RecordHead head{RecordKind::window, sizeof(WindowRecord)};
  uint64_t start = 0;
  uint64_t end = 0;   // 0: it is not over
  int64_t step = -1;  // the first one in it, if the cause is steps
  WindowCause cause = WindowCause::start;
  uint32_t padding = 0;
};

// The first record of a segment (shim/control/ring.h). Those before the first one that is there
// were dropped.
struct SegmentRecord {  // ID: segment, from 1 on
  RecordHead head{RecordKind::segment, sizeof(SegmentRecord)};
  uint64_t time = 0;
};

// Whether records of this kind are for what follows, however long ago they were.
constexpr bool OutlivesRing(RecordKind kind) {
  switch (kind) {
    case RecordKind::name:
    case RecordKind::info:
    case RecordKind::thread_name:
    case RecordKind::api_name:
    case RecordKind::domain:
    case RecordKind::category:
    case RecordKind::lane:
    case RecordKind::kernel_shape:
    case RecordKind::frame:
    case RecordKind::stack:
    case RecordKind::memory:
    case RecordKind::device: return true;
    default: return false;
  }
}

// What the recorder is doing, once in a second, for `tfprof-capture ctl`.
struct StatusRecord {  // ID: 1 if records are taken, else 0
  RecordHead head{RecordKind::status, sizeof(StatusRecord)};
  uint64_t time = 0;
  uint64_t records = 0;  // written until then
  uint64_t bytes = 0;
  uint32_t windows = 0;
  uint32_t command = 0;  // number of the last command of `ctl` that was obeyed
};

// A record's text is padded with zeros; at least one follows it.
constexpr uint32_t TextRecordBytes(uint32_t text_bytes) {
  return (static_cast<uint32_t>(sizeof(RecordHead)) + text_bytes + 8) / 8 * 8;
}

// A block's checksum is of its head, with 0 as checksum, and its records.
inline uint64_t BlockChecksum(const BlockHead& head, const void* records) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  uint64_t sum = (uint64_t{head.bytes} << 32 | head.magic) * kMultiplier;
  sum = (sum ^ (uint64_t{head.thread} << 32 | head.sequence)) * kMultiplier;
  const auto* at = static_cast<const unsigned char*>(records);
  for (uint32_t done = 0; done + 8 <= head.bytes; done += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at + done, 8);
    sum = (sum ^ word ^ sum >> 29) * kMultiplier;
  }
  return sum ^ sum >> 32;
}

}  // namespace tfprof::capture
