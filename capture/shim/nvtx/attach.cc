// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/nvtx/attach.h"

#include <pthread.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "capture/shim/chunks.h"
#include "capture/shim/names.h"
#include "capture/shim/nvtx/ranges.h"
#include "capture/shim/recorder.h"
#include "capture/shim/spool_file.h"

namespace tfprof::capture {
namespace {

using nvtx::EventAttributes;

// A handle of NVTX is a pointer to one of these; they live as long as the process.
struct Domain {
  std::atomic<Domain*> next{nullptr};
  uint16_t id = 0;
  const NameEntry* name = nullptr;
};

constexpr uint16_t kMostDomains = UINT16_MAX;

pthread_mutex_t g_domain_lock = PTHREAD_MUTEX_INITIALIZER;
Domain g_default_domain;  // the list's start; never written
Domain* g_last_domain = &g_default_domain;
// The writer's.
Domain* g_written_domain = &g_default_domain;
Domain* g_round_domain = &g_default_domain;

uint16_t IdOf(const void* domain) {
  return domain == nullptr ? 0 : static_cast<const Domain*>(domain)->id;
}

Domain* MakeDomain(const NameEntry* name) {
  pthread_mutex_lock(&g_domain_lock);
  Domain* domain = g_default_domain.next.load();
  while (domain != nullptr && domain->name != name) domain = domain->next.load();
  if (domain == nullptr && g_last_domain->id < kMostDomains) {
    domain = static_cast<Domain*>(std::calloc(1, sizeof(Domain)));
    if (domain != nullptr) {
      domain->name = name;
      domain->id = static_cast<uint16_t>(g_last_domain->id + 1);
      g_last_domain->next.store(domain, std::memory_order_release);
      g_last_domain = domain;
    }
  }
  pthread_mutex_unlock(&g_domain_lock);
  return domain != nullptr ? domain : &g_default_domain;
}

bool Has(const EventAttributes& event, size_t end) { return event.bytes >= end; }

const NameEntry* NameOf(ThreadLog* log, const EventAttributes& event) {
  if (!Has(event, sizeof event)) return nullptr;
  switch (event.message_type) {
    case nvtx::MessageType::ascii: {
      int64_t sequence = 0;  // PyTorch numbers plain texts only
      return event.message.ascii != nullptr ? InternAt(log, event.message.ascii, &sequence)
                                            : nullptr;
    }
    case nvtx::MessageType::wide:
      return event.message.wide != nullptr ? InternWide(event.message.wide) : nullptr;
    case nvtx::MessageType::registered:
      return static_cast<const NameEntry*>(event.message.registered);
    case nvtx::MessageType::none: break;
  }
  return nullptr;
}

uint32_t IdOf(const NameEntry* name) { return name != nullptr ? name->id : 0; }

// A record without a time, and its name.
struct Named {
  PushPayloadRecord record;
  const NameEntry* name = nullptr;
};

Named Name(ThreadLog* log, RecordKind kind, const void* domain, const EventAttributes* event) {
  Named named;
  PushRecord& push = named.record.push;
  push.head = {kind, sizeof(PushRecord), 0};
  push.domain = IdOf(domain);
  if (event == nullptr) return named;
  named.name = NameOf(log, *event);
  push.head.id = IdOf(named.name);
  push.category = event->category;
  if (event->payload_type > 0 && event->payload_type <= 6) {
    push.head.bytes = sizeof(PushPayloadRecord);
    push.payload_type = static_cast<PayloadType>(event->payload_type);
    named.record.payload = event->payload;
  }
  return named;
}

Named Name(ThreadLog* log, RecordKind kind, const char* text) {
  Named named;
  int64_t sequence = -1;
  if (text != nullptr) named.name = InternAt(log, text, &sequence);
  named.record.push.head = {kind, sizeof(PushRecord), IdOf(named.name)};
  if (sequence >= 0) {
    named.record.push.head.bytes = sizeof(PushPayloadRecord);
    named.record.push.payload_type = PayloadType::sequence;
    named.record.payload = static_cast<uint64_t>(sequence);
  }
  return named;
}

ThreadLog* LogIfRecording() { return IsRecording() ? Log() : nullptr; }

int Push(ThreadLog* log, Named push) { return PushRange(log, &push.record, push.name); }

int Pop(const void* domain) {
  ThreadLog* log = LogIfRecording();
  return log == nullptr ? nvtx::kNoPushPopTracking : PopRange(log, IdOf(domain));
}

uint64_t Start(ThreadLog* log, Named start) { return StartRange(log, &start.record, start.name); }

void Mark(ThreadLog* log, Named mark) { MarkInstant(log, &mark.record); }

// A wide text of a plain call is treated as one of an event.
EventAttributes EventOf(const wchar_t* text) {
  EventAttributes event = {};
  event.bytes = sizeof event;
  event.message_type = nvtx::MessageType::wide;
  event.message.wide = text;
  return event;
}

// ---- what NVTX calls; `domain` and `event` may be null

void DomainMarkEx(const void* domain, const EventAttributes* event) {
  if (ThreadLog* log = LogIfRecording()) Mark(log, Name(log, RecordKind::mark, domain, event));
}

void MarkA(const char* text) {
  if (ThreadLog* log = LogIfRecording()) Mark(log, Name(log, RecordKind::mark, text));
}

int DomainRangePushEx(const void* domain, const EventAttributes* event) {
  ThreadLog* log = LogIfRecording();
  if (log == nullptr) return nvtx::kNoPushPopTracking;
  return Push(log, Name(log, RecordKind::push, domain, event));
}

int RangePushA(const char* text) {
  ThreadLog* log = LogIfRecording();
  if (log == nullptr) return nvtx::kNoPushPopTracking;
  return Push(log, Name(log, RecordKind::push, text));
}

uint64_t DomainRangeStartEx(const void* domain, const EventAttributes* event) {
  ThreadLog* log = LogIfRecording();
  return log == nullptr ? 0 : Start(log, Name(log, RecordKind::range_start, domain, event));
}

uint64_t RangeStartA(const char* text) {
  ThreadLog* log = LogIfRecording();
  return log == nullptr ? 0 : Start(log, Name(log, RecordKind::range_start, text));
}

void RangeEnd(uint64_t range) {
  ThreadLog* log = LogIfRecording();
  if (log != nullptr && range != 0) EndRange(log, range);
}

void NameCategory(const void* domain, uint32_t category, const NameEntry* name) {
  ThreadLog* log = LogIfRecording();
  if (log == nullptr) return;
  CategoryRecord record{.domain = IdOf(domain), .name = IdOf(name)};
  record.head.id = category;
  Append(log, record);
}

void NameThread(uint32_t thread, const NameEntry* name) {
  ThreadLog* log = LogIfRecording();
  if (log == nullptr || name == nullptr) return;
  alignas(8) unsigned char record[sizeof(RecordHead) + 136] = {};
  const std::string_view text = name->view().substr(0, 128);
  const uint32_t bytes = TextRecordBytes(static_cast<uint32_t>(text.size()));
  const RecordHead head{RecordKind::thread_name, static_cast<uint16_t>(bytes), thread};
  std::memcpy(record, &head, sizeof head);
  std::memcpy(record + sizeof head, text.data(), text.size());
  Append(log, record, bytes);
}

const NameEntry* EntryOf(const char* text) {
  return text != nullptr ? Intern({text, strnlen(text, kMostTextBytes)}) : nullptr;
}
const NameEntry* EntryOf(const wchar_t* text) {
  return text != nullptr ? InternWide(text) : nullptr;
}

// Handles must not be null: libraries take that to mean that nobody listens.
template <class Char>
void* DomainCreate(const Char* name) {
  return IsRecording() ? MakeDomain(EntryOf(name)) : nullptr;
}

template <class Char>
const void* DomainRegisterString(const void*, const Char* text) {
  return IsRecording() ? EntryOf(text) : nullptr;
}

template <class Char>
void NameCategoryText(uint32_t category, const Char* name) {
  NameCategory(nullptr, category, EntryOf(name));
}

template <class Char>
void DomainNameCategory(const void* domain, uint32_t category, const Char* name) {
  NameCategory(domain, category, EntryOf(name));
}

template <class Char>
void NameOsThread(uint32_t thread, const Char* name) {
  NameThread(thread, EntryOf(name));
}

void MarkEx(const EventAttributes* event) { DomainMarkEx(nullptr, event); }
void MarkW(const wchar_t* text) {
  const EventAttributes event = EventOf(text);
  DomainMarkEx(nullptr, &event);
}
uint64_t RangeStartEx(const EventAttributes* event) { return DomainRangeStartEx(nullptr, event); }
uint64_t RangeStartW(const wchar_t* text) {
  const EventAttributes event = EventOf(text);
  return DomainRangeStartEx(nullptr, &event);
}
int RangePushEx(const EventAttributes* event) { return DomainRangePushEx(nullptr, event); }
int RangePushW(const wchar_t* text) {
  const EventAttributes event = EventOf(text);
  return DomainRangePushEx(nullptr, &event);
}
int RangePop() { return Pop(nullptr); }
int DomainRangePop(const void* domain) { return Pop(domain); }
void DomainRangeEnd(const void*, uint64_t range) { RangeEnd(range); }

struct Entry {
  uint32_t at;
  nvtx::Function function;
};

template <class Position, class Pointer>
Entry Of(Position at, Pointer function) {
  return {static_cast<uint32_t>(at), reinterpret_cast<nvtx::Function>(function)};
}

using nvtx::Core;
using nvtx::Core2;

const Entry kCore[] = {
    Of(Core::MarkEx, MarkEx),
    Of(Core::MarkA, MarkA),
    Of(Core::MarkW, MarkW),
    Of(Core::RangeStartEx, RangeStartEx),
    Of(Core::RangeStartA, RangeStartA),
    Of(Core::RangeStartW, RangeStartW),
    Of(Core::RangeEnd, RangeEnd),
    Of(Core::RangePushEx, RangePushEx),
    Of(Core::RangePushA, RangePushA),
    Of(Core::RangePushW, RangePushW),
    Of(Core::RangePop, RangePop),
    Of(Core::NameCategoryA, NameCategoryText<char>),
    Of(Core::NameCategoryW, NameCategoryText<wchar_t>),
    Of(Core::NameOsThreadA, NameOsThread<char>),
    Of(Core::NameOsThreadW, NameOsThread<wchar_t>),
};
const Entry kCore2[] = {
    Of(Core2::DomainMarkEx, DomainMarkEx),
    Of(Core2::DomainRangeStartEx, DomainRangeStartEx),
    Of(Core2::DomainRangeEnd, DomainRangeEnd),
    Of(Core2::DomainRangePushEx, DomainRangePushEx),
    Of(Core2::DomainRangePop, DomainRangePop),
    Of(Core2::DomainNameCategoryA, DomainNameCategory<char>),
    Of(Core2::DomainNameCategoryW, DomainNameCategory<wchar_t>),
    Of(Core2::DomainRegisterStringA, DomainRegisterString<char>),
    Of(Core2::DomainRegisterStringW, DomainRegisterString<wchar_t>),
    Of(Core2::DomainCreateA, DomainCreate<char>),
    Of(Core2::DomainCreateW, DomainCreate<wchar_t>),
};

template <size_t N>
bool Fill(const nvtx::Callbacks& callbacks, nvtx::Module module, const Entry (&entries)[N]) {
  nvtx::Function** table = nullptr;
  unsigned size = 0;
  if (callbacks.GetModuleFunctionTable(module, &table, &size) == 0 || table == nullptr)
    return false;
  for (const Entry& entry : entries) {
    if (entry.at < size && table[entry.at] != nullptr) *table[entry.at] = entry.function;
  }
  return true;
}

}  // namespace

bool AttachNvtx(nvtx::GetExportTable get_table) {
  if (get_table == nullptr) return false;
  const auto* callbacks = static_cast<const nvtx::Callbacks*>(get_table(nvtx::kCallbacksTable));
  if (callbacks == nullptr || callbacks->bytes < sizeof *callbacks) return false;
  const bool has_core = Fill(*callbacks, nvtx::Module::core, kCore);
  return Fill(*callbacks, nvtx::Module::core2, kCore2) || has_core;
}

void MarkDomains() {
  pthread_mutex_lock(&g_domain_lock);
  g_round_domain = g_last_domain;
  pthread_mutex_unlock(&g_domain_lock);
}

void WriteDomains(SpoolFile* spool) {
  while (g_written_domain != g_round_domain) {
    g_written_domain = g_written_domain->next.load(std::memory_order_acquire);
    DomainRecord record{.name = IdOf(g_written_domain->name)};
    record.head.id = g_written_domain->id;
    spool->Add(0, record);
  }
}

void ForgetDomains() {
  pthread_mutex_init(&g_domain_lock, nullptr);
  g_written_domain = g_round_domain = &g_default_domain;
}

}  // namespace tfprof::capture
