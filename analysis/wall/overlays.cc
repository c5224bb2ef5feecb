// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/overlays.h"

#include <algorithm>

#include "analysis/wall/lock_waits.h"

namespace tfprof {
namespace {

// The time in which Python's garbage collector ran, by the marks at its start and its end.
struct Collection {
  Interval when;
  uint32_t mark = kNoRow;  // the event at its start
};

std::vector<Collection> CollectionsOf(const Store& store, const DrivingThread& thread) {
  std::vector<Collection> found;
  uint32_t begin = kNoRow;
  for (const uint32_t row : thread.nesting.order) {
    const Label& label = store.labels[store.events.label[row].value];
    if (label.role != EventRole::collector_mark) continue;
    if (begin == kNoRow) {
      begin = row;
      continue;
    }
    const int64_t end_ps = store.events.EndPs(row);
    found.push_back({{store.events.start_ps[begin], end_ps}, begin});
    begin = kNoRow;
  }
  return found;
}

// Gives the part of a segment within an interval another cause.
void AppendCut(const HostSegment& segment, const Interval& cut, HostCause cause, uint32_t named_by,
               int64_t* from_ps, std::vector<HostSegment>* out) {
  HostSegment part = segment;
  part.start_ps = *from_ps;
  part.end_ps = std::min(segment.end_ps, cut.start_ps);
  AppendSegment(part, out);
  part.start_ps = std::max(*from_ps, cut.start_ps);
  part.end_ps = std::min(segment.end_ps, cut.end_ps);
  part.cause = cause;
  part.named_by = named_by;
  AppendSegment(part, out);
  *from_ps = std::max(*from_ps, part.end_ps);
}

// The function that runs meanwhile names a collection, but for a call of gc.collect().
std::vector<HostSegment> WithCollections(const std::vector<HostSegment>& segments,
                                         const std::vector<Collection>& collections) {
  std::vector<HostSegment> out;
  auto next = collections.begin();
  for (const HostSegment& segment : segments) {
    while (next != collections.end() && next->when.end_ps <= segment.start_ps) ++next;
    int64_t from_ps = segment.start_ps;
    for (auto cut = next; cut != collections.end() && cut->when.start_ps < segment.end_ps; ++cut) {
      if (segment.cause <= HostCause::collector) continue;
      AppendCut(segment, cut->when, HostCause::collector, segment.named_by, &from_ps, &out);
    }
    HostSegment rest = segment;
    rest.start_ps = from_ps;
    AppendSegment(rest, &out);
  }
  return out;
}

// While it waits for a lock, the thread does nothing else.
std::vector<HostSegment> WithLocks(const std::vector<HostSegment>& segments,
                                   const std::vector<LockWait>& waits) {
  if (waits.empty()) return segments;
  std::vector<HostSegment> out;
  auto next = waits.begin();
  for (const HostSegment& segment : segments) {
    while (next != waits.end() && next->when.end_ps <= segment.start_ps) ++next;
    int64_t from_ps = segment.start_ps;
    for (auto cut = next; cut != waits.end() && cut->when.start_ps < segment.end_ps; ++cut) {
      if (segment.cause <= HostCause::lock) continue;
      AppendCut(segment, cut->when, HostCause::lock, cut->row, &from_ps, &out);
    }
    HostSegment rest = segment;
    rest.start_ps = from_ps;
    AppendSegment(rest, &out);
  }
  return out;
}

// While the thread only runs a function, the input pipeline may be what the function waits for.
std::vector<HostSegment> WithFetching(const std::vector<HostSegment>& segments,
                                      Intervals fetching) {
  std::vector<HostSegment> out;
  for (const HostSegment& segment : segments) {
    int64_t from_ps = segment.start_ps;
    const bool may_wait = segment.cause == HostCause::launch || segment.cause == HostCause::eager ||
                          segment.cause == HostCause::eager_run;
    if (may_wait) {
      EachWithin(fetching, segment.start_ps, segment.end_ps, [&](int64_t start, int64_t end) {
        AppendCut(segment, {start, end}, HostCause::input, kNoRow, &from_ps, &out);
      });
    }
    HostSegment rest = segment;
    rest.start_ps = from_ps;
    AppendSegment(rest, &out);
  }
  return out;
}

// When threads but the driving one run operations that the program starts one by one.
IntervalSet OpsElsewhere(const Store& store, const DrivingThread& thread) {
  IntervalSet ops;
  const Process& host = store.processes[store.lanes[thread.lane.value].process.value];
  for (uint32_t i = host.lanes.first; i < host.lanes.After(); ++i) {
    const Lane& lane = store.lanes[i];
    if (LaneId(i) == thread.lane || lane.derived || lane.role == LaneRole::instants) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      if (store.labels[store.events.label[row].value].of != EventClass::op) continue;
      ops.Add(store.events.start_ps[row], store.events.EndPs(row));
    }
  }
  return ops;
}

// While it waits for a thread that starts operations, as for that of automatic differentiation,
// that is what it does.
std::vector<HostSegment> WithOpsElsewhere(const std::vector<HostSegment>& segments, Intervals ops) {
  if (ops.empty()) return segments;
  std::vector<HostSegment> out;
  for (const HostSegment& segment : segments) {
    int64_t from_ps = segment.start_ps;
    const bool may_wait =
        segment.cause == HostCause::python || segment.cause == HostCause::library ||
        segment.cause == HostCause::region || segment.cause == HostCause::unrecorded;
    if (may_wait) {
      EachWithin(ops, segment.start_ps, segment.end_ps, [&](int64_t start, int64_t end) {
        AppendCut(segment, {start, end}, HostCause::eager, kNoRow, &from_ps, &out);
      });
    }
    HostSegment rest = segment;
    rest.start_ps = from_ps;
    AppendSegment(rest, &out);
  }
  return out;
}

// True if the recorder has categories: then all that the thread does is recorded.
bool HasClass(const Store& store, uint32_t row) {
  return row != kNoRow && store.labels[store.events.label[row].value].of != EventClass::none;
}

// Between two calls of the main function, saving what it computed takes all that the thread does
// for it: reading variables, naming files.
void ExtendCheckpoints(const Store& store, const DrivingThread& thread,
                       std::vector<HostSegment>* segments) {
  std::vector<int64_t> ends;
  for (const ProgramCall& call : thread.calls) {
    if (thread.IsMain(call)) ends.push_back(call.end_ps);
  }
  const auto between = [&](const HostSegment& segment) {
    return std::upper_bound(ends.begin(), ends.end(), segment.start_ps) - ends.begin();
  };
  std::vector<uint32_t> checkpoint_of(ends.size() + 1, kNoRow);
  for (const HostSegment& segment : *segments) {
    if (segment.cause == HostCause::checkpoint && !HasClass(store, segment.named_by)) {
      checkpoint_of[static_cast<size_t>(between(segment))] = segment.named_by;
    }
  }
  for (HostSegment& segment : *segments) {
    const uint32_t row = checkpoint_of[static_cast<size_t>(between(segment))];
    const bool helps = segment.cause == HostCause::eager || segment.cause == HostCause::eager_run ||
                       segment.cause == HostCause::region || segment.cause == HostCause::unrecorded;
    if (row == kNoRow || !helps) continue;
    segment.cause = HostCause::checkpoint;
    segment.named_by = row;
  }
}

// In a loop of single operations, Python works for the next one in the short time between two.
void ExtendEager(const DrivingThread& thread, std::vector<HostSegment>* segments) {
  constexpr int64_t kShortPs = 500 * kPsPerUs;
  const bool eager =
      thread.calls.empty() && std::ranges::any_of(*segments, [](const HostSegment& segment) {
        return segment.cause == HostCause::eager;
      });
  if (!eager) return;
  for (HostSegment& segment : *segments) {
    const bool between = segment.cause == HostCause::unrecorded ||
                         segment.cause == HostCause::launch || segment.cause == HostCause::library;
    if (between && SpanOf(segment.start_ps, segment.end_ps) < kShortPs) {
      segment.cause = HostCause::eager;
    }
  }
}

// Time without events, within the thread's time, is a segment of its own.
std::vector<HostSegment> FillGaps(const std::vector<HostSegment>& segments) {
  std::vector<HostSegment> out;
  for (const HostSegment& segment : segments) {
    if (!out.empty())
      AppendSegment({.start_ps = out.back().end_ps, .end_ps = segment.start_ps}, &out);
    AppendSegment(segment, &out);
  }
  return out;
}

}  // namespace

void AppendSegment(const HostSegment& next, std::vector<HostSegment>* segments) {
  if (next.end_ps <= next.start_ps) return;
  if (!segments->empty()) {
    HostSegment& last = segments->back();
    const bool same = last.end_ps == next.start_ps && last.cause == next.cause &&
                      last.named_by == next.named_by && last.callee == next.callee &&
                      last.leaf == next.leaf;
    if (same) {
      last.end_ps = next.end_ps;
      return;
    }
  }
  segments->push_back(next);
}

std::vector<HostSegment> WithContext(const Store& store, const DrivingThread& thread,
                                     Intervals fetching, const std::vector<HostSegment>& segments) {
  std::vector<HostSegment> out = WithCollections(segments, CollectionsOf(store, thread));
  out = WithLocks(FillGaps(out), LockWaits(store, thread));
  out = WithOpsElsewhere(WithFetching(out, fetching), OpsElsewhere(store, thread).Parts());
  ExtendCheckpoints(store, thread, &out);
  ExtendEager(thread, &out);
  return out;
}

}  // namespace tfprof
