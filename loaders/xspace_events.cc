// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_events.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "core/parallel.h"
#include "loaders/tally.h"
#include "loaders/wire_message.h"
#include "loaders/xspace_event.h"

namespace tfprof::xspace {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::Tag;

constexpr ptrdiff_t kPieceBytes = ptrdiff_t{2} << 20;
constexpr size_t kGroupBytes = size_t{8} << 20;
constexpr ptrdiff_t kAheadBytes = 1024;
constexpr size_t kLongEvent = 256;  // shorter ones the hardware asks for early
constexpr size_t kMostRows = 0xFFFFFFFEu;
static_assert(kEventPadding <= SourceFile::kPadding);

// What is odd about the events of a piece.
struct Odd {
  Tally malformed;
  Tally unknown;
  Tally negative;
  Tally clamped;
  Tally far;
};

// A part of a line that is decoded at once.
struct Piece {
  const LaneLine* of = nullptr;
  const char* begin = nullptr;
  const char* end = nullptr;
  size_t first_row = 0;
  size_t events = 0;
  size_t rows = 0;      // decoded; less than `events` where some are malformed
  int64_t base_ps = 0;  // of the line, from the store's epoch
  Odd odd;
  std::vector<Aggregate> aggregates;  // by row
};

struct Counted {
  std::vector<Piece> pieces;
  const char* bad = nullptr;
};

// From `at` to the next field that is no event; null and *bad where it is no wire format.
const char* CountEvents(const char* at, const LaneLine& of, Counted* counted) {
  const char* const end = of.line.bytes.data() + of.line.bytes.size();
  Piece piece{&of, at};
  const auto close = [&](const char* behind) {
    piece.end = behind;
    if (piece.events > 0) counted->pieces.push_back(std::move(piece));
    piece = {&of, behind};
  };
  Fields fields({at, static_cast<size_t>(end - at)});
  while (true) {
    piece.events += fields.SkipShort(Tag(4, kBytes), piece.begin + kPieceBytes);
    if (fields.position() - piece.begin >= kPieceBytes) close(fields.position());
    if (!fields.Next()) break;
    if (fields.tag() != Tag(4, kBytes)) {
      close(fields.field_at());
      return fields.field_at();
    }
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    fields.Bytes();
    if (fields.bad() != nullptr) break;
    ++piece.events;
  }
  counted->bad = fields.bad();
  close(fields.bad() == nullptr ? end : fields.bad());
  return fields.bad() == nullptr ? end : nullptr;
}

void CountLine(LaneLine* of, Counted* counted) {
  const char* const end = of->line.bytes.data() + of->line.bytes.size();
  const char* at = of->line.events;
  while (at != nullptr && at < end) {
    at = CountEvents(at, *of, counted);
    if (at != nullptr && at < end) at = ReadLineFields(at, true, &of->line, &counted->bad);
  }
}

// Times that do not fit are rare: what is odd is written down apart.
int64_t OddStart(const Piece& piece, const Event& event, const char* place, Odd* odd) {
  bool clamped = false;
  const int64_t start_ps = SaturatingAdd(piece.base_ps, event.offset_ps, &clamped);
  if (clamped) odd->clamped.Add(place);
  return start_ps;
}

// A piece holds nothing but events, which were counted.
template <class Varint>
TFPROF_INLINE void DecodeEvents(const StoreBuilder::RawRows& to, Piece* piece) {
  const PlaneLabels& labels = *piece->of->labels;
  const char* const line = piece->of->line.bytes.data();
  const bool is_far = piece->end - line >= kNoDetail;
  size_t row = piece->first_row;
  for (const char* at = piece->begin; at != nullptr && at < piece->end;) {
    const char* const place = at + 1;  // behind the tag
    std::string_view message;
    at = wire::ReadBytes<Varint>(place, piece->end, &message);
    if (message.size() > kLongEvent) wire::PrefetchAhead(place, kAheadBytes);
    Event event = ReadEvent(message, Varint());
    if (event.bad) [[unlikely]] {
      piece->odd.malformed.Add(place);
      continue;
    }
    if (event.duration_ps < 0) [[unlikely]] {
      piece->odd.negative.Add(place);
      event.duration_ps = 0;
    }
    int64_t start_ps = 0;
    if (event.is_aggregate) [[unlikely]] {
      start_ps = kNoTime;
      piece->aggregates.push_back({EventId(row), event.occurrences});
    } else if (__builtin_add_overflow(piece->base_ps, event.offset_ps, &start_ps) ||
               start_ps < kMinPs) [[unlikely]] {
      start_ps = OddStart(*piece, event, place, &piece->odd);
    }
    const uint32_t known = labels.index.Find(event.metadata_id);
    LabelId label(labels.first.value + known);
    if (known == IdIndex::kNone) [[unlikely]] {
      piece->odd.unknown.Add(place);
      label = labels.unknown;
    }
    auto detail = static_cast<uint32_t>(place - line);
    if (is_far && place - line >= kNoDetail) [[unlikely]] {
      piece->odd.far.Add(place);
      detail = kNoDetail;
    }
    if (to.start_ps != nullptr) to.start_ps[row] = start_ps;
    to.duration_ps[row] = event.duration_ps;
    to.label[row] = label;
    to.detail[row] = detail;
    ++row;
  }
  piece->rows = row - piece->first_row;
}

TFPROF_GATHERS void DecodeGathering(const StoreBuilder::RawRows& to, Piece* piece) {
  DecodeEvents<wire::GatheredVarint>(to, piece);
}
void DecodePlainly(const StoreBuilder::RawRows& to, Piece* piece) {
  DecodeEvents<wire::PlainVarint>(to, piece);
}

// Rows from `from` to `to`, further up.
template <class T>
void MoveUp(T* column, size_t from, size_t to, size_t rows) {
  std::memmove(static_cast<void*>(column + to), column + from, rows * sizeof(T));
}

// Closes the gaps that malformed events left; returns the rows that remain.
size_t CloseGaps(const StoreBuilder::RawRows& all, std::vector<Piece>* pieces) {
  size_t next = 0;
  for (Piece& piece : *pieces) {
    if (piece.first_row != next) {
      if (all.start_ps != nullptr) MoveUp(all.start_ps, piece.first_row, next, piece.rows);
      MoveUp(all.duration_ps, piece.first_row, next, piece.rows);
      MoveUp(all.label, piece.first_row, next, piece.rows);
      MoveUp(all.detail, piece.first_row, next, piece.rows);
      for (Aggregate& row : piece.aggregates) {
        row.event = EventId(row.event.value - (piece.first_row - next));
      }
      piece.first_row = next;
    }
    next += piece.rows;
  }
  return next;
}

constexpr struct {
  Tally Odd::*which;
  std::string_view what;
} kOdd[] = {
    {&Odd::malformed, "malformed events, skipped"},
    {&Odd::unknown, "events of an unknown name"},
    {&Odd::negative, "negative durations, taken as 0"},
    {&Odd::clamped, "times more than 106 days from the first one, clamped"},
    {&Odd::far, "events beyond 4 GiB of their line: without details"},
};

void AddOdd(const Odd& from, Odd* to) {
  for (const auto& odd : kOdd) {
    const Tally& tally = from.*odd.which;
    Tally& sum = to->*odd.which;
    if (sum.count == 0) sum.first = tally.first;
    sum.count += tally.count;
  }
}

// Line times are ns of wall time, so the product may not fit.
int64_t BasePs(const Line& line, int64_t epoch_ns, bool* clamped) {
  int64_t from_epoch_ns = 0;
  if (__builtin_sub_overflow(line.timestamp_ns, epoch_ns, &from_epoch_ns)) {
    *clamped = true;
    return line.timestamp_ns < 0 ? kMinPs : kMaxPs;
  }
  return SaturatingMul(from_epoch_ns, kPsPerNs, clamped);
}

// Where the loading of all groups stands.
struct Loading {
  const SourceFile& file;
  StoreBuilder& store;
  Context& context;
  const char** bad;
  size_t threads;
  Odd odd = {};
  int64_t clamped_lines = 0;
};

// All pieces in the order of the file, each knowing its rows.
std::vector<Piece> PlacePieces(std::vector<Counted>* counted, Loading* loading) {
  std::vector<Piece> pieces;
  size_t next = 0;
  for (Counted& line : *counted) {
    if (*loading->bad == nullptr) *loading->bad = line.bad;
    bool clamped = false;
    for (Piece& piece : line.pieces) {
      piece.first_row = next;
      piece.base_ps = BasePs(piece.of->line, loading->store.epoch_ns(), &clamped);
      next += piece.events;
      pieces.push_back(std::move(piece));
    }
    loading->clamped_lines += clamped;
  }
  return pieces;
}

Result<void> DecodePieces(const StoreBuilder::RawRows& rows, std::vector<Piece>* pieces,
                          Loading* loading) {
  const auto decode = wire::gathers_bits ? DecodeGathering : DecodePlainly;
  return ForEachTask(pieces->size(), loading->threads, loading->context, [&](size_t i) {
    Piece* piece = &(*pieces)[i];
    decode(rows, piece);
    GivePagesBack(loading->file, piece->begin, piece->end);
    loading->context.done_bytes.fetch_add(static_cast<uint64_t>(piece->end - piece->begin),
                                          std::memory_order_relaxed);
  });
}

Result<void> LoadGroup(std::span<LaneLine> lines, Loading* loading) {
  StoreBuilder& store = loading->store;
  std::vector<Counted> counted(lines.size());
  TFPROF_TRY(ForEachTask(lines.size(), loading->threads, loading->context,
                         [&](size_t i) { CountLine(&lines[i], &counted[i]); }));
  std::vector<Piece> pieces = PlacePieces(&counted, loading);
  if (pieces.empty()) return {};
  const size_t events = pieces.back().first_row + pieces.back().events;
  const EventId first = store.next_event();
  if (events > kMostRows - first.value) {
    return Fail(ErrorKind::corrupt, "more than 4 billion events", loading->file.path,
                "load fewer files at once");
  }
  const StoreBuilder::RawRows rows = store.ExtendRows(events);
  TFPROF_TRY(DecodePieces(rows, &pieces, loading));
  store.DropRows(EventId(first.value + CloseGaps(rows, &pieces)));
  for (const Piece& piece : pieces) {
    AddOdd(piece.odd, &loading->odd);
    const auto row = static_cast<uint32_t>(first.value + piece.first_row);
    if (piece.rows > 0) store.BeginRows(piece.of->lane, StepId(), EventId(row));
    for (const Aggregate& aggregate : piece.aggregates) {
      store.AddAggregate(EventId(first.value + aggregate.event.value), aggregate.occurrences);
    }
  }
  return {};
}

}  // namespace

Result<void> LoadEvents(const SourceFile& file, std::vector<LaneLine>* lines, StoreBuilder& store,
                        Context& context, const char** bad) {
  Loading loading{file, store, context, bad, ThreadsFor(file.bytes.size())};
  for (size_t first = 0; first < lines->size();) {
    size_t end = first;
    for (size_t bytes = 0; end < lines->size() && bytes < kGroupBytes; ++end) {
      bytes += (*lines)[end].line.bytes.size();
    }
    TFPROF_TRY(LoadGroup(std::span(*lines).subspan(first, end - first), &loading));
    first = end;
  }
  if (loading.clamped_lines > 0) {
    store.AddNote("lines that begin more than 106 days from the others, clamped", "", kNoInt,
                  loading.clamped_lines);
  }
  for (const auto& odd : kOdd) (loading.odd.*odd.which).Tell(odd.what, file, store);
  return {};
}

}  // namespace tfprof::xspace
