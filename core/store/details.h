// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/ids.h"
#include "core/base/narrow.h"
#include "core/store/names.h"
#include "core/store/tensor.h"

// Attributes of records (stats, args): they stay in the file and are read when a question needs
// them, one key at a time. Core knows neither the format nor its spelling of the keys.

namespace tfprof {

struct Store;
struct Program;
struct Allocation;
struct AllocationPlace;

enum class ValueKind : uint8_t { absent, integer, natural, real, text, bytes };

// An attribute as it was found. Texts lie in the file, or in `owned`.
struct Detail {
  std::string_view key;  // as the file spells it
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;      // integer: int64; natural: uint64; real: double
  std::string_view text;  // text, bytes
  std::shared_ptr<const void> owned;
};

// The values of kRows rows of a key, as narrow as they are; their kinds take a byte a row only
// where they differ.
class DetailBlock {
 public:
  static constexpr uint32_t kRows = NarrowBlock::kRows;

  DetailBlock() = default;
  // The values of so many rows: numbers as their 64 bits, texts as rows of DetailColumn::text_of.
  DetailBlock(std::span<const uint8_t> kinds, std::span<const uint64_t> bits);

  ValueKind Kind(uint32_t row) const { return static_cast<ValueKind>(kinds_[row]); }
  uint64_t Bits(uint32_t row) const { return bits_[row]; }
  // The first row behind `row` whose kind or bits are others; `end` if there is none before it.
  uint32_t EqualUntil(uint32_t row, uint32_t end) const {
    return kinds_.rows().EqualUntil(row, bits_.rows().EqualUntil(row, end));
  }
  size_t bytes() const { return kinds_.bytes() + bits_.bytes(); }

 private:
  friend class DetailCursor;

  NarrowBlock kinds_;
  NarrowBlock bits_;
};

// The texts of a column, each once: its own ones, then those that it has in common with others.
// Id 0 is the empty text.
class DetailTexts {
 public:
  size_t size() const { return own_.size() + common_.size(); }
  std::string_view operator[](NameId id) const {
    return id.value < own_.size() ? own_[id] : common_[id.value - own_.size()];
  }
  size_t bytes() const { return own_.bytes() + common_.size() * sizeof(std::string_view); }

  // The id of an own text. REQUIRES: before those that are in common.
  NameId Intern(std::string_view text) { return own_.Intern(text); }
  // The id of an own text, or none.
  NameId Find(std::string_view text) const { return own_.Find(text); }
  // A text that is no other one and lies where it lies as long as the profile.
  NameId AddCommon(std::string_view text) {
    common_.push_back(text);
    return NameId(size() - 1);
  }
  // All are there.
  void Finish() { common_.shrink_to_fit(); }

 private:
  Names own_;
  std::vector<std::string_view> common_;
};

// The values of one key for the events of one process. The kind may change from row to row; an
// identifier is the same number whether it came as integer or natural.
struct DetailColumn {
  Range rows;                       // of Store::events; of chosen events: their places, from 0
  std::vector<DetailBlock> blocks;  // each of kRows rows, the last of what is left
  std::vector<NameId> text_of;      // what is kept of a text is a row here
  DetailTexts texts;

  ValueKind Kind(uint32_t event) const { return Of(event).Kind(RowIn(event)); }
  bool Has(uint32_t event) const { return Kind(event) != ValueKind::absent; }
  // Of a number; of a text the row of text_of.
  uint64_t Bits(uint32_t event) const { return Of(event).Bits(RowIn(event)); }
  // The number, 64 raw bits of an identifier; a real is rounded towards 0. kNoInt: no number.
  int64_t Integer(uint32_t event) const {
    const ValueKind of = Kind(event);
    const bool is_whole = of == ValueKind::integer || of == ValueKind::natural;
    return is_whole ? static_cast<int64_t>(Bits(event)) : RoundedReal(event);
  }
  double Real(uint32_t event) const;  // NaN: no number
  // none: no text.
  NameId TextId(uint32_t event) const {
    const ValueKind of = Kind(event);
    const bool is_text = of == ValueKind::text || of == ValueKind::bytes;
    return is_text ? text_of[Bits(event)] : NameId();
  }
  // data() == nullptr: no text.
  std::string_view Text(uint32_t event) const {
    const NameId id = TextId(event);
    return id.some() ? texts[id] : std::string_view();
  }
  // Calls run(first, end) for stretches of events that have the same kind and bits, in order and
  // together all of `events`.
  template <class Run>
  void EachRun(Range events, Run run) const {
    const uint32_t end = events.first + events.count;
    for (uint32_t at = events.first; at < end;) {
      const uint32_t row = RowIn(at);
      const uint32_t rest = std::min(DetailBlock::kRows - row, end - at);
      const uint32_t next = at + Of(at).EqualUntil(row, row + rest) - row;
      run(at, next);
      at = next;
    }
  }
  size_t bytes() const;

 private:
  const DetailBlock& Of(uint32_t event) const {
    return blocks[(event - rows.first) / DetailBlock::kRows];
  }
  uint32_t RowIn(uint32_t event) const { return (event - rows.first) % DetailBlock::kRows; }
  int64_t RoundedReal(uint32_t event) const;
};

using DetailKeys = std::span<const std::string_view>;

// What stays in the file until asked for. Set by the loader; any function may be empty. Errors:
// corrupt (the file is damaged there, or became shorter), cancelled.
struct DetailReader {
  // The value of a checkpoint entry.
  std::function<Result<TensorValue>(uint32_t detail)> tensor;
  // Some keys of all events of a process, a column each; a key is one of Keys() or the file's own.
  // What an event does not say is taken from its label. Empty (no rows): no record of the process
  // can have it. Several keys at once cost little more than one.
  std::function<Result<std::vector<DetailColumn>>(const Store& store, ProcessId process,
                                                  DetailKeys keys, Context& context)>
      columns;
  // The same for chosen events of the process, ascending: row k is of events[k]. Costs what those
  // cost, however many others there are.
  std::function<Result<std::vector<DetailColumn>>(const Store& store, ProcessId process,
                                                  std::span<const EventId> events, DetailKeys keys,
                                                  Context& context)>
      chosen;
  // Everything said of one event (without what its label says), of a label, of a process.
  std::function<Result<std::vector<Detail>>(const Store& store, EventId event)> event;
  std::function<Result<std::vector<Detail>>(const Store& store, LabelId label)> label;
  std::function<Result<std::vector<Detail>>(const Store& store, ProcessId process)> process;
  // A compiled program (core/hlo/program.h).
  std::function<Result<Program>(const Store& store, ModuleId module)> program;
  // Appends the allocations of these places; texts live as long as the reader.
  std::function<Result<void>(const Store& store, std::span<const AllocationPlace> places,
                             std::vector<Allocation>* out)>
      allocations;
};

// The values of the key `work`: what kind of work an event of a device is.
enum class WorkKind : uint8_t { kernel, copy, fill, allocation };

// The keys that have one name whatever the format calls them; every other key has the file's name.
struct DetailKey {
  std::string_view name;
  std::string_view meaning;
};
std::span<const DetailKey> Keys();

// ---- asking the source of an event or a label; empty where it tells nothing

LaneId LaneOf(const Store& store, EventId event);
ProcessId ProcessOf(const Store& store, LabelId label);
Result<DetailColumn> ReadColumn(const Store& store, ProcessId process, std::string_view key,
                                Context& context);
Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              DetailKeys keys, Context& context);
Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              std::span<const EventId> events, DetailKeys keys,
                                              Context& context);
Result<std::vector<Detail>> DetailsOf(const Store& store, EventId event);
Result<std::vector<Detail>> DetailsOf(const Store& store, LabelId label);
Result<std::vector<Detail>> DetailsOf(const Store& store, ProcessId process);

}  // namespace tfprof
