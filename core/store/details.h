// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/ids.h"
#include "core/base/narrow.h"
#include "core/store/attribute_keys.h"
#include "core/store/names.h"

namespace tfprof {

// The values of a checkpoint entry, row-major. `shape` empty: a scalar (one value).
struct TensorValue {
  enum class Kind { real, integer, unsupported };
  Kind kind = Kind::unsupported;
  int dtype = 0;  // TensorFlow's DataType number
  std::vector<int64_t> shape;
  std::vector<double> reals;
  std::vector<int64_t> integers;
};

// Attributes of records (stats, args): they stay in the file and are read when a query needs them,
// one key at a time. Core knows neither the format nor its spelling of the keys.

struct Store;
struct Program;
struct GraphOps;
struct RunShape;
struct Allocation;
struct AllocationPlace;

enum class ValueKind : uint8_t { absent, integer, natural, real, text, bytes };

// An attribute as found in the file. Texts are in the file, or in `owned`.
struct Detail {
  std::string_view key;  // in the file's spelling
  ValueKind kind = ValueKind::absent;
  uint64_t bits = 0;      // integer: int64; natural: uint64; real: double
  std::string_view text;  // text, bytes
  std::shared_ptr<const void> owned;
};

// The values of kRows rows of a key, in the min number of bytes; their kinds take a byte per row
// only if they differ.
class DetailBlock {
 public:
  static constexpr uint32_t kRows = NarrowBlock::kRows;

  DetailBlock() = default;
  // The values of the rows: numbers as their 64 bits, texts as rows of DetailColumn::text_of.
  DetailBlock(std::span<const uint8_t> kinds, std::span<const uint64_t> bits);

  ValueKind Kind(uint32_t row) const { return static_cast<ValueKind>(kinds_[row]); }
  uint64_t Bits(uint32_t row) const { return bits_[row]; }
  // The first row after `row` with another kind or other bits; `end` if there is none before it.
  uint32_t EqualUntil(uint32_t row, uint32_t end) const {
    return kinds_.rows().EqualUntil(row, bits_.rows().EqualUntil(row, end));
  }
  size_t bytes() const { return kinds_.bytes() + bits_.bytes(); }

 private:
  friend class DetailCursor;

  NarrowBlock kinds_;
  NarrowBlock bits_;
};

// The distinct texts of a column: first its own, then those that it shares with other columns. Id 0
// is the empty text.
class DetailTexts {
 public:
  size_t size() const { return own_.size() + common_.size(); }
  std::string_view operator[](NameId id) const {
    return id.value < own_.size() ? own_[id] : common_[id.value - own_.size()];
  }
  size_t bytes() const { return own_.bytes() + common_.size() * sizeof(std::string_view); }

  // The id of an own text. REQUIRES: no shared text was added yet.
  NameId Intern(std::string_view text) { return own_.Intern(text); }
  // The id of an own text, or none.
  NameId Find(std::string_view text) const { return own_.Find(text); }
  // Adds a shared text that differs from all others and stays valid as long as the profile.
  NameId AddCommon(std::string_view text) {
    common_.push_back(text);
    return NameId(size() - 1);
  }
  // Call it after the last text.
  void Finish() { common_.shrink_to_fit(); }

 private:
  Names own_;
  std::vector<std::string_view> common_;
};

// The values of one key for the events of one process. The kind may differ between rows; an
// identifier is the same number whether it was stored as integer or natural.
struct DetailColumn {
  Range rows;                       // of Store::events; for chosen events: their indexes, from 0
  std::vector<DetailBlock> blocks;  // kRows rows each; the last one may have fewer
  std::vector<NameId> text_of;      // bits of texts index it
  DetailTexts texts;

  ValueKind Kind(uint32_t event) const { return Of(event).Kind(RowIn(event)); }
  bool Has(uint32_t event) const { return Kind(event) != ValueKind::absent; }
  // The bits of a number; for a text, the row of text_of.
  uint64_t Bits(uint32_t event) const { return Of(event).Bits(RowIn(event)); }
  // The number, 64 raw bits of an identifier; a real is rounded toward 0. kNoInt: no number.
  int64_t Integer(uint32_t event) const {
    const ValueKind of = Kind(event);
    const bool is_whole = of == ValueKind::integer || of == ValueKind::natural;
    return is_whole ? static_cast<int64_t>(Bits(event)) : RoundedReal(event);
  }
  double Real(uint32_t event) const;  // NaN: no number
  // The id of the text; none: it is no text.
  NameId TextId(uint32_t event) const {
    const ValueKind of = Kind(event);
    const bool is_text = of == ValueKind::text || of == ValueKind::bytes;
    return is_text ? text_of[Bits(event)] : NameId();
  }
  // The text; data() == nullptr: it is no text.
  std::string_view Text(uint32_t event) const {
    const NameId id = TextId(event);
    return id.some() ? texts[id] : std::string_view();
  }
  // Text(event), or nothing for a column of which no row was read.
  std::string_view TextIfRead(uint32_t event) const {
    return rows.count == 0 ? std::string_view() : Text(event);
  }
  // Calls run(first, end) for each run of events with the same kind and bits, in order. Together
  // the runs cover `events`.
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

// Reads the data that stays in the file. The loader sets it; any function may be empty. Errors:
// corrupt (the file is damaged there or was truncated), cancelled.
struct DetailReader {
  // The value of a checkpoint entry.
  std::function<Result<TensorValue>(uint32_t detail)> tensor;
  // Reads some keys of all events of a process, one column per key. Values that an event lacks come
  // from its label. Empty (no rows): no record of the process can have the key. Several keys at
  // once cost little more than one.
  std::function<Result<std::vector<DetailColumn>>(const Store& store, ProcessId process,
                                                  DetailKeys keys, Context& context)>
      columns;
  // As above, for chosen events of the process, ascending: row k belongs to events[k]. The cost
  // depends only on the number of chosen events.
  std::function<Result<std::vector<DetailColumn>>(const Store& store, ProcessId process,
                                                  std::span<const EventId> events, DetailKeys keys,
                                                  Context& context)>
      chosen;
  // All attributes of an event (without those of its label), of a label, of a process.
  std::function<Result<std::vector<Detail>>(const Store& store, EventId event)> event;
  std::function<Result<std::vector<Detail>>(const Store& store, LabelId label)> label;
  std::function<Result<std::vector<Detail>>(const Store& store, ProcessId process)> process;
  // A compiled program (core/hlo/program.h).
  std::function<Result<Program>(const Store& store, ModuleId module)> program;
  // Appends the operations of the source's graph that are nodes of the store, without their inputs,
  // and its functions.
  std::function<Result<void>(const Store& store, GraphOps* out, Context& context)> graph;
  // Appends the shapes of outputs of nodes, as executions recorded them.
  std::function<Result<void>(const Store& store, std::vector<RunShape>* out)> run_shapes;
  // Appends the allocations at these places; texts live as long as the reader.
  std::function<Result<void>(const Store& store, std::span<const AllocationPlace> places,
                             std::vector<Allocation>* out)>
      allocations;
};

// The values of the key `work`: the kind of work of a device event.
enum class WorkKind : uint8_t { kernel, copy, fill, allocation };

// ---- reading the details of one event or label; empty if the source has none

LaneId LaneOf(const Store& store, EventId event);
ProcessId ProcessOf(const Store& store, LabelId label);
Result<DetailColumn> ReadColumn(const Store& store, ProcessId process, DetailKey key,
                                Context& context);
Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              DetailKeys keys, Context& context);
Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              std::span<const EventId> events, DetailKeys keys,
                                              Context& context);
Result<std::vector<Detail>> DetailsOf(const Store& store, EventId event);
Result<std::vector<Detail>> DetailsOf(const Store& store, LabelId label);
Result<std::vector<Detail>> DetailsOf(const Store& store, ProcessId process);

// Reads the allocations of all executions from the sources: those of one event in the order of its
// record, events in any order. Texts live as long as the store. Errors: cancelled; corrupt (a file
// was truncated since it was opened).
Result<std::vector<Allocation>> ReadAllocations(const Store& store, Context& context);

// A run of rows of a column, for loops that keep its invariants in registers: the compiler would
// reload the fields of a cursor after each write that may alias it.
struct DetailRange {
  uint32_t first = 0;  // event of row 0
  uint32_t end = 0;    // one past the last event
  NarrowRows kinds;
  NarrowRows bits;

  ValueKind Kind(uint32_t event) const { return static_cast<ValueKind>(kinds[event - first]); }
  uint64_t Bits(uint32_t event) const { return bits[event - first]; }
  bool IsInteger(uint32_t event) const {
    const ValueKind kind = Kind(event);
    return kind == ValueKind::integer || kind == ValueKind::natural;
  }
  bool Has(uint32_t event) const { return Kind(event) != ValueKind::absent; }
  bool IsText(uint32_t event) const {
    const ValueKind kind = Kind(event);
    return kind == ValueKind::text || kind == ValueKind::bytes;
  }
  // False: the rows have to be checked one by one.
  bool AllHave() const { return kinds.bytes == 0 && Has(first); }
  bool AllIntegers() const { return kinds.bytes == 0 && IsInteger(first); }
  bool AllTexts() const { return kinds.bytes == 0 && IsText(first); }
};

// Reads a column row by row: it looks up the data of a block once per block. For a column without
// rows, all values are absent. The results equal those of the column.
class DetailCursor {
 public:
  explicit DetailCursor(const DetailColumn& column) : column_(&column) {}

  bool Has(uint32_t event) { return Kind(event) != ValueKind::absent; }
  ValueKind Kind(uint32_t event) {
    Seek(event);
    return static_cast<ValueKind>(kinds_[event - first_]);
  }
  uint64_t Bits(uint32_t event) {
    Seek(event);
    return bits_[event - first_];
  }
  // The rows from `event` on, at most up to `end`.
  DetailRange RangeAt(uint32_t event, uint32_t end) {
    Seek(event);
    return {first_, rows_ < end - first_ ? first_ + rows_ : end, kinds_, bits_};
  }
  int64_t Integer(uint32_t event) {
    const ValueKind of = Kind(event);
    const bool is_whole = of == ValueKind::integer || of == ValueKind::natural;
    if (is_whole) return static_cast<int64_t>(Bits(event));
    return of == ValueKind::real ? column_->Integer(event) : kNoInt;
  }
  NameId TextId(uint32_t event) {
    const ValueKind of = Kind(event);
    const bool is_text = of == ValueKind::text || of == ValueKind::bytes;
    return is_text ? column_->text_of[Bits(event)] : NameId();
  }

 private:
  void Seek(uint32_t event) {
    if (event - first_ >= rows_) [[unlikely]]
      Load(event);
  }
  void Load(uint32_t event);

  const DetailColumn* column_;
  uint32_t first_ = 0;  // event of the block
  uint32_t rows_ = 0;   // of the block
  NarrowRows kinds_;
  NarrowRows bits_;
};

}  // namespace tfprof
