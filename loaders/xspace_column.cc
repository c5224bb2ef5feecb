// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_column.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "core/parallel.h"
#include "core/store.h"
#include "loaders/wire.h"
#include "loaders/xspace_events.h"
#include "loaders/xspace_keys.h"

namespace tfprof::xspace {
namespace {

using wire::kBytes;
using wire::kVarint;
using wire::Tag;

constexpr uint32_t kChunkRows = 1 << 16;

// Texts have ids in the finished column only. While reading, a text is one of its chunk, the name
// of a stat metadata, or (of labels) one of the column already.
constexpr uint64_t kOfChunk = 0;
constexpr uint64_t kOfPlane = uint64_t{1} << 62;
constexpr uint64_t kOfColumn = uint64_t{2} << 62;
constexpr uint64_t kWhere = uint64_t{3} << 62;

struct Value {
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;
};

bool IsText(ValueKind kind) { return kind == ValueKind::text || kind == ValueKind::bytes; }

// The stats that are looked for, by id; the earlier, the better.
struct Wanted {
  std::array<int64_t, std::size(Spelling{}.stats)> ids{};
  std::array<uint8_t, std::size(Spelling{}.stats)> places{};  // in the spelling
  size_t count = 0;

  size_t Find(int64_t id) const {
    for (size_t i = 0; i < count; ++i) {
      if (ids[i] == id) return i;
    }
    return count;
  }
};

Wanted Want(const Spelling& spelling, const StatNames& names) {
  Wanted wanted;
  for (size_t place = 0; place < std::size(spelling.stats); ++place) {
    if (spelling.stats[place].empty()) continue;
    for (size_t i = 0; i < names.names.size() && wanted.count < wanted.ids.size(); ++i) {
      if (names.names[i] != spelling.stats[place]) continue;
      wanted.ids[wanted.count] = names.ids[i];
      wanted.places[wanted.count++] = static_cast<uint8_t>(place);
    }
  }
  return wanted;
}

// What the walk over the stats of an event or label found.
struct Found {
  size_t which;
  std::string_view stat;
};

constexpr char kKeyTag = Tag(1, kVarint);

// The key of a stat; as a rule its first field.
int64_t KeyOf(std::string_view stat) {
  if (stat.size() < 2 || stat[0] != kKeyTag) return ReadStat(stat).key;
  uint64_t key = 0;
  const char* behind = wire::ReadVarint(stat.data() + 1, &key);
  if (behind == nullptr || behind > stat.data() + stat.size()) return 0;
  return static_cast<int64_t>(key);
}

// Behind id, offset and duration of an event that begins with them, as all writers have it; else
// its begin.
TFPROF_INLINE const char* BehindTimes(std::string_view event) {
  const char* const end = event.data() + event.size();
  const char* at = event.data();
  for (uint32_t field = 1; field <= 3; ++field) {
    if (at >= end || static_cast<uint8_t>(*at) != Tag(field, kVarint)) continue;
    at = wire::SkipVarint(at + 1);
    if (at == nullptr || at > end) return event.data();
  }
  return at;
}

// A stat of less than 128 bytes that begins with a key of one byte, as nearly all do, at `at`.
TFPROF_INLINE bool IsShortStat(const char* at, const char* end, uint32_t tag) {
  return end - at >= 4 && static_cast<uint8_t>(at[0]) == tag && at[1] >= 2 &&
         end - at - 2 >= at[1] && at[2] == kKeyTag && at[3] >= 0;
}

// The fields from `at` on; `tag`: of the stats among them.
TFPROF_INLINE Found FindStat(const char* at, const char* end, uint32_t tag, const Wanted& wanted) {
  Found found{wanted.count, {}};
  while (at < end && found.which != 0) {
    std::string_view stat;
    size_t which = wanted.count;
    if (IsShortStat(at, end, tag)) [[likely]] {
      which = wanted.Find(at[3]);
      stat = {at + 2, static_cast<size_t>(at[1])};
      at += 2 + at[1];
    } else {
      wire::Fields fields({at, static_cast<size_t>(end - at)});
      if (!fields.Next()) break;
      if (fields.tag() == tag) {
        stat = fields.Bytes();
        which = wanted.Find(KeyOf(stat));
      } else {
        fields.Skip();
      }
      at = fields.position();
    }
    if (which < found.which) found = {which, stat};
  }
  return found;
}

// What all chunks share, read-only.
struct Reading {
  const DetailState& state;
  const Store& store;
  const Process& process;
  const Plane& plane;
  const StatNames& names;
  Spelling spelling;
  Wanted wanted;
  std::span<const EventId> chosen = {};  // empty: all events
  std::vector<Value> of_label = {};      // by label of the process; empty: no label tells the key
};

// Rows of DetailColumn::rows, whose events are of one lane.
struct Chunk {
  uint32_t lane = 0;
  uint32_t first = 0;
  uint32_t end = 0;
  bool has_texts = false;
  Names texts = {};
};

Value ValueOf(const Found& found, const Reading& reading, Names* texts) {
  if (found.which == reading.wanted.count) return {};
  if (reading.spelling.presence != nullptr) {
    return {ValueKind::integer, reading.spelling.presence[reading.wanted.places[found.which]]};
  }
  const Stat stat = ReadStat(found.stat);
  if (!IsText(stat.kind)) return {stat.kind, stat.bits};
  if (stat.form == Stat::Form::reference) {
    const uint32_t place = reading.names.index.Find(static_cast<int64_t>(stat.bits));
    if (place != IdIndex::kNone) return {stat.kind, kOfPlane | place};
  }
  return {stat.kind, kOfChunk | texts->Intern(Resolve(stat, reading.names).text).value};
}

void ReadChunk(const Reading& reading, DetailColumn* column, Chunk* chunk) {
  const Lane& lane = reading.store.lanes[chunk->lane];
  const std::string_view line = reading.plane.lines[lane.index].bytes;
  const Events& events = reading.store.events;
  uint8_t texts = 0;
  for (uint32_t row = chunk->first; row < chunk->end; ++row) {
    const uint32_t of = reading.chosen.empty() ? row : reading.chosen[row].value;
    const std::string_view event = EventAt(line, events.detail[of]);
    const Found found =
        FindStat(BehindTimes(event), event.data() + event.size(), Tag(4, kBytes), reading.wanted);
    Value value = ValueOf(found, reading, &chunk->texts);
    if (value.kind == ValueKind::absent && !reading.of_label.empty()) {
      value = reading.of_label[events.label[of].value - reading.process.labels.first];
    }
    texts |= IsText(value.kind);
    column->kind[row - column->rows.first] = static_cast<uint8_t>(value.kind);
    column->bits[row - column->rows.first] = value.bits;
  }
  chunk->has_texts = texts != 0;
}

// Gives the texts of all chunks the ids of the column.
void Renumber(const Reading& reading, const Chunk& chunk, std::vector<NameId>* of_plane,
              DetailColumn* column) {
  if (!chunk.has_texts) return;
  std::vector<NameId> of_chunk(chunk.texts.size());
  for (uint32_t row = chunk.first; row < chunk.end; ++row) {
    const uint32_t at = row - column->rows.first;
    if (!IsText(static_cast<ValueKind>(column->kind[at]))) continue;
    const auto number = static_cast<uint32_t>(column->bits[at] & ~kWhere);
    const uint64_t where = column->bits[at] & kWhere;
    if (where == kOfColumn) {
      column->bits[at] = number;
      continue;
    }
    NameId& id = where == kOfPlane ? (*of_plane)[number] : of_chunk[number];
    if (!id.some()) {
      id = column->texts.Intern(where == kOfPlane ? reading.names.names[number]
                                                  : chunk.texts[NameId(number)]);
    }
    column->bits[at] = id.value;
  }
}

// What the labels say for the events that do not.
void ReadLabels(Reading* reading, Names* texts) {
  std::vector<Value> values(reading->process.labels.count);
  bool any = false;
  for (size_t i = 0; i < reading->plane.event_metadata.size(); ++i) {
    const std::string_view metadata = reading->plane.event_metadata[i].value;
    const Found found = FindStat(metadata.data(), metadata.data() + metadata.size(), Tag(5, kBytes),
                                 reading->wanted);
    values[i] = ValueOf(found, *reading, texts);
    any |= values[i].kind != ValueKind::absent;
    const bool is_own = IsText(values[i].kind) && (values[i].bits & kWhere) == kOfChunk;
    if (is_own) values[i].bits |= kOfColumn;
  }
  if (any) reading->of_label = std::move(values);
}

// Takes the value out of the texts, once per text.
void ParseTexts(const Spelling& spelling, DetailColumn* column) {
  Names texts;
  std::vector<Value> values(column->texts.size());
  for (uint32_t i = 0; i < values.size(); ++i) {
    const Parsed parsed = spelling.parse(column->texts[NameId(i)]);
    values[i] = {parsed.kind, IsText(parsed.kind) ? texts.Intern(parsed.text).value : parsed.bits};
  }
  for (size_t at = 0; at < column->kind.size(); ++at) {
    const bool text = IsText(static_cast<ValueKind>(column->kind[at]));
    const Value value = text ? values[column->bits[at]] : Value{};
    column->kind[at] = static_cast<uint8_t>(value.kind);
    column->bits[at] = value.bits;
  }
  column->texts = std::move(texts);
}

std::vector<Chunk> ChunksOf(const Store& store, const Process& process) {
  std::vector<Chunk> chunks;
  for (uint32_t lane = process.lanes.first; lane < process.lanes.first + process.lanes.count;
       ++lane) {
    const Range rows = store.lanes[lane].rows;
    for (uint32_t at = 0; at < rows.count; at += kChunkRows) {
      chunks.push_back({lane, rows.first + at, rows.first + std::min(at + kChunkRows, rows.count)});
    }
  }
  return chunks;
}

std::vector<Chunk> ChunksOf(const Store& store, std::span<const EventId> chosen) {
  std::vector<Chunk> chunks;
  uint32_t lane_end = 0;
  for (uint32_t i = 0; i < chosen.size(); ++i) {
    if (chunks.empty() || chosen[i].value >= lane_end) {
      const LaneId lane = LaneOf(store, chosen[i]);
      const Range rows = store.lanes[lane.value].rows;
      lane_end = rows.first + rows.count;
      chunks.push_back({lane.value, i, i});
    } else if (i - chunks.back().first == kChunkRows) {
      chunks.push_back({chunks.back().lane, i, i});
    }
    chunks.back().end = i + 1;
  }
  return chunks;
}

Result<DetailColumn> ReadRows(const DetailState& state, const Store& store, ProcessId id,
                              std::span<const EventId> chosen, std::string_view key,
                              std::vector<Chunk> chunks, Context& context) {
  const Process& process = store.processes[id.value];
  const Spelling spelling = SpellingOf(key);
  const StatNames& names = state.names[process.index];
  Reading reading{state,
                  store,
                  process,
                  state.layout.planes[process.index],
                  names,
                  spelling,
                  Want(spelling, names),
                  chosen};
  DetailColumn column;
  if (reading.wanted.count == 0 || chunks.empty()) return column;
  column.rows = {chunks.front().first, chunks.back().end - chunks.front().first};
  column.kind.Extend(column.rows.count);
  column.bits.Extend(column.rows.count);
  ReadLabels(&reading, &column.texts);
  const size_t threads = ThreadsFor(reading.plane.bytes.size());
  TFPROF_TRY(ForEachTask(chunks.size(), threads, context,
                         [&](size_t i) { ReadChunk(reading, &column, &chunks[i]); }));
  std::vector<NameId> of_plane(names.names.size());
  for (const Chunk& chunk : chunks) Renumber(reading, chunk, &of_plane, &column);
  if (spelling.parse != nullptr) ParseTexts(spelling, &column);
  return column;
}

}  // namespace

std::string_view EventAt(std::string_view line, uint32_t detail) {
  if (detail >= line.size()) return {};
  uint64_t size = 0;
  const char* end = line.data() + line.size();
  const char* start = wire::ReadVarint(line.data() + detail, &size);
  if (start == nullptr || start > end || size > static_cast<uint64_t>(end - start)) return {};
  return {start, static_cast<size_t>(size)};
}

Result<DetailColumn> ReadColumn(const DetailState& state, const Store& store, ProcessId process,
                                std::string_view key, Context& context) {
  std::vector<Chunk> chunks = ChunksOf(store, store.processes[process.value]);
  return ReadRows(state, store, process, {}, key, std::move(chunks), context);
}

Result<DetailColumn> ReadColumn(const DetailState& state, const Store& store, ProcessId process,
                                std::span<const EventId> events, std::string_view key,
                                Context& context) {
  return ReadRows(state, store, process, events, key, ChunksOf(store, events), context);
}

}  // namespace tfprof::xspace
