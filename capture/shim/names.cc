// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/names.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstring>
#include <new>

#include "capture/shim/chunks.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

// A program that makes a name per iteration must not fill the memory.
constexpr uint64_t kMostBytes = uint64_t{16} << 20;
constexpr uint32_t kSlots = 1 << 18;
constexpr uint32_t kMostNames = kSlots / 2;
constexpr std::string_view kFurther = "(further names)";

// Entries are published by their slot; the lock is for adding one.
struct Table {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<std::atomic<NameEntry*>*> slots{nullptr};
  std::atomic<NameEntry*> first{nullptr};
  NameEntry* last = nullptr;
  uint32_t count = 0;
  unsigned char* arena = nullptr;
  uint64_t arena_left = 0;
  uint64_t bytes = 0;
  std::atomic<uint64_t> beyond{0};
};
Table g_names;

void* Map(uint64_t bytes) {
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

uint64_t Hash(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9E3779B97F4A7C15;
  uint64_t hash = text.size();
  const char* at = text.data();
  size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, 8);
    hash = (hash ^ word) * kMultiplier;
    hash ^= hash >> 32;
  }
  uint64_t word = 0;
  std::memcpy(&word, at, left);
  hash = (hash ^ word) * kMultiplier;
  return hash ^ hash >> 29;
}

// Returns the entry, or null and the first empty slot.
NameEntry* Find(std::atomic<NameEntry*>* slots, std::string_view text, uint64_t hash,
                uint32_t* empty) {
  for (uint32_t at = static_cast<uint32_t>(hash) % kSlots;; at = (at + 1) % kSlots) {
    NameEntry* entry = slots[at].load(std::memory_order_acquire);
    *empty = at;
    if (entry == nullptr) return nullptr;
    if (entry->hash == hash && entry->view() == text) return entry;
  }
}

NameEntry* MakeEntry(std::string_view text, uint64_t hash, const NameMeaning& meaning) {
  constexpr uint64_t kArenaBytes = uint64_t{256} << 10;
  const uint64_t bytes = (sizeof(NameEntry) + text.size() + 8) / 8 * 8;
  if (g_names.arena_left < bytes) {
    g_names.arena = static_cast<unsigned char*>(Map(kArenaBytes));
    g_names.arena_left = g_names.arena != nullptr ? kArenaBytes : 0;
    if (g_names.arena == nullptr) return nullptr;
  }
  auto* entry = new (g_names.arena) NameEntry;
  g_names.arena += bytes;
  g_names.arena_left -= bytes;
  g_names.bytes += bytes;
  entry->id = ++g_names.count;
  entry->hash = hash;
  entry->meaning = meaning;
  entry->length = static_cast<uint32_t>(text.size());
  std::memcpy(entry->text, text.data(), text.size());
  entry->text[text.size()] = '\0';
  return entry;
}

std::atomic<NameEntry*>* Slots() {
  std::atomic<NameEntry*>* slots = g_names.slots.load(std::memory_order_acquire);
  if (slots != nullptr) return slots;
  slots = static_cast<std::atomic<NameEntry*>*>(Map(kSlots * sizeof *slots));
  if (slots != nullptr) g_names.slots.store(slots, std::memory_order_release);
  return slots;
}

// With the lock held.
NameEntry* Add(std::string_view text, uint64_t hash, const NameMeaning& meaning) {
  std::atomic<NameEntry*>* slots = Slots();
  if (slots == nullptr) return nullptr;
  uint32_t empty = 0;
  NameEntry* entry = Find(slots, text, hash, &empty);
  if (entry != nullptr) return entry;
  if (text != kFurther && (g_names.bytes > kMostBytes || g_names.count >= kMostNames)) {
    g_names.beyond.fetch_add(1, std::memory_order_relaxed);
    return Add(kFurther, Hash(kFurther), {});
  }
  entry = MakeEntry(text, hash, meaning);
  if (entry == nullptr) return nullptr;
  if (g_names.last != nullptr) {
    g_names.last->next.store(entry, std::memory_order_release);
  } else {
    g_names.first.store(entry, std::memory_order_release);
  }
  g_names.last = entry;
  slots[empty].store(entry, std::memory_order_release);
  return entry;
}

// `number` may be null.
bool StartsWithNumber(std::string_view text, std::string_view key, int64_t* number) {
  if (text.substr(0, key.size()) != key) return false;
  uint32_t value = 0;
  size_t at = key.size();
  for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    value = value * 10 + static_cast<uint32_t>(text[at] - '0');
  }
  if (at > key.size() && number != nullptr) *number = value;
  return at > key.size();
}

// Appends the UTF-8 of a code point; returns its bytes.
uint32_t EncodeUtf8(uint32_t point, char* to) {
  if (point >= 0x110000 || (point >= 0xD800 && point < 0xE000)) point = '?';
  if (point < 0x80) {
    to[0] = static_cast<char>(point);
    return 1;
  }
  const uint32_t further = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  constexpr unsigned char kLead[] = {0, 0xC0, 0xE0, 0xF0};
  for (uint32_t i = further; i > 0; --i, point >>= 6) {
    to[i] = static_cast<char>(0x80 | (point & 0x3F));
  }
  to[0] = static_cast<char>(kLead[further] | point);
  return further + 1;
}

}  // namespace

std::string_view WithoutNumbers(std::string_view text, int64_t* sequence) {
  for (size_t at = text.find(", "); at != text.npos; at = text.find(", ", at + 1)) {
    const std::string_view rest = text.substr(at + 2);
    if (StartsWithNumber(rest, "op_id = ", nullptr)) return text.substr(0, at);
    if (StartsWithNumber(rest, "seq = ", sequence)) return text.substr(0, at);
  }
  return text;
}

const NameEntry* Intern(std::string_view text) {
  text = text.substr(0, kMostTextBytes);
  const uint64_t hash = Hash(text);
  std::atomic<NameEntry*>* slots = g_names.slots.load(std::memory_order_acquire);
  uint32_t empty = 0;
  if (slots != nullptr) {
    if (const NameEntry* entry = Find(slots, text, hash, &empty)) return entry;
  }
  const NameMeaning meaning = MeaningOf(text);  // allocates, which the lock must not wait for
  pthread_mutex_lock(&g_names.lock);
  const NameEntry* entry = Add(text, hash, meaning);
  pthread_mutex_unlock(&g_names.lock);
  return entry;
}

const NameEntry* InternAt(ThreadLog* log, const char* text, int64_t* sequence) {
  const size_t at = (reinterpret_cast<uintptr_t>(text) >> 4) % ThreadLog::kRecentNames;
  const NameEntry* recent = log->recent_name[at];
  if (recent != nullptr && log->recent_place[at] == text && std::strcmp(recent->text, text) == 0) {
    return recent;
  }
  const NameEntry* entry = Intern(WithoutNumbers({text, strnlen(text, kMostTextBytes)}, sequence));
  log->recent_place[at] = text;
  log->recent_name[at] = entry;
  return entry;
}

const NameEntry* InternWide(const wchar_t* text) {
  char utf8[kMostTextBytes + 4];
  uint32_t length = 0;
  for (; *text != L'\0' && length < kMostTextBytes; ++text) {
    length += EncodeUtf8(static_cast<uint32_t>(*text), utf8 + length);
  }
  return Intern({utf8, length});
}

const NameEntry* FirstName() { return g_names.first.load(std::memory_order_acquire); }

uint64_t NamesBeyondCap() { return g_names.beyond.load(std::memory_order_relaxed); }

void UnlockNames() { pthread_mutex_init(&g_names.lock, nullptr); }

}  // namespace tfprof::capture
