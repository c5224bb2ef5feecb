// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/nvtx/ranges.h"

#include <algorithm>
#include <atomic>

#include "capture/shim/recorder.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

// What the number of a range that ends anywhere says of its start.
constexpr uint64_t kIsRecorded = 1;
constexpr uint64_t kIsCaptureRange = 2;
constexpr int kFlagBits = 2;

std::atomic<uint64_t> g_last_range{0};

uint32_t* DepthOf(ThreadLog* log, uint16_t domain) {
  return &log->depth[domain < kTrackedDomains ? domain : kTrackedDomains - 1];
}

// Before the range is recorded: the window that it begins contains it. Returns what its end will
// mean.
uint8_t BeginRoles(ThreadLog* log, const NameMeaning& meaning, int64_t* step) {
  uint8_t roles = kNoRole;
  if ((meaning.roles & kStepRole) != 0 && !log->is_in_step) {
    log->is_in_step = true;
    roles |= kStepRole;
    *step = BeginStep(meaning);
  }
  if ((meaning.roles & kCaptureRole) != 0) {
    roles |= kCaptureRole;
    BeginCaptureRange();
  }
  return roles;
}

// After it is recorded.
void EndRoles(ThreadLog* log, const ListedRange& range) {
  if ((range.roles & kStepRole) != 0) {
    log->is_in_step = false;
    EndStep(range.step);
  }
  if ((range.roles & kCaptureRole) != 0) EndCaptureRange();
}

// Takes the innermost range of the domain off the list. Returns false if it is not listed.
bool Forget(ThreadLog* log, uint16_t domain, ListedRange* range) {
  if (log->unlisted > 0) {
    --log->unlisted;
    return false;
  }
  uint32_t at = log->open_count;
  while (at > 0 && log->open[at - 1].push.push.domain != domain) --at;
  if (at == 0) return false;
  *range = log->open[at - 1];
  std::copy(log->open + at, log->open + log->open_count, log->open + at - 1);
  --log->open_count;
  return true;
}

}  // namespace

void Resume(ThreadLog* log, uint32_t window) {
  log->window = window;
  ResumeRecord resume{.time = g_gate.start.load(std::memory_order_relaxed)};
  resume.head.id = window;
  Append(log, resume);
  for (uint32_t i = 0; i < log->open_count; ++i) {
    PushPayloadRecord reopen = log->open[i].push;
    reopen.push.head.kind = RecordKind::reopen;
    Append(log, &reopen, reopen.push.head.bytes);
  }
}

int PushRange(ThreadLog* log, PushPayloadRecord* push, const NameEntry* name) {
  const bool is_listed = log->open_count < kMostOpenRanges && log->unlisted == 0;
  uint8_t roles = kNoRole;
  int64_t step = 0;
  if (name != nullptr && name->meaning.roles != kNoRole && is_listed) {
    roles = BeginRoles(log, name->meaning, &step);
  }
  if (IsOpen(EnterWindow(log))) {
    push->push.time = WallTime();
    Append(log, push, push->push.head.bytes);
  }
  if (is_listed) {
    log->open[log->open_count++] = {*push, roles, step};
  } else {
    ++log->unlisted;
  }
  return static_cast<int>((*DepthOf(log, push->push.domain))++);
}

int PopRange(ThreadLog* log, uint16_t domain) {
  const bool is_open = IsOpen(EnterWindow(log));
  const uint64_t time = is_open ? WallTime() : 0;
  uint32_t* depth = DepthOf(log, domain);
  if (*depth == 0) return -1;  // it was pushed before recording began, or never
  if (is_open) {
    PopRecord pop{.time = time};
    pop.head.id = domain;
    Append(log, pop);
  }
  ListedRange* top = log->open_count > 0 ? &log->open[log->open_count - 1] : nullptr;
  if (top != nullptr && log->unlisted == 0 && top->push.push.domain == domain &&
      top->roles == kNoRole) {
    --log->open_count;
  } else {
    ListedRange range;
    if (Forget(log, domain, &range)) EndRoles(log, range);
  }
  return static_cast<int>(--*depth);
}

uint64_t StartRange(ThreadLog* log, PushPayloadRecord* start, const NameEntry* name) {
  uint64_t range = (g_last_range.fetch_add(1, std::memory_order_relaxed) + 1) << kFlagBits;
  if (name != nullptr && (name->meaning.roles & kCaptureRole) != 0) {
    range |= kIsCaptureRange;
    BeginCaptureRange();
  }
  if (!IsOpen(EnterWindow(log))) return range;
  range |= kIsRecorded;
  start->push.head.bytes = sizeof(RangeStartRecord);
  start->push.time = WallTime();
  Append(log, RangeStartRecord{*start, range});
  return range;
}

// The end is recorded wherever its start is.
void EndRange(ThreadLog* log, uint64_t range) {
  if ((range & kIsRecorded) != 0) {
    Append(log, RangeEndRecord{.time = WallTime(), .range = range});
  }
  if ((range & kIsCaptureRange) != 0) EndCaptureRange();
}

void MarkInstant(ThreadLog* log, PushPayloadRecord* mark) {
  if (!IsOpen(EnterWindow(log))) return;
  mark->push.time = WallTime();
  Append(log, mark, mark->push.head.bytes);
}

}  // namespace tfprof::capture
