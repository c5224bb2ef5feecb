// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/events.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "core/base/parallel.h"
#include "core/store/note_catalogue.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/decode.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::Tag;

constexpr ptrdiff_t kPieceBytes = ptrdiff_t{1} << 20;
constexpr size_t kThreadBytes = size_t{2} << 20;  // of a group, for each thread
constexpr ptrdiff_t kEventsAheadBytes = 1024;
constexpr size_t kMaxRows = 0xFFFFFFFEu;

struct Counted {
  std::vector<Piece> pieces;
  const char* bad = nullptr;
  UnknownFields unknown;
};

// Walks from `at` to the next field that is not an event. Returns null and sets *bad if the wire
// format is invalid.
const char* CountEvents(const char* at, const LaneLine& of, Counted* counted) {
  const char* const end = of.line.bytes.data() + of.line.bytes.size();
  Piece piece{&of, at};
  const auto close = [&](const char* after) {
    piece.end = after;
    if (piece.events > 0) counted->pieces.push_back(std::move(piece));
    piece = {&of, after};
  };
  Fields fields({at, static_cast<size_t>(end - at)});
  while (true) {
    piece.events += fields.SkipShort(Tag(field::XLine::events, kBytes), piece.begin + kPieceBytes);
    if (fields.position() - piece.begin >= kPieceBytes) close(fields.position());
    if (!fields.Next()) break;
    if (fields.tag() != Tag(field::XLine::events, kBytes)) {
      close(fields.field_at());
      return fields.field_at();
    }
    wire::PrefetchAhead(fields.position(), kEventsAheadBytes);
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
    if (at != nullptr && at < end) {
      at = ReadLineFields(at, true, &of->line, &counted->bad, &counted->unknown);
    }
  }
}

// Moves rows from `from` to `to`, which is before it.
template <class T>
void ShiftUp(T* column, size_t from, size_t to, size_t rows) {
  std::memmove(static_cast<void*>(column + to), column + from, rows * sizeof(T));
}

// Closes the gaps of malformed events. Returns the number of remaining rows.
size_t CloseGaps(const StoreBuilder::RawRows& all, std::vector<Piece>* pieces) {
  size_t next = 0;
  for (Piece& piece : *pieces) {
    if (piece.first_row != next) {
      if (all.start_ps != nullptr) ShiftUp(all.start_ps, piece.first_row, next, piece.rows);
      ShiftUp(all.duration_ps, piece.first_row, next, piece.rows);
      ShiftUp(all.label, piece.first_row, next, piece.rows);
      ShiftUp(all.detail, piece.first_row, next, piece.rows);
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
  ProblemCount EventProblems::*which;
  const NoteRow& what;
} kEventProblems[] = {
    {&EventProblems::malformed, note::malformed_events},
    {&EventProblems::unknown, note::unknown_names},
    {&EventProblems::negative, note::negative_durations},
    {&EventProblems::clamped, note::far_times_clamped},
    {&EventProblems::far, note::events_without_details},
    {&EventProblems::unknown_fields, note::unknown_event_fields},
};

void AddProblems(const EventProblems& from, EventProblems* to) {
  for (const auto& problem : kEventProblems) {
    const ProblemCount& problems = from.*problem.which;
    ProblemCount& sum = to->*problem.which;
    if (sum.count == 0) sum.first = problems.first;
    sum.count += problems.count;
  }
}

// Returns the base of a line in ps. Line times are wall time in ns, so the product may overflow.
int64_t BasePs(const Line& line, int64_t epoch_ns, bool* clamped) {
  int64_t from_epoch_ns = 0;
  if (__builtin_sub_overflow(line.timestamp_ns, epoch_ns, &from_epoch_ns)) {
    *clamped = true;
    return line.timestamp_ns < 0 ? kMinPs : kMaxPs;
  }
  return SaturatingMul(from_epoch_ns, kPsPerNs, clamped);
}

// State of loading all groups.
struct LoadingEvents {
  const SourceFile& file;
  StoreBuilder& store;
  Context& context;
  const char** bad;
  UnknownFields* unknown;
  size_t threads;
  EventProblems problem = {};
  int64_t clamped_lines = 0;
};

// Returns all pieces in file order with their row positions.
std::vector<Piece> PlacePieces(std::vector<Counted>* counted, LoadingEvents* loading) {
  std::vector<Piece> pieces;
  size_t next = 0;
  for (Counted& line : *counted) {
    if (*loading->bad == nullptr) *loading->bad = line.bad;
    loading->unknown->Add(line.unknown);
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

// Lines whose events have contiguous rows.
struct Group {
  std::span<LaneLine> lines;
  std::vector<Counted> counted;  // by line
  bool is_small = true;          // no line is long
};

// Returns the lines after the first `done` ones, up to some megabytes.
Group NextGroup(std::span<LaneLine> lines, size_t done, size_t threads) {
  const size_t enough = kThreadBytes * threads;
  size_t end = done, bytes = 0;
  for (; end < lines.size() && bytes < enough; ++end) bytes += lines[end].line.bytes.size();
  return {lines.subspan(done, end - done), std::vector<Counted>(end - done), bytes < 2 * enough};
}

// Decodes the pieces of one group while the next one is counted, so that no thread stalls on the
// longest line of a group. If either group is large, the next is counted afterwards, because the
// pages of both would be resident.
Result<void> DecodeAndCount(const StoreBuilder::RawRows& rows, std::vector<Piece>* pieces,
                            bool are_small, Group* next, LoadingEvents* loading) {
  const auto count = [&](size_t i) { CountLine(&next->lines[i], &next->counted[i]); };
  const size_t lines = next->lines.size(), beside = are_small && next->is_small ? lines : 0;
  TFPROF_TRY(
      ForEachTask(beside + pieces->size(), loading->threads, loading->context, [&](size_t i) {
        if (i < beside) return count(i);
        Piece* piece = &(*pieces)[i - beside];
        DecodeEvents(rows, piece);
        ReleasePages(loading->file, piece->begin, piece->end);
        loading->context.done_bytes.fetch_add(static_cast<uint64_t>(piece->end - piece->begin),
                                              std::memory_order_relaxed);
      }));
  if (beside == lines) return {};
  return ForEachTask(lines, loading->threads, loading->context, count);
}

// Returns an error if another process wrote to the file while it was read. GuardReads detects files
// that shrank.
Result<void> CheckUnchanged(const std::vector<Piece>& pieces, const SourceFile& file) {
  for (const Piece& piece : pieces) {
    if (piece.changed == nullptr) continue;
    return Fail(ErrorKind::corrupt, "the file was written to while it was read",
                file.At(piece.changed), "open it again when it is complete");
  }
  return {};
}

// Finishes pieces whose rows begin at `first`.
void FinishPieces(const StoreBuilder::RawRows& rows, EventId first, std::vector<Piece>* pieces,
                  LoadingEvents* loading) {
  StoreBuilder& store = loading->store;
  store.DropRows(EventId(first.value + CloseGaps(rows, pieces)));
  for (const Piece& piece : *pieces) {
    AddProblems(piece.problem, &loading->problem);
    const auto row = static_cast<uint32_t>(first.value + piece.first_row);
    if (piece.rows == 0) continue;
    store.BeginRows(piece.of->lane, StepId(), EventId(row));
    if (piece.ascends) store.RowsAscend(EventId(row), piece.rows);
    for (const Aggregate& aggregate : piece.aggregates) {
      store.AddAggregate(EventId(first.value + aggregate.event.value), aggregate.occurrences);
    }
  }
}

Result<void> LoadGroup(Group* group, Group* next, LoadingEvents* loading) {
  StoreBuilder& store = loading->store;
  std::vector<Piece> pieces = PlacePieces(&group->counted, loading);
  const size_t events = pieces.empty() ? 0 : pieces.back().first_row + pieces.back().events;
  const EventId first = store.next_event();
  if (events > kMaxRows - first.value) {
    return Fail(ErrorKind::corrupt, "more than 4 billion events", loading->file.path,
                "load fewer files at once");
  }
  const StoreBuilder::RawRows rows = store.ExtendRows(events, true);
  TFPROF_TRY(DecodeAndCount(rows, &pieces, group->is_small, next, loading));
  TFPROF_TRY(CheckUnchanged(pieces, loading->file));
  FinishPieces(rows, first, &pieces, loading);
  return {};
}

}  // namespace

Result<void> LoadEvents(const SourceFile& file, std::vector<LaneLine>* lines, StoreBuilder& store,
                        Context& context, const char** bad, UnknownFields* unknown) {
  LoadingEvents loading{file, store, context, bad, unknown, ThreadsFor(file.bytes.size())};
  // The first round only counts: there is no previous group to decode.
  Group group, next = NextGroup(*lines, 0, loading.threads);
  for (size_t done = 0; !group.lines.empty() || !next.lines.empty();) {
    TFPROF_TRY(LoadGroup(&group, &next, &loading));
    done += next.lines.size();
    group = std::move(next);
    next = NextGroup(*lines, done, loading.threads);
  }
  if (loading.clamped_lines > 0) {
    store.AddNote(note::far_lines_clamped, "", kNoInt, loading.clamped_lines);
  }
  for (const auto& problem : kEventProblems)
    (loading.problem.*problem.which).AddNoteTo(problem.what, file, store);
  return {};
}

}  // namespace tfprof::xspace
