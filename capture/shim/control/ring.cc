// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/control/ring.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "capture/shim/chunks.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/recorder.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

// Two files in turn. The one before stays open: what threads recorded before they were in the new
// window belongs there.
struct Ring {
  SpoolFile files[2];
  uint32_t number = 0;  // of the present segment; 0: there is no ring
  uint32_t window = 0;  // with which it began
  uint64_t began = 0;   // ns, monotonic
};
Ring g_ring;

SpoolFile& FileOf(uint32_t number) { return g_ring.files[number % 2]; }

int BeginFile(const SpoolFile& spool, uint64_t time) {
  ++g_ring.number;
  const int error = FileOf(g_ring.number).CreateSegment(spool, g_ring.number);
  if (error != 0) return error;
  SegmentRecord segment{.time = time};
  segment.head.id = g_ring.number;
  FileOf(g_ring.number).Add(0, segment);
  g_ring.window = WindowOf(GateState());
  g_ring.began = MonotonicTime();
  return 0;
}

// Recording never ends for want of space: a segment may have half of it.
bool IsLong() {
  const Config& config = g_recorder.config;
  const uint64_t most_bytes = config.ring_bytes != 0
                                  ? std::min(config.ring_bytes, config.most_disk / 2)
                                  : config.most_disk / 2;
  return FileOf(g_ring.number).bytes() >= most_bytes ||
         (config.ring_ns != 0 && MonotonicTime() - g_ring.began >= config.ring_ns);
}

}  // namespace

int StartRing(const SpoolFile& spool) {
  return HasRing(g_recorder.config) ? BeginFile(spool, WallTime()) : 0;
}

int TurnRing(const SpoolFile& spool) {
  if (g_ring.number == 0 || !IsLong() || !BeginSegment()) return 0;
  if (g_ring.number > 1) {
    FileOf(g_ring.number - 1).Forget();
    SpoolFile::RemoveSegment(spool, g_ring.number - 1);
  }
  return BeginFile(spool, g_gate.start.load());
}

int FlushRing() {
  if (g_ring.number == 0) return 0;
  const int error = g_ring.number > 1 ? FileOf(g_ring.number - 1).Flush() : 0;
  return error != 0 ? error : FileOf(g_ring.number).Flush();
}

void ForgetRing() {
  for (SpoolFile& file : g_ring.files) file.Forget();
  new (&g_ring) Ring;
}

void AddRecords(SpoolFile* spool, ThreadLog* log, const void* records, uint32_t bytes) {
  const uint32_t thread = log != nullptr ? log->thread : 0;
  if (g_ring.number == 0) return spool->Add(thread, records, bytes);
  const auto* at = static_cast<const unsigned char*>(records);
  for (uint32_t done = 0; done < bytes;) {
    RecordHead head;
    std::memcpy(&head, at + done, sizeof head);
    if (head.kind == RecordKind::resume) log->written_window = head.id;
    const bool is_before =
        g_ring.number > 1 && log != nullptr && log->written_window < g_ring.window;
    SpoolFile* file =
        OutlivesRing(head.kind) ? spool : &FileOf(g_ring.number - (is_before ? 1 : 0));
    file->Add(thread, at + done, head.bytes);
    done += head.bytes;
  }
}

RingSize SizeOfRing() {
  if (g_ring.number == 0) return {};
  return {g_ring.files[0].records() + g_ring.files[1].records(), FileOf(g_ring.number).bytes()};
}

}  // namespace tfprof::capture
