// SPDX-License-Identifier: Apache-2.0
// Texts of the program, each kept and written once.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "capture/shim/control/windows.h"

namespace tfprof::capture {

struct ThreadLog;

struct NameEntry {
  std::atomic<NameEntry*> next{nullptr};  // by ID
  uint32_t id = 0;
  uint32_t length = 0;
  uint64_t hash = 0;
  NameMeaning meaning;
  char text[8];  // and more; ends with a zero byte

  std::string_view view() const { return {text, length}; }
};

// "aten::mm" of "aten::mm, seq = 3, op_id = 27": PyTorch numbers what it marks, so that each range
// would have a name of its own. `sequence` becomes the 3; without one it stays.
std::string_view WithoutNumbers(std::string_view text, int64_t* sequence);

// The entry of a text; the same for the same text. Null: there is no memory at all.
const NameEntry* Intern(std::string_view text);

// Likewise, by the place of a text: programs use the same one again and again, whose content may
// change.
const NameEntry* InternAt(ThreadLog* log, const char* text, int64_t* sequence);

// Converts to UTF-8; a lone surrogate or an invalid character becomes '?'.
const NameEntry* InternWide(const wchar_t* text);

// The first entry; null: there is none yet. Entries are only added.
const NameEntry* FirstName();

// Texts that were recorded as one, because there were too many.
uint64_t NamesBeyondCap();

// In a child after fork: the lock may have been held. Entries stay.
void UnlockNames();

}  // namespace tfprof::capture
