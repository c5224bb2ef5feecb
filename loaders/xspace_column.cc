// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_column.h"

#include <algorithm>
#include <deque>

#include "core/parallel.h"
#include "core/store.h"
#include "loaders/xspace_events.h"
#include "loaders/xspace_forms.h"
#include "loaders/xspace_values.h"

namespace tfprof::xspace {
namespace {

constexpr uint32_t kRows = DetailBlock::kRows;
constexpr uint32_t kTaskRows = 16 * kRows;
constexpr uint32_t kBatch = 128;  // of rows: first all are looked at, then the values are taken
constexpr size_t kMostKeys = EventForms::kMostKeys;  // of one walk

// What all tasks share.
struct Reading {
  const DetailState& state;
  const Store& store;
  const Process& process;
  const Plane& plane;
  const StatNames& names;
  std::span<const EventId> chosen;  // empty: all events
  Range rows;                       // of the columns
  std::deque<OwnTexts>* own;        // by key
  StatSlots slots = {};
  std::vector<WantedKey> keys = {};
  std::vector<std::vector<Value>> of_label = {};  // by key and label; empty: no label tells it
  std::vector<std::vector<uint32_t>> texts = {};  // by key: the numbers of those of labels

  uint32_t EventOf(uint32_t row) const { return chosen.empty() ? row : chosen[row].value; }
};

// Rows of the columns whose events are of one line.
struct Segment {
  std::string_view line;
  uint32_t first = 0;
  uint32_t end = 0;
};

// Blocks that are read one after the other, by one thread.
struct Task {
  Range rows;
  std::vector<std::vector<uint32_t>> texts = {};  // by key: the numbers of those that it met
};

// The values of a key in a block, by row.
struct BlockOfKey {
  std::vector<uint8_t> kinds;
  std::vector<uint64_t> bits;
  Texts texts;
};

// Where the values of an event stand: `places`, counted from its stats, or what a walk found,
// counted from its line.
struct FoundEvent {
  const EventForms::Places* places = nullptr;
  const char* base = nullptr;
};

// The memory of a task, used again for each block.
struct Scratch {
  EventForms forms;
  std::vector<Segment> segments;
  std::array<FoundEvent, kBatch> events;
  std::vector<uint32_t> walked;  // by event and slot: see StatSlots
  std::vector<BlockOfKey> keys;
};

// ---- values ------------------------------------------------------------------------------------

void FindSegments(const Reading& reading, uint32_t first, uint32_t end,
                  std::vector<Segment>* segments) {
  segments->clear();
  while (first < end) {
    const Lane& lane =
        reading.store.lanes[LaneOf(reading.store, EventId(reading.EventOf(first))).value];
    const uint32_t lane_end = lane.rows.first + lane.rows.count;
    uint32_t next = std::min(end, lane_end);
    if (!reading.chosen.empty()) {
      const auto of = reading.chosen.subspan(first, end - first);
      const auto behind = std::lower_bound(of.begin(), of.end(), EventId(lane_end));
      next = first + static_cast<uint32_t>(behind - of.begin());
    }
    segments->push_back({reading.plane.lines[lane.index].bytes, first, next});
    first = next;
  }
}

// `found`: of one event; `base`: what it is counted from.
TFPROF_INLINE Value ValueIn(const WantedKey& key, const uint32_t* found, const char* base,
                            Texts* texts) {
  const size_t which = key.Which(found);
  if (which == key.stats) return {};
  if (key.spelling.presence != nullptr) return {ValueKind::integer, key.Presence(which)};
  return ValueOf(base + found[key.slots[which]], texts);
}

template <class Varint>
TFPROF_INLINE Value ValueAt(const EventForms::Place& place, const char* stats, Texts* texts) {
  using Kind = EventForms::Place::Kind;
  switch (place.kind) {
    case Kind::absent:
      return {};
    case Kind::constant:
      return {place.value, place.mask};
    case Kind::any:
      return ValueOf(stats + place.at, texts);
    case Kind::number:
    case Kind::reference:
      break;
  }
  const uint64_t bits = Varint::Gather(wire::Load64(stats + place.at) & place.mask);
  return {place.value, place.kind == Kind::number ? bits : texts->OfReference(bits)};
}

// Of up to kBatch rows of one line.
void FindStats(const Reading& reading, const Segment& batch, Scratch* scratch) {
  const Column<uint32_t>& details = reading.store.events.detail;
  const size_t width = reading.slots.width();
  scratch->forms.Learn();
  for (uint32_t row = batch.first; row < batch.end; ++row) {
    const std::string_view event = EventAt(batch.line, details[reading.EventOf(row)]);
    FoundEvent& found = scratch->events[row - batch.first];
    found.places = scratch->forms.Find(event, &found.base);
    if (found.places != nullptr) [[likely]]
      continue;
    uint32_t* const walked = scratch->walked.data() + (row - batch.first) * width;
    std::fill_n(walked, width, 0);
    reading.slots.Find(batch.line.data(), event, walked);
    found.base = batch.line.data();
  }
}

// Those of row k of the batch go to kinds[k] and bits[k].
template <class Varint>
void ReadValues(const Reading& reading, size_t of, const Segment& batch, Scratch* scratch,
                uint8_t* kinds, uint64_t* bits) {
  const WantedKey& key = reading.keys[of];
  const std::vector<Value>& of_label = reading.of_label[of];
  const LabelId* const labels = of_label.empty() ? nullptr : reading.store.events.label.data();
  const size_t width = reading.slots.width();
  Texts* const texts = &scratch->keys[of].texts;
  const uint32_t count = batch.end - batch.first;
  for (uint32_t k = 0; k < count; ++k) {
    const FoundEvent& found = scratch->events[k];
    Value value = found.places != nullptr
                      ? ValueAt<Varint>((*found.places)[of], found.base, texts)
                      : ValueIn(key, scratch->walked.data() + k * width, found.base, texts);
    if (labels != nullptr && value.kind == ValueKind::absent) {
      const uint32_t label = labels[reading.EventOf(batch.first + k)].value;
      value = of_label[label - reading.process.labels.first];
    }
    kinds[k] = static_cast<uint8_t>(value.kind);
    bits[k] = value.bits;
  }
}

// What the labels say for the events that do not.
void ReadLabels(Reading* reading) {
  const size_t keys = reading->keys.size();
  std::vector<Texts> texts;
  for (size_t i = 0; i < keys; ++i) texts.emplace_back(reading->names, &(*reading->own)[i]);
  reading->of_label.resize(keys);
  std::vector<uint32_t> found(reading->slots.width());
  for (size_t label = 0; label < reading->plane.event_metadata.size(); ++label) {
    const std::string_view metadata = reading->plane.event_metadata[label].value;
    std::fill(found.begin(), found.end(), 0);
    reading->slots.FindAny(metadata.data(), metadata, wire::Tag(5, wire::kBytes), found.data());
    for (size_t i = 0; i < keys; ++i) {
      const Value value = ValueIn(reading->keys[i], found.data(), metadata.data(), &texts[i]);
      if (value.kind == ValueKind::absent) continue;
      reading->of_label[i].resize(reading->process.labels.count);
      reading->of_label[i][label] = value;
    }
  }
  for (const Texts& of_key : texts) reading->texts.push_back(of_key.Used());
}

// ---- columns -----------------------------------------------------------------------------------

// The pages that a task has read are no longer needed.
void GiveBack(const Reading& reading, const Task& task) {
  const auto place_of = [&](uint32_t row) {
    const EventId event(reading.EventOf(row));
    const Lane& lane = reading.store.lanes[LaneOf(reading.store, event).value];
    const uint32_t detail = reading.store.events.detail[event.value];
    const std::string_view line = reading.plane.lines[lane.index].bytes;
    return line.data() + std::min<size_t>(detail, line.size());
  };
  GivePagesBack(reading.state.file, place_of(task.rows.first),
                place_of(task.rows.first + task.rows.count - 1));
}

template <class Varint>
void ReadTask(const Reading& reading, Task* task, const std::vector<DetailColumn*>& columns) {
  const size_t rows = std::min(kRows, task->rows.count);
  Scratch scratch{EventForms(reading.slots, reading.keys),
                  {},
                  {},
                  std::vector<uint32_t>(kBatch * reading.slots.width()),
                  {}};
  for (OwnTexts& own : *reading.own) {
    scratch.keys.push_back(
        {std::vector<uint8_t>(rows), std::vector<uint64_t>(rows), Texts(reading.names, &own)});
  }
  const uint32_t end = task->rows.first + task->rows.count;
  for (uint32_t first = task->rows.first; first < end; first += kRows) {
    const uint32_t count = std::min(kRows, end - first);
    FindSegments(reading, first, first + count, &scratch.segments);
    for (Segment rest : scratch.segments) {
      for (; rest.first < rest.end; rest.first += kBatch) {
        const Segment batch{rest.line, rest.first, std::min(rest.end, rest.first + kBatch)};
        FindStats(reading, batch, &scratch);
        for (size_t i = 0; i < reading.keys.size(); ++i) {
          BlockOfKey& key = scratch.keys[i];
          ReadValues<Varint>(reading, i, batch, &scratch, key.kinds.data() + (batch.first - first),
                             key.bits.data() + (batch.first - first));
        }
      }
    }
    for (size_t i = 0; i < reading.keys.size(); ++i) {
      const BlockOfKey& key = scratch.keys[i];
      columns[i]->blocks[(first - reading.rows.first) / kRows] =
          DetailBlock({key.kinds.data(), count}, {key.bits.data(), count});
    }
  }
  for (const BlockOfKey& key : scratch.keys) task->texts.push_back(key.texts.Used());
  GiveBack(reading, *task);
}

std::vector<Task> TasksOf(Range rows) {
  std::vector<Task> tasks;
  for (uint32_t at = 0; at < rows.count; at += kTaskRows) {
    tasks.push_back({{rows.first + at, std::min(kTaskRows, rows.count - at)}});
  }
  return tasks;
}

// Gives the texts that there are the ids of the column.
void NumberTexts(const Reading& reading, size_t key, const std::vector<Task>& tasks,
                 DetailColumn* column) {
  const std::vector<std::string_view>& of_plane = reading.names.names;
  const Names& own = (*reading.own)[key].names;
  const auto add = [&](const std::vector<uint32_t>& numbers) {
    for (const uint32_t number : numbers) {
      if (number >= column->text_of.size()) column->text_of.resize(number + 1);
      NameId& id = column->text_of[number];
      if (id.some()) continue;
      id = column->texts.Intern(number < of_plane.size() ? of_plane[number]
                                                         : own[NameId(number - of_plane.size())]);
    }
  };
  add(reading.texts[key]);
  for (const Task& task : tasks) add(task.texts[key]);
  column->text_of.shrink_to_fit();
}

// The rows of all events of a process.
Range RowsOf(const Store& store, const Process& process) {
  Range rows;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Range of_lane = store.lanes[process.lanes.first + i].rows;
    if (of_lane.count == 0) continue;
    if (rows.count == 0) rows.first = of_lane.first;
    rows.count = of_lane.first + of_lane.count - rows.first;
  }
  return rows;
}

// Up to kMostKeys keys.
Result<void> ReadAtOnce(const DetailState& state, const Store& store, ProcessId id,
                        std::span<const EventId> chosen, Range rows, DetailKeys keys,
                        std::span<DetailColumn> columns, Context& context) {
  const Process& process = store.processes[id.value];
  std::deque<OwnTexts> own;
  Reading reading{
      state,  store, process, state.layout.planes[process.index], state.names[process.index],
      chosen, rows,  &own};
  std::vector<DetailColumn*> to;
  for (size_t i = 0; i < keys.size(); ++i) {
    const WantedKey key = Want(SpellingOf(keys[i]), reading.names, &reading.slots);
    if (key.stats == 0) continue;
    reading.keys.push_back(key);
    to.push_back(&columns[i]);
  }
  if (to.empty()) return {};
  own.resize(to.size());
  ReadLabels(&reading);
  for (DetailColumn* column : to) {
    column->rows = rows;
    column->blocks.resize((rows.count + kRows - 1) / kRows);
  }
  std::vector<Task> tasks = TasksOf(rows);
  const auto read =
      wire::GathersBits() ? ReadTask<wire::GatheredVarint> : ReadTask<wire::PlainVarint>;
  TFPROF_TRY(ForEachTask(tasks.size(), ThreadsFor(reading.plane.bytes.size()), context,
                         [&](size_t i) { read(reading, &tasks[i], to); }));
  for (size_t i = 0; i < to.size(); ++i) {
    NumberTexts(reading, i, tasks, to[i]);
    if (reading.keys[i].spelling.parse != nullptr) ParseTexts(reading.keys[i].spelling, to[i]);
  }
  return {};
}

Result<std::vector<DetailColumn>> ReadRows(const DetailState& state, const Store& store,
                                           ProcessId id, std::span<const EventId> chosen,
                                           Range rows, DetailKeys keys, Context& context) {
  std::vector<DetailColumn> columns(keys.size());
  for (size_t i = 0; i < keys.size() && rows.count > 0; i += kMostKeys) {
    const size_t count = std::min(kMostKeys, keys.size() - i);
    TFPROF_TRY(ReadAtOnce(state, store, id, chosen, rows, keys.subspan(i, count),
                          std::span(columns).subspan(i, count), context));
  }
  return columns;
}

}  // namespace

Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, DetailKeys keys,
                                              Context& context) {
  const Range rows = RowsOf(store, store.processes[process.value]);
  return ReadRows(state, store, process, {}, rows, keys, context);
}

Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, std::span<const EventId> events,
                                              DetailKeys keys, Context& context) {
  const Range rows{0, static_cast<uint32_t>(events.size())};
  return ReadRows(state, store, process, events, rows, keys, context);
}

}  // namespace tfprof::xspace
