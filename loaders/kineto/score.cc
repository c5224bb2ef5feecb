// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/score.h"

#include <algorithm>

#include "loaders/kineto/entry.h"

namespace tfprof::kineto {
namespace {

constexpr size_t kLookedAt = size_t{1} << 20;
constexpr int kCertain = 100;

// True if the list at the cursor has an entry of a trace, or is empty.
bool HasEntries(json::Cursor cursor, bool may_be_empty) {
  Take('[', &cursor);
  if (may_be_empty && Take(']', &cursor)) return true;
  Entry entry;
  // A malformed entry, or one that is cut off, is judged by the members before the damage.
  const bool is_whole = ReadEntry(&cursor, &entry);
  const bool has_place = !entry.start.empty() || !entry.pid.IsNull();
  return entry.phase != '\0' && (entry.phase == 'M' || has_place || !is_whole);
}

}  // namespace

int Score(std::string_view bytes) {
  json::Cursor cursor = BeginningOf(bytes);
  if (cursor.Is('[')) return HasEntries(cursor, false) ? kCertain : 0;
  if (!Take('{', &cursor)) return 0;
  do {
    SkipSpace(&cursor);
    json::Text key;
    if (!cursor.Is('"') || !ReadText(&cursor, &key) || !Take(':', &cursor)) return 0;
    SkipSpace(&cursor);
    if (key.raw == "traceEvents") return cursor.Is('[') && HasEntries(cursor, true) ? kCertain : 0;
    if (static_cast<size_t>(cursor.at - bytes.data()) > kLookedAt) return 0;
    if (!SkipValue(&cursor)) return 0;
  } while (Take(',', &cursor));
  return 0;
}

bool IsTimeline(std::string_view bytes) {
  // After the events; behind it are the names of files, and notes.
  constexpr std::string_view kMark = "],\n\"otherData\":{\"tool\":\"tfprof\"";
  const size_t looked_at = std::min(bytes.size(), kLookedAt);
  return bytes.substr(bytes.size() - looked_at).rfind(kMark) != bytes.npos;
}

}  // namespace tfprof::kineto
