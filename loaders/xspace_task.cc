// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_task.h"

#include <algorithm>
#include <array>

#include "loaders/xspace_forms.h"

namespace tfprof::xspace {
namespace {

constexpr uint32_t kRows = DetailBlock::kRows;
constexpr uint32_t kGiveBackRows = 2 * kRows;  // giving pages back interrupts the other threads
constexpr ptrdiff_t kAheadBytes = 512;
constexpr uint32_t kBatch = 128;  // of rows: first all are looked at, then the values are taken

// Rows of the columns whose events are of one line.
struct Segment {
  std::string_view line;
  uint32_t first = 0;
  uint32_t end = 0;
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

template <class Varint>
TFPROF_INLINE Value ValueAt(const EventForms::Place& place, const char* stats, Texts* texts) {
  using Kind = EventForms::Place::Kind;
  const uint64_t bits =
      Varint::Gather(wire::Load64(stats + place.at) & place.mask) + place.constant;
  if (place.kind == Kind::number) return {place.value, bits};
  if (place.kind == Kind::reference) return {place.value, texts->OfReference(bits)};
  return ValueOf(stats + place.at, texts);
}

// Of up to kBatch rows of one line.
template <class Varint>
TFPROF_INLINE void FindStats(const Reading& reading, const Segment& batch, Scratch* scratch) {
  const uint32_t* const details = reading.store.events.detail.data();
  const EventId* const chosen = reading.chosen.empty() ? nullptr : reading.chosen.data();
  const std::string_view line = batch.line;
  const size_t width = reading.slots.width();
  scratch->forms.Learn();
  for (uint32_t row = batch.first; row < batch.end; ++row) {
    const uint32_t detail = details[chosen != nullptr ? chosen[row].value : row];
    __builtin_prefetch(line.data() + detail + kAheadBytes);
    const std::string_view event = EventAt(line, detail);
    FoundEvent& found = scratch->events[row - batch.first];
    found.places = scratch->forms.template Find<Varint>(event, &found.base);
    if (found.places != nullptr) [[likely]]
      continue;
    uint32_t* const walked = scratch->walked.data() + (row - batch.first) * width;
    std::fill_n(walked, width, 0);
    reading.slots.Find(line.data(), event, walked);
    found.base = line.data();
  }
}

// Those of row k of the batch go to kinds[k] and bits[k].
template <class Varint>
TFPROF_INLINE void ReadValues(const Reading& reading, size_t of, const Segment& batch,
                              Scratch* scratch, uint8_t* kinds, uint64_t* bits) {
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

// The pages with the events of these rows were read and are no longer needed.
void GiveBack(const Reading& reading, uint32_t first, uint32_t last) {
  const auto place_of = [&](uint32_t row) {
    const EventId event(reading.EventOf(row));
    const Lane& lane = reading.store.lanes[LaneOf(reading.store, event).value];
    const uint32_t detail = reading.store.events.detail[event.value];
    const std::string_view line = reading.plane.lines[lane.index].bytes;
    return line.data() + std::min<size_t>(detail, line.size());
  };
  GivePagesBack(reading.state.file, place_of(first), place_of(last));
}

template <class Varint>
TFPROF_INLINE void ReadBlocks(const Reading& reading, Task* task,
                              std::span<DetailColumn* const> columns) {
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
  uint32_t read = task->rows.first;  // whose pages were not given back yet
  for (uint32_t first = task->rows.first; first < end; first += kRows) {
    const uint32_t count = std::min(kRows, end - first);
    FindSegments(reading, first, first + count, &scratch.segments);
    for (Segment rest : scratch.segments) {
      for (; rest.first < rest.end; rest.first += kBatch) {
        const Segment batch{rest.line, rest.first, std::min(rest.end, rest.first + kBatch)};
        FindStats<Varint>(reading, batch, &scratch);
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
    if (first + count - read >= kGiveBackRows || first + count == end) {
      GiveBack(reading, read, first + count - 1);
      read = first + count;
    }
  }
  for (const BlockOfKey& key : scratch.keys) task->texts.push_back(key.texts.Used());
}

TFPROF_GATHERS void ReadGathering(const Reading& reading, Task* task,
                                  std::span<DetailColumn* const> columns) {
  ReadBlocks<wire::GatheredVarint>(reading, task, columns);
  EndWide();
}
void ReadPlainly(const Reading& reading, Task* task, std::span<DetailColumn* const> columns) {
  ReadBlocks<wire::PlainVarint>(reading, task, columns);
}

}  // namespace

void ReadTask(const Reading& reading, Task* task, std::span<DetailColumn* const> columns) {
  const auto read = wire::gathers_bits ? ReadGathering : ReadPlainly;
  read(reading, task, columns);
}

}  // namespace tfprof::xspace
