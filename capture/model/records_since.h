// SPDX-License-Identifier: Apache-2.0
// The records of a spool from an instant on, as if an older part had been dropped (--ring): those
// of a thread begin with what it is in.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/spool/reader.h"

namespace tfprof::capture {

// The ranges that a thread is in, as it pushed them.
struct PushedRanges {
  std::vector<PushPayloadRecord> open;  // the innermost last
  uint32_t window = 0;                  // the last one that it was in; 0: none
};

// What all threads are in at a place of a spool, when the records before are read in order.
class ThreadsAt {
 public:
  void Take(uint32_t thread, const RecordHead& head);
  const std::map<uint32_t, PushedRanges>& threads() const { return threads_; }

 private:
  std::map<uint32_t, PushedRanges> threads_;
};

class RecordsSince {
 public:
  using Give = std::function<void(uint32_t thread, const RecordHead& head)>;

  // `before`: at the place from which on records are taken.
  RecordsSince(const Definitions& definitions, ThreadsAt before, Give give)
      : definitions_(definitions), before_(std::move(before)), give_(std::move(give)) {}

  void Take(uint32_t thread, const RecordHead& head);
  // Threads that have no record since then may be in ranges all the time.
  void Finish();

 private:
  void Begin(uint32_t thread, const PushedRanges& in);

  const Definitions& definitions_;
  ThreadsAt before_;
  Give give_;
  std::map<uint32_t, bool> has_begun_;  // by thread
};

}  // namespace tfprof::capture
