// SPDX-License-Identifier: Apache-2.0
#include "capture/model/records_since.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace tfprof::capture {
namespace {

PushPayloadRecord CopyOf(const RecordHead& head, RecordKind kind) {
  PushPayloadRecord push;
  std::memcpy(static_cast<void*>(&push), &head, std::min<size_t>(head.bytes, sizeof push));
  push.push.head.kind = kind;
  return push;
}

// Records of a thread that are in order with each other.
bool IsOfThread(RecordKind kind) {
  switch (kind) {
    case RecordKind::push:
    case RecordKind::pop:
    case RecordKind::range_start:
    case RecordKind::mark:
    case RecordKind::resume:
    case RecordKind::reopen:
    case RecordKind::call: return true;
    default: return false;
  }
}

// All of these begin with a time. What a thread was in before is as old as what follows it.
uint64_t TimeOf(const RecordHead& head) {
  const auto* record = As<PopRecord>(head);
  return record == nullptr || head.kind == RecordKind::reopen ? 0 : record->time;
}

}  // namespace

void ThreadsAt::Take(uint32_t thread, const RecordHead& head) {
  if (!IsOfThread(head.kind)) return;
  PushedRanges& in = threads_[thread];
  switch (head.kind) {
    case RecordKind::resume:
      in.open.clear();
      in.window = head.id;
      break;
    case RecordKind::push:
    case RecordKind::reopen:
      if (As<PushRecord>(head) != nullptr) in.open.push_back(CopyOf(head, RecordKind::reopen));
      break;
    case RecordKind::pop: {
      const auto last =
          std::find_if(in.open.rbegin(), in.open.rend(),
                       [&](const PushPayloadRecord& open) { return open.push.domain == head.id; });
      if (last != in.open.rend()) in.open.erase(std::next(last).base());
      break;
    }
    default: break;
  }
}

void RecordsSince::Begin(uint32_t thread, const PushedRanges& in) {
  ResumeRecord resume{.time = definitions_.kept_from};
  resume.head.id = in.window;
  give_(thread, resume.head);
  for (const PushPayloadRecord& open : in.open) give_(thread, open.push.head);
}

void RecordsSince::Take(uint32_t thread, const RecordHead& head) {
  if (!IsOfThread(head.kind)) return give_(thread, head);
  bool& has_begun = has_begun_[thread];
  // A range that ends with the instant was before it.
  const uint64_t first = definitions_.kept_from + (head.kind == RecordKind::pop ? 1 : 0);
  if (!has_begun && TimeOf(head) < first) return before_.Take(thread, head);
  // A window that begins later says itself what the thread is in.
  if (!has_begun && head.kind != RecordKind::resume) {
    const auto in = before_.threads().find(thread);
    Begin(thread, in == before_.threads().end() ? PushedRanges() : in->second);
  }
  has_begun = true;
  give_(thread, head);
}

void RecordsSince::Finish() {
  for (const auto& [thread, in] : before_.threads()) {
    if (has_begun_[thread] || in.open.empty()) continue;
    const auto window = definitions_.window_records.find(in.window);
    if (!definitions_.has_windows || window != definitions_.window_records.end()) {
      Begin(thread, in);
    }
  }
}

}  // namespace tfprof::capture
