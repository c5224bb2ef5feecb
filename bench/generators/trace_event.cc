// SPDX-License-Identifier: Apache-2.0
#include "bench/generators/trace_event.h"

#include <algorithm>
#include <iterator>

#include "proto/xplane_fields.h"

namespace tfprof::trace {
namespace {

enum Key : int64_t {
  kOp = 1,
  kGroup,
  kCorrelation,
  kDetails,
  kContext,
  kMark,
  kStepNumber,
  kIterator,
  kParent,
  kAllocator,
  kReserved,
  kAllocated,
  kAvailable,
  kRequested,
  kBytes,
  kAddress,
  kRegion,
  kType,
  kCopy,
  kFirstText
};
constexpr int64_t kMaxNames = 4096;
enum More : int64_t { kTrain = 1, kRoot, kPrefetch, kAllocate, kFree, kCopyName };

// Threads launch the work of streams; some launches start two kernels.
int64_t CorrelationOf(int64_t line, int64_t index) {
  return 1 + line % kThreads * 1'000'000 + index;
}

// A well-distributed, deterministic number.
uint64_t Scatter(int64_t a, int64_t b) {
  uint64_t x = static_cast<uint64_t>(a) * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(b);
  x ^= x >> 31;
  x *= 0xD6E8FEB86659FD93u;
  return x ^ (x >> 29);
}

constexpr int64_t kMinDurationPs = 1'000'000, kSpreadPs = 60'000'000, kMaxGapPs = 5'000'000;
constexpr int64_t kMeanPs =
    kMinDurationPs + (kSpreadPs + kMaxGapPs) / 2;  // mean distance of starts

// One event of a line.
struct Writing {
  const ModelSize& size;
  WireWriter& out;
  int64_t line;
  int64_t index;
  uint64_t random = Scatter(line, index);

  int64_t Name() const {
    return static_cast<int64_t>((random >> 20) % static_cast<uint64_t>(NamesOf(size)));
  }
  void Int(Key key, int64_t value) { Stat(key, field::XStat::int64_value, value); }
  void Text(Key key, int64_t text) { Stat(key, field::XStat::ref_value, kFirstText + text); }
  void Stat(Key key, FieldNumber field, int64_t value) {
    out.Message(field::XEvent::stats, [&] {
      out.Int(field::XStat::metadata_id, key);
      out.Int(field, value);
    });
  }
  void Group() { Int(kGroup, 1 + index * size.steps / (EventsOf(size, line) + 1)); }
};

// Eight buffers of 1 MiB are live at a time: the oldest one is freed next.
void WriteAllocation(bool frees, Writing* event) {
  const int64_t buffer = event->index / 2;
  const int64_t live = std::min<int64_t>(buffer + 1, 8);
  event->Text(kAllocator, kLaunches);
  event->Int(kReserved, 1 << 20);
  event->Int(kAllocated, live << 20);
  event->Int(kAvailable, (int64_t{1} << 34) - (live << 20));
  event->Int(kRequested, 1'000'000);
  event->Int(kBytes, 1 << 20);
  event->Int(kAddress, 4096 + (frees ? buffer - 8 : buffer) * (1 << 20));
  if (frees) return;
  event->Text(kRegion, kLaunches + 1);
  event->Int(kType, 1);
  event->Text(kOp, kLaunches + std::ssize(kTexts) + event->Name());
}

// Returns the number of the name; `stats` writes the attributes after the times.
int64_t NameOf(LineKind kind, const Writing& event) {
  const int64_t more = NamesOf(event.size);
  switch (kind) {
    case LineKind::markers: return more + kTrain;
    case LineKind::iterators: return more + (event.index % 4 == 0 ? kRoot : kPrefetch);
    case LineKind::allocations:
      return more + (event.index % 2 == 1 && event.index > 16 ? kFree : kAllocate);
    case LineKind::copies: return more + kCopyName;
    default: return 1 + event.Name();
  }
}

void WriteStats(LineKind kind, Writing* event) {
  event->Group();
  switch (kind) {
    case LineKind::markers: event->Int(kMark, 1); return event->Int(kStepNumber, event->index);
    case LineKind::iterators:
      event->Int(kIterator, event->index % 4 == 0 ? 1 : 2);
      return event->Int(kParent, event->index % 4 == 0 ? 0 : 1);
    case LineKind::allocations:
      return WriteAllocation(event->index % 2 == 1 && event->index > 16, event);
    case LineKind::operations:
      return event->Int(kCorrelation, CorrelationOf(event->line, event->index));
    case LineKind::copies:
      event->Int(kCorrelation, CorrelationOf(event->line, event->index));
      return event->Text(kCopy, kLaunches + 2);
    case LineKind::kernels:
      event->Int(kCorrelation, CorrelationOf(event->line, event->index));
      event->Text(kDetails, event->Name() % kLaunches);
      event->Text(kContext, event->Name() % 4);
      return event->Text(kOp, kLaunches + std::ssize(kTexts) + event->Name());
  }
}

}  // namespace

LineKind KindOfLine(int64_t line) {
  if (line == 0) return LineKind::markers;
  if (line < 9) return LineKind::iterators;
  if (line < 17) return LineKind::allocations;
  if (line < kThreads) return LineKind::operations;
  return (line - kThreads) % kStreams == kStreams - 1 ? LineKind::copies : LineKind::kernels;
}

int64_t NamesOf(const ModelSize& size) { return std::min(size.nodes, kMaxNames); }

int64_t EventsOf(const ModelSize& size, int64_t line) {
  const int64_t events = size.nodes * size.steps;
  const int64_t share = events / kLines + (line < events % kLines ? 1 : 0);
  return KindOfLine(line) == LineKind::markers ? std::min(share, size.steps) : share;
}

void WriteEvent(const ModelSize& size, int64_t line, int64_t index, int64_t* at_ps,
                WireWriter& out) {
  Writing event{size, out, line, index};
  const LineKind kind = KindOfLine(line);
  const bool marker = kind == LineKind::markers;
  // A marker is as long as the events of its step on the other lines.
  const int64_t step_ps = EventsOf(size, 1) * kMeanPs / size.steps;
  const int64_t duration_ps =
      marker ? step_ps * 9 / 10 : kMinDurationPs + static_cast<int64_t>(event.random % kSpreadPs);
  out.Message(field::XLine::events, [&] {
    out.Int(field::XEvent::metadata_id, NameOf(kind, event));
    out.Int(field::XEvent::offset_ps, *at_ps + 1);
    out.Int(field::XEvent::duration_ps, duration_ps);
    WriteStats(kind, &event);
  });
  *at_ps += marker ? step_ps : duration_ps + static_cast<int64_t>((event.random >> 40) % kMaxGapPs);
}

}  // namespace tfprof::trace
