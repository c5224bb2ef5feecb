// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/decode.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>

#include "loaders/wire/message.h"
#include "loaders/xspace/event.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

constexpr ptrdiff_t kAheadBytes = 1024;
constexpr char kEventTag = wire::Tag(field::XLine::events, wire::kBytes);
constexpr size_t kLongEvent = 256;  // the hardware prefetches shorter ones early enough
static_assert(kEventPadding <= SourceFile::kPadding);

// Returns the start time. Times out of range are rare: they are clamped and counted separately.
int64_t StartOf(const Event& event, const char* place, Piece* piece) {
  int64_t start_ps = 0;
  if (!__builtin_add_overflow(piece->base_ps, event.offset_ps, &start_ps) && start_ps >= kMinPs)
      [[likely]] {
    return start_ps;
  }
  bool clamped = false;
  start_ps = SaturatingAdd(piece->base_ps, event.offset_ps, &clamped);
  if (clamped) piece->problem.clamped.Add(place);
  return start_ps;
}

bool Ascend(const int64_t* values, size_t count) {
  size_t descents = 0;
  for (size_t i = 1; i < count; ++i) descents += values[i - 1] > values[i] ? 1 : 0;
  return descents == 0;
}

// Returns the number of events of the piece that are not decoded yet.
size_t Left(const Piece& piece) {
  return piece.events - piece.rows - static_cast<size_t>(piece.problem.malformed.count);
}

const char* Changed(const char* at, Piece* piece) {
  piece->changed = at;
  return nullptr;
}

// Decodes any event. Returns the byte after it; null: the file has changed.
TFPROF_INLINE const char* DecodeOne(const char* at, const StoreBuilder::RawRows& to, Piece* piece) {
  const PlaneLabels& labels = *piece->of->labels;
  const char* const place = at + 1;  // after the tag
  std::string_view message;
  if (*at != kEventTag || Left(*piece) == 0) [[unlikely]]
    return Changed(at, piece);
  at = wire::ReadBytes(place, piece->end, &message);
  if (at == nullptr) [[unlikely]]
    return Changed(place, piece);
  if (message.size() > kLongEvent) wire::PrefetchAhead(place, kAheadBytes);
  Event event = ReadEvent(message);
  if (event.bad) [[unlikely]] {
    piece->problem.malformed.Add(place);
    return at;
  }
  if (event.has_unknown) [[unlikely]]
    piece->problem.unknown_fields.Add(place);
  if (event.duration_ps < 0) [[unlikely]] {
    piece->problem.negative.Add(place);
    event.duration_ps = 0;
  }
  const size_t row = piece->first_row + piece->rows;
  int64_t start_ps = kNoTime;
  if (event.is_aggregate) [[unlikely]] {
    piece->aggregates.push_back({EventId(row), event.occurrences});
  } else {
    start_ps = StartOf(event, place, piece);
  }
  const uint32_t known = labels.index.Find(event.metadata_id);
  LabelId label(labels.first.value + known);
  if (known == IdIndex::kNone) [[unlikely]] {
    piece->problem.unknown.Add(place);
    label = labels.unknown;
  }
  const ptrdiff_t detail = place - piece->of->line.bytes.data();
  if (detail >= kNoDetail) [[unlikely]]
    piece->problem.far.Add(place);
  if (to.start_ps != nullptr) to.start_ps[row] = start_ps;
  to.duration_ps[row] = event.duration_ps;
  to.label[row] = label;
  to.detail[row] = detail < kNoDetail ? static_cast<uint32_t>(detail) : kNoDetail;
  ++piece->rows;
  return at;
}

void DecodePlainly(const StoreBuilder::RawRows& to, Piece* piece) {
  for (const char* at = piece->begin; at != nullptr && at < piece->end;) {
    at = DecodeOne(at, to, piece);
  }
}

#ifdef __x86_64__
// ---- common events, in half of the instructions ------------------------------------------------

constexpr uint64_t kMaxBytes = 8;  // of a number
constexpr ptrdiff_t kSoonBytes = 512;
constexpr ptrdiff_t kLongest = 2 + 127;
constexpr ptrdiff_t kShortest = 2 + 6;  // id, offset and duration of a byte each, and their tags

// Returns a mask with bit i set if byte i is not the last one of its number.
TFPROF_GATHERS TFPROF_INLINE uint32_t Continued(const char* at) {
  const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
  return static_cast<uint32_t>(_mm256_movemask_epi8(bytes));
}

// The compiler emits two instructions for this, for processors where one depends on the previous
// content of the register.
TFPROF_INLINE uint64_t LowestBit(uint64_t bits) {
  asm("tzcnt %0, %0" : "+r"(bits) : : "cc");
  return bits;
}

using LooseWord __attribute__((aligned(1), may_alias)) = uint64_t;

TFPROF_INLINE uint64_t NumberAt(const char* at, uint64_t bytes) {
  const LooseWord* const word = reinterpret_cast<const LooseWord*>(at);
  uint64_t number;
  asm("bzhi %2, %1, %0" : "=r"(number) : "m"(*word), "r"(bytes * 8) : "cc");
  return wire::GatherAtOnce(number);
}

// Returns true if no start time relative to the base overflows, and every event has a detail.
bool IsNear(const Piece& piece) {
  constexpr int64_t kMaxOffset = int64_t{1} << 7 * kMaxBytes;
  return piece.base_ps >= kMinPs && piece.base_ps <= kMaxPs - kMaxOffset &&
         piece.end - piece.of->line.bytes.data() < kNoDetail;
}

// Decodes events while they have less than 128 bytes, begin with id, offset and duration of up to 8
// bytes each, and have a known label; all writers use this order. The mask of bytes that end a
// number locates all fields at once. Returns the place where it stopped; it may leave the last
// events to the caller. REQUIRES: IsNear(*piece).
TFPROF_GATHERS const char* DecodeMany(const char* at, const StoreBuilder::RawRows& to,
                                      Piece* piece) {
  constexpr uint64_t kHead = uint64_t{kEventTag} | uint64_t{kIdTag} << 16;
  const IdIndex& index = piece->of->labels->index;
  const auto first_id = static_cast<uint64_t>(index.first());
  const uint64_t run = index.run();
  const uint32_t first_label = piece->of->labels->first.value;
  const char* const line = piece->of->line.bytes.data() - 1;
  // Stays within the piece and the counted number of events, whatever the bytes are now.
  const char* const last =
      at + std::min(piece->end - at - kLongest, kShortest * static_cast<ptrdiff_t>(Left(*piece)));
  const int64_t base_ps = piece->base_ps;
  // Unused starts are overwritten by the durations.
  int64_t* const start_ps = to.start_ps != nullptr ? to.start_ps : to.duration_ps;
  int64_t* const duration_ps = to.duration_ps;
  LabelId* const label = to.label;
  uint32_t* const detail = to.detail;
  size_t row = piece->first_row + piece->rows;
  for (; at < last; ++row) {
    __builtin_prefetch(at + kSoonBytes);
    const uint64_t head = wire::Load64(at);  // tag, length, tag of the id
    if ((head & 0xFF80FF) != kHead) [[unlikely]]
      break;
    const uint64_t size = head >> 8 & 0xFF;
    const char* const fields = at + 3;  // the id
    // The ends of a number and of the tag after it alternate.
    uint64_t ends = ~Continued(fields);
    const auto next_end = [&ends] {
      const uint64_t end = LowestBit(ends);
      ends &= ends - 1;
      ends &= ends - 1;
      return end;
    };
    const uint64_t id = next_end(), offset = next_end(), duration = next_end();
    const uint64_t offset_bytes = offset - id - 1, duration_bytes = duration - offset - 1;
    if ((id | (offset_bytes - 1) | (duration_bytes - 1)) >= kMaxBytes) [[unlikely]]
      break;
    // Stats or the next event follow the duration; their tags are equal.
    if (fields[id + 1] != kOffsetTag || fields[offset + 1] != kDurationTag ||
        fields[duration + 1] != kStatsTag || duration + 2 > size) [[unlikely]]
      break;
    uint64_t known = NumberAt(fields, id + 1) - first_id;
    if (known >= run) [[unlikely]] {
      known = index.FindSlowly(static_cast<int64_t>(known + first_id));
      if (known == IdIndex::kNone) break;
    }
    start_ps[row] = base_ps + static_cast<int64_t>(NumberAt(fields + id + 2, offset_bytes));
    duration_ps[row] = static_cast<int64_t>(NumberAt(fields + offset + 2, duration_bytes));
    label[row] = LabelId(first_label + static_cast<uint32_t>(known));
    detail[row] = static_cast<uint32_t>(at - line);
    at += 2 + size;
  }
  piece->rows = row - piece->first_row;
  return at;
}

void DecodeGathering(const StoreBuilder::RawRows& to, Piece* piece) {
  const bool near = IsNear(*piece);
  for (const char* at = piece->begin; at != nullptr && at < piece->end;) {
    if (near) at = DecodeMany(at, to, piece);
    if (at < piece->end) at = DecodeOne(at, to, piece);
  }
}
#else
void DecodeGathering(const StoreBuilder::RawRows& to, Piece* piece) { DecodePlainly(to, piece); }
#endif

}  // namespace

void DecodeEvents(const StoreBuilder::RawRows& to, Piece* piece, bool gathers) {
  piece->rows = 0;
  gathers ? DecodeGathering(to, piece) : DecodePlainly(to, piece);
  if (piece->changed == nullptr && Left(*piece) > 0) piece->changed = piece->end;
  // The rows are still in the cache.
  piece->ascends = to.start_ps != nullptr && Ascend(to.start_ps + piece->first_row, piece->rows);
}

}  // namespace tfprof::xspace
