// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/parts.h"

#include <algorithm>

#include "core/base/sorting.h"

namespace tfprof {
namespace {

WallKind KindOf(HostCause cause) {
  switch (cause) {
    case HostCause::compile: return WallKind::compile;
    case HostCause::tracing: return WallKind::tracing;
    case HostCause::collector: return WallKind::collector;
    case HostCause::checkpoint: return WallKind::checkpoint;
    case HostCause::queue: return WallKind::queue;
    case HostCause::lock: return WallKind::lock;
    case HostCause::input: return WallKind::input;
    case HostCause::iterator: return WallKind::iterator;
    case HostCause::device_memory: return WallKind::device_memory;
    case HostCause::host_op: return WallKind::host_op;
    case HostCause::python: return WallKind::python;
    case HostCause::copies: return WallKind::copies;
    case HostCause::eager:
    case HostCause::eager_run: return WallKind::eager;
    case HostCause::waits: return WallKind::waits;
    case HostCause::launch: return WallKind::launch;
    case HostCause::region: return WallKind::region;
    case HostCause::library: return WallKind::library;
    case HostCause::unrecorded: break;
  }
  return WallKind::unrecorded;
}

// Operations and iterators are many: those parts have no names.
bool HasName(HostCause cause) {
  return cause != HostCause::input && cause != HostCause::iterator && cause != HostCause::eager &&
         cause != HostCause::eager_run && cause != HostCause::unrecorded;
}

}  // namespace

uint32_t PartSums::PartOf(WallKind kind, std::string name) {
  const auto [at, is_new] = index_.try_emplace({kind, name}, parts_.size());
  if (is_new) parts_.push_back({kind, std::move(name)});
  return at->second;
}

uint32_t PartSums::PartOf(const HostSegment& segment) {
  const bool named =
      segment.named_by != kNoRow && (HasName(segment.cause) || HasDisplayName(segment.named_by));
  return PartOf(KindOf(segment.cause), named ? NameOf(segment.named_by) : std::string());
}

// The program's own parts of loading input have a name for people.
bool PartSums::HasDisplayName(uint32_t row) const {
  const Label& label = store_.labels[store_.events.label[row].value];
  return label.role == EventRole::input_fetch && label.display.some();
}

const std::string& PartSums::NameOf(uint32_t row) {
  const auto [at, is_new] = names_.try_emplace(row);
  if (is_new) at->second = NameOfEvent(store_, columns_, row);
  return at->second;
}

void PartSums::Add(uint32_t part, int64_t start_ps, int64_t end_ps) {
  if (end_ps <= start_ps) return;
  parts_[part].ps = SaturatingAdd(parts_[part].ps, SpanOf(start_ps, end_ps));
  if (devices_ == 0) segments_.push_back({start_ps, end_ps, part});
}

// Adds what the function calls.
void PartSums::AddCalls(uint32_t part, const HostSegment& segment, int64_t ps) {
  const bool is_function = segment.cause == HostCause::python ||
                           segment.cause == HostCause::checkpoint ||
                           segment.cause == HostCause::library;
  const bool is_input = segment.cause == HostCause::input && segment.callee != kNoRow;
  if (!is_function && !is_input) return;
  const std::string own = parts_[part].name;
  calls_[part][segment.callee == kNoRow ? own : NameOf(segment.callee)] += ps;
  leaves_[part][segment.leaf == kNoRow ? own : NameOf(segment.leaf)] += ps;
}

void PartSums::AddWork(Intervals work, WallKind kind, const Interval& window) {
  const uint32_t part = PartOf(kind, "");
  EachWithin(work, window.start_ps, window.end_ps,
             [&](int64_t start, int64_t end) { Add(part, start, end); });
}

int64_t PartSums::AddIdle(Intervals idle, Intervals others, const HostWall& wall) {
  int64_t until_ps = wall.steps.window.start_ps, computes_ps = 0;
  for (const HostSegment& segment : wall.causes) {
    AddUnrecorded(idle, others, until_ps, segment.start_ps);
    until_ps = std::max(until_ps, segment.end_ps);
    if (segment.cause == HostCause::unrecorded) {
      AddUnrecorded(idle, others, segment.start_ps, segment.end_ps);
      continue;
    }
    // With devices, an operation that the thread runs only starts work there.
    const bool computes = segment.cause == HostCause::eager_run && !wall.has_devices;
    EachWithin(idle, segment.start_ps, segment.end_ps, [&](int64_t start, int64_t end) {
      const uint32_t part = computes ? PartOf(WallKind::compute, "") : PartOf(segment);
      Add(part, start, end);
      if (computes) computes_ps += SpanOf(start, end);
      AddCalls(part, segment, SpanOf(start, end));
    });
  }
  AddUnrecorded(idle, others, until_ps, wall.steps.window.end_ps);
  return computes_ps;
}

void PartSums::AddUnrecorded(Intervals idle, Intervals others, int64_t start_ps, int64_t end_ps) {
  if (end_ps <= start_ps) return;
  const uint32_t part = PartOf(WallKind::unrecorded, "");
  const uint32_t by_others = PartOf(WallKind::threads, "");
  EachWithin(idle, start_ps, end_ps, [&](int64_t start, int64_t end) {
    EachWithin(others, start, end, [&](int64_t from, int64_t to) {
      Add(part, start, from);
      Add(by_others, from, to);
      start = to;
    });
    Add(part, start, end);
  });
}

void PartSums::AddDevice(const DeviceWork& work, const ThreadWork& threads, HostWall* wall) {
  const Interval window = wall->steps.window;
  AddWork(work.compute, WallKind::compute, window);
  AddWork(work.callbacks, WallKind::callback, window);
  AddWork(work.communication, WallKind::communication, window);
  AddWork(work.copies, WallKind::copies, window);
  const std::vector<Interval> idle = Subtract(Intervals(&window, 1), work.busy);
  for (const Interval& gap : idle) {
    AddWork(threads.collectives, WallKind::communication, gap);
  }
  const std::vector<Interval> waiting = Subtract(idle, threads.collectives);
  const int64_t idle_ps = LengthPs(idle) - AddIdle(waiting, threads.others, *wall);
  wall->devices.push_back({work.process, wall->steps.WindowPs() - idle_ps, idle_ps});
  ++devices_;
}

void PartSums::Finish(HostWall* wall) {
  std::vector<uint32_t> order, place(parts_.size());
  for (uint32_t i = 0; i < parts_.size(); ++i) {
    parts_[i].ps /= std::max<int64_t>(devices_, 1);
    parts_[i].calls = LargestFirst(calls_[i]);
    parts_[i].leaves = LargestFirst(leaves_[i]);
    order.push_back(i);
  }
  StableSort(order, [&](uint32_t a, uint32_t b) { return parts_[a].ps > parts_[b].ps; });
  for (const uint32_t i : order) {
    place[i] = static_cast<uint32_t>(wall->parts.size());
    if (parts_[i].ps > 0) wall->parts.push_back(std::move(parts_[i]));
  }
  wall->segments = std::move(segments_);
  for (WallSegment& segment : wall->segments) segment.part = place[segment.part];
  std::ranges::sort(wall->segments, {}, &WallSegment::start_ps);
}

}  // namespace tfprof
