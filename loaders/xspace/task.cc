// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/task.h"

#include <algorithm>
#include <array>

#include "loaders/xspace/forms.h"

namespace tfprof::xspace {
namespace {

constexpr uint32_t kBlockRows = DetailBlock::kRows;
constexpr uint32_t kReleaseRows = 2 * kBlockRows;  // giving pages back interrupts the other threads
constexpr ptrdiff_t kDetailAheadBytes = 512;
constexpr uint32_t kBatch = 128;  // rows; all are located first, then the values are read

// Rows of the columns whose events are in one line.
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

// Consecutive events of a batch with their values at the same positions.
struct UniformRun {
  const EventForms::Places* places = nullptr;  // null: they were walked
  uint32_t first = 0;
  uint32_t end = 0;
};

// Buffers of a task, reused for each block.
struct Scratch {
  EventForms forms;
  std::vector<Segment> segments;
  // Stats of events that were not walked: the base of their value positions.
  std::array<const char*, kBatch> bases;
  std::array<UniformRun, kBatch> uniform;
  size_t uniform_runs = 0;
  std::vector<uint32_t> walked;  // by event and slot: see StatSlots
  std::vector<BlockOfKey> keys;
};

void FindSegments(const Reading& reading, uint32_t first, uint32_t end,
                  std::vector<Segment>* segments) {
  segments->clear();
  while (first < end) {
    const Lane& lane =
        reading.store.lanes[LaneOf(reading.store, EventId(reading.EventOf(first))).value];
    const uint32_t lane_end = lane.rows.After();
    uint32_t next = std::min(end, lane_end);
    if (!reading.chosen.empty()) {
      const auto of = reading.chosen.subspan(first, end - first);
      const auto after = std::lower_bound(of.begin(), of.end(), EventId(lane_end));
      next = first + static_cast<uint32_t>(after - of.begin());
    }
    segments->push_back({reading.plane.lines[lane.index].bytes, first, next});
    first = next;
  }
}

// Finds the stats of up to kBatch rows of one line.
TFPROF_INLINE void FindStats(const Reading& reading, const Segment& batch, Scratch* scratch) {
  const uint32_t* const details = reading.store.events.detail.data();
  const EventId* const chosen = reading.chosen.empty() ? nullptr : reading.chosen.data();
  const std::string_view line = batch.line;
  const size_t width = reading.slots.width();
  scratch->forms.Learn();
  scratch->uniform_runs = 0;
  UniformRun* uniform = nullptr;
  for (uint32_t row = batch.first; row < batch.end; ++row) {
    const uint32_t detail = details[chosen != nullptr ? chosen[row].value : row];
    __builtin_prefetch(line.data() + detail + kDetailAheadBytes);
    const std::string_view event = EventAt(line, detail);
    const uint32_t k = row - batch.first;
    const char*& base = scratch->bases[k];
    const EventForms::Places* const places = scratch->forms.Find(event, &base);
    if (uniform == nullptr || uniform->places != places) {
      uniform = &scratch->uniform[scratch->uniform_runs++];
      *uniform = {places, k, k};
    }
    ++uniform->end;
    if (places != nullptr) [[likely]]
      continue;
    uint32_t* const walked = scratch->walked.data() + k * width;
    std::fill_n(walked, width, 0);
    reading.slots.Find(line.data(), event, walked);
  }
}

// Destination of a key's values in a batch, by row of the batch.
struct ValuesOfKey {
  uint8_t* kinds;
  uint64_t* bits;
  Texts* texts;

  TFPROF_INLINE void Set(uint32_t k, const Value& value) const {
    kinds[k] = static_cast<uint8_t>(value.kind);
    bits[k] = value.bits;
  }
};

// Reads a value at the same position in several events.
template <class Varint>
TFPROF_INLINE void ReadUniform(const EventForms::Place& place, const UniformRun& rows,
                               const char* const* bases, const char* line_end,
                               const ValuesOfKey& to) {
  using Kind = EventForms::Place::Kind;
  const uint64_t mask = place.mask, constant = place.constant;
  const uint8_t at = place.at;
  const ValueKind kind = place.value;
  const auto bits_of = [&](uint32_t k) {
    return Varint::Gather(wire::Load64(bases[k] + at) & mask) + constant;
  };
  if (place.kind == Kind::any) {
    for (uint32_t k = rows.first; k < rows.end; ++k) {
      to.Set(k, ValueOf(bases[k] + at, line_end, to.texts));
    }
  } else if (mask == 0) {
    for (uint32_t k = rows.first; k < rows.end; ++k) to.Set(k, {kind, constant});
  } else {
    for (uint32_t k = rows.first; k < rows.end; ++k) to.Set(k, {kind, bits_of(k)});
  }
  if (place.kind == Kind::reference) {
    to.texts->OfReferences({to.bits + rows.first, rows.end - rows.first});
  }
}

// Takes values that events lack from their labels.
void ReadLabelValues(const Reading& reading, size_t of, const Segment& batch,
                     const ValuesOfKey& to) {
  const std::vector<Value>& of_label = reading.of_label[of];
  for (uint32_t row = batch.first; row < batch.end; ++row) {
    const uint32_t k = row - batch.first;
    if (static_cast<ValueKind>(to.kinds[k]) != ValueKind::absent) continue;
    const uint32_t label = reading.store.events.label[reading.EventOf(row)].value;
    to.Set(k, of_label[label - reading.process.labels.first]);
  }
}

template <class Varint>
TFPROF_INLINE void ReadValues(const Reading& reading, size_t of, const Segment& batch,
                              const Scratch& scratch, const ValuesOfKey& to) {
  const size_t width = reading.slots.width();
  for (size_t i = 0; i < scratch.uniform_runs; ++i) {
    const UniformRun& rows = scratch.uniform[i];
    if (rows.places != nullptr) [[likely]] {
      ReadUniform<Varint>((*rows.places)[of], rows, scratch.bases.data(),
                          batch.line.data() + batch.line.size(), to);
      continue;
    }
    for (uint32_t k = rows.first; k < rows.end; ++k) {
      const uint32_t* const walked = scratch.walked.data() + k * width;
      to.Set(k, ValueIn(reading.keys[of], walked, batch.line, to.texts));
    }
  }
  if (!reading.of_label[of].empty()) ReadLabelValues(reading, of, batch, to);
}

// Releases the pages with the events of these rows, which are no longer needed.
void ReleaseRead(const Reading& reading, uint32_t first, uint32_t last) {
  const auto place_of = [&](uint32_t row) {
    const EventId event(reading.EventOf(row));
    const Lane& lane = reading.store.lanes[LaneOf(reading.store, event).value];
    const uint32_t detail = reading.store.events.detail[event.value];
    const std::string_view line = reading.plane.lines[lane.index].bytes;
    return line.data() + std::min<size_t>(detail, line.size());
  };
  ReleasePages(reading.state.file, place_of(first), place_of(last));
}

template <class Varint>
TFPROF_INLINE void ReadBlocks(const Reading& reading, Task* task,
                              std::span<DetailColumn* const> columns) {
  const size_t rows = std::min(kBlockRows, task->rows.count);
  Scratch scratch{EventForms(reading.slots, reading.keys),
                  {},
                  {},
                  {},
                  0,
                  std::vector<uint32_t>(kBatch * reading.slots.width()),
                  {}};
  for (OwnTexts& own : *reading.own) {
    scratch.keys.push_back(
        {std::vector<uint8_t>(rows), std::vector<uint64_t>(rows), Texts(reading.names, &own)});
  }
  const uint32_t end = task->rows.After();
  uint32_t read = task->rows.first;  // first row whose pages are not released yet
  for (uint32_t first = task->rows.first; first < end; first += kBlockRows) {
    const uint32_t count = std::min(kBlockRows, end - first);
    FindSegments(reading, first, first + count, &scratch.segments);
    for (Segment rest : scratch.segments) {
      for (; rest.first < rest.end; rest.first += kBatch) {
        const Segment batch{rest.line, rest.first, std::min(rest.end, rest.first + kBatch)};
        FindStats(reading, batch, &scratch);
        for (size_t i = 0; i < reading.keys.size(); ++i) {
          BlockOfKey& key = scratch.keys[i];
          const uint32_t at = batch.first - first;
          ReadValues<Varint>(reading, i, batch, scratch,
                             {key.kinds.data() + at, key.bits.data() + at, &key.texts});
        }
      }
    }
    for (size_t i = 0; i < reading.keys.size(); ++i) {
      const BlockOfKey& key = scratch.keys[i];
      columns[i]->blocks[(first - reading.rows.first) / kBlockRows] =
          DetailBlock({key.kinds.data(), count}, {key.bits.data(), count});
    }
    if (first + count - read >= kReleaseRows || first + count == end) {
      ReleaseRead(reading, read, first + count - 1);
      read = first + count;
    }
  }
  for (const BlockOfKey& key : scratch.keys) task->texts.push_back(key.texts.Used());
}

TFPROF_GATHERS void ReadGathering(const Reading& reading, Task* task,
                                  std::span<DetailColumn* const> columns) {
  ReadBlocks<wire::GatheredVarint>(reading, task, columns);
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
