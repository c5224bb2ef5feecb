// SPDX-License-Identifier: Apache-2.0
#include "core/store/details.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/base/arith.h"
#include "core/store/store.h"

namespace tfprof {
namespace {

Result<std::vector<Detail>> Nothing() { return std::vector<Detail>(); }

const DetailReader* ReaderOf(const Store& store, ProcessId process) {
  if (!process.some()) return nullptr;
  const SourceId source = store.processes[process.value].source;
  return source.some() ? &store.sources[source.value].details : nullptr;
}

// ---- blocks

struct Extent {
  uint64_t min = 0;
  uint64_t max = 0;
};

// Bounds that are tight enough to choose a width: exact only if the values differ in more than one
// byte. If they differ only in the lower half, only that half is compared, several values at once.
Extent ExtentOf(std::span<const uint64_t> bits) {
  constexpr uint64_t kByte = 0xFF, kHalf = 0xFFFFFFFF;
  const uint64_t first = bits[0];
  uint64_t differ = 0;
  for (const uint64_t value : bits) differ |= value ^ first;
  if (differ == 0) return {first, first};
  if (differ <= kByte) return {first & ~kByte, first | kByte};
  if (differ <= kHalf) {
    uint32_t min = static_cast<uint32_t>(first), max = min;
    for (const uint64_t value : bits) {
      min = std::min(min, static_cast<uint32_t>(value));
      max = std::max(max, static_cast<uint32_t>(value));
    }
    return {(first & ~kHalf) | min, (first & ~kHalf) | max};
  }
  Extent extent{first, first};
  for (const uint64_t value : bits) {
    extent.min = std::min(extent.min, value);
    extent.max = std::max(extent.max, value);
  }
  return extent;
}

// The bounds of the present values.
Extent ExtentOf(std::span<const uint8_t> kinds, std::span<const uint64_t> bits) {
  Extent extent{~uint64_t{0}, 0};
  for (size_t i = 0; i < kinds.size(); ++i) {
    const uint64_t absent = kinds[i] == 0 ? ~uint64_t{0} : 0;
    extent.min = std::min(extent.min, bits[i] | absent);
    extent.max = std::max(extent.max, bits[i] & ~absent);
  }
  return extent.min > extent.max ? Extent{} : extent;
}

}  // namespace

DetailBlock::DetailBlock(std::span<const uint8_t> kinds, std::span<const uint64_t> bits) {
  kinds_ = NarrowBlock(kinds);
  const bool all_there = kinds_.AllEqual() && kinds_[0] != 0;
  const Extent extent = all_there ? ExtentOf(bits) : ExtentOf(kinds, bits);
  bits_ = NarrowBlock(bits, extent.min, extent.max);
}

void DetailCursor::Load(uint32_t event) {
  static const DetailBlock kAbsent;
  const bool has_rows = column_->rows.count > 0;
  const uint32_t block = has_rows ? (event - column_->rows.first) / DetailBlock::kRows : 0;
  const DetailBlock& of = has_rows ? column_->blocks[block] : kAbsent;
  first_ = has_rows ? column_->rows.first + block * DetailBlock::kRows : 0;
  rows_ = has_rows ? DetailBlock::kRows : 0xFFFFFFFFu;
  kinds_ = of.kinds_.rows();
  bits_ = of.bits_.rows();
}

int64_t DetailColumn::RoundedReal(uint32_t event) const {
  constexpr double kTooLarge = 9223372036854775808.0;  // 2^63
  if (Kind(event) != ValueKind::real) return kNoInt;
  const double real = std::bit_cast<double>(Bits(event));
  return std::abs(real) < kTooLarge ? static_cast<int64_t>(real) : kNoInt;
}

double DetailColumn::Real(uint32_t event) const {
  switch (Kind(event)) {
    case ValueKind::integer: return static_cast<double>(static_cast<int64_t>(Bits(event)));
    case ValueKind::natural: return static_cast<double>(Bits(event));
    case ValueKind::real: return std::bit_cast<double>(Bits(event));
    default: return kNoReal;
  }
}

size_t DetailColumn::bytes() const {
  size_t sum = texts.bytes() + text_of.size() * sizeof(NameId);
  for (const DetailBlock& block : blocks) sum += block.bytes();
  return sum;
}

LaneId LaneOf(const Store& store, EventId event) {
  const auto after = std::upper_bound(
      store.lanes.begin(), store.lanes.end(), event.value,
      [](uint32_t row, const Lane& lane) { return row < lane.rows.first + lane.rows.count; });
  if (after == store.lanes.end() || event.value < after->rows.first) return {};
  return LaneId(static_cast<uint64_t>(after - store.lanes.begin()));
}

ProcessId ProcessOf(const Store& store, LabelId label) {
  const auto after = std::upper_bound(store.processes.begin(), store.processes.end(), label.value,
                                      [](uint32_t row, const Process& process) {
                                        return row < process.labels.first + process.labels.count;
                                      });
  if (after == store.processes.end() || label.value < after->labels.first) return {};
  return ProcessId(static_cast<uint64_t>(after - store.processes.begin()));
}

Result<DetailColumn> ReadColumn(const Store& store, ProcessId process, DetailKey key,
                                Context& context) {
  TFPROF_ASSIGN(std::vector<DetailColumn> columns,
                ReadColumns(store, process, DetailKeys(&key, 1), context));
  return std::move(columns[0]);
}

Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              DetailKeys keys, Context& context) {
  const DetailReader* reader = ReaderOf(store, process);
  if (reader == nullptr || reader->columns == nullptr) {
    return std::vector<DetailColumn>(keys.size());
  }
  return reader->columns(store, process, keys, context);
}

Result<std::vector<DetailColumn>> ReadColumns(const Store& store, ProcessId process,
                                              std::span<const EventId> events, DetailKeys keys,
                                              Context& context) {
  const DetailReader* reader = ReaderOf(store, process);
  if (reader == nullptr || reader->chosen == nullptr) return std::vector<DetailColumn>(keys.size());
  return reader->chosen(store, process, events, keys, context);
}

Result<std::vector<Detail>> DetailsOf(const Store& store, EventId event) {
  const LaneId lane = LaneOf(store, event);
  const ProcessId process = lane.some() ? store.lanes[lane.value].process : ProcessId();
  const DetailReader* reader = ReaderOf(store, process);
  if (reader == nullptr || reader->event == nullptr) return Nothing();
  return reader->event(store, event);
}

Result<std::vector<Detail>> DetailsOf(const Store& store, LabelId label) {
  const DetailReader* reader = ReaderOf(store, ProcessOf(store, label));
  if (reader == nullptr || reader->label == nullptr) return Nothing();
  return reader->label(store, label);
}

Result<std::vector<Detail>> DetailsOf(const Store& store, ProcessId process) {
  const DetailReader* reader = ReaderOf(store, process);
  if (reader == nullptr || reader->process == nullptr) return Nothing();
  return reader->process(store, process);
}

Result<std::vector<Allocation>> ReadAllocations(const Store& store, Context& context) {
  constexpr size_t kPlacesAtOnce = 1 << 13;
  std::vector<Allocation> allocations;
  for (const Source& source : store.sources) {
    const std::span<const AllocationPlace> places =
        store.allocation_places.Rows(source.allocations.first, source.allocations.count);
    for (size_t at = 0; at < places.size(); at += kPlacesAtOnce) {
      TFPROF_TRY(Poll(context));
      const size_t count = std::min(kPlacesAtOnce, places.size() - at);
      TFPROF_TRY(source.details.allocations(store, places.subspan(at, count), &allocations));
    }
  }
  return allocations;
}

}  // namespace tfprof
