// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/trace.h"

namespace tfprof::capture {

void Trace::Take(uint32_t thread, const RecordHead& head) {
  switch (head.kind) {
    case RecordKind::kernel:
    case RecordKind::copy:
    case RecordKind::fill:
    case RecordKind::graph:
    case RecordKind::memory: TakeWork(head); break;
    default: host_.Take(thread, head); break;
  }
}

void Trace::TakeWork(const RecordHead& head) {
  if (device_.Take(head, false)) return;
  const auto* bytes = reinterpret_cast<const std::byte*>(&head);
  waiting_.insert(waiting_.end(), bytes, bytes + head.bytes);
  if (waiting_.size() > kMostWaiting * sizeof(KernelRecord)) AddWaiting();
}

void Trace::AddWaiting() {
  EachRecord(waiting_, [&](const RecordHead& head) { device_.Take(head, true); });
  waiting_.clear();
}

void Trace::Finish() {
  AddWaiting();
  host_.Finish();
  device_.Finish();
}

}  // namespace tfprof::capture
