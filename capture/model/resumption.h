// SPDX-License-Identifier: Apache-2.0
// What a thread was in when a window began.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "capture/model/definitions.h"
#include "capture/spool/reader.h"

namespace tfprof::capture {

// Of one thread, while its records are read in order.
class Resumption {
 public:
  // Returns true if what the thread was in is over. It is not if the window continues the one
  // before and the thread's records of that one were read: they say what it is in.
  bool Begin(const Definitions& definitions, const ResumeRecord& resume) {
    const uint32_t last = window_;
    window_ = resume.head.id;
    // It was taken from the thread after its segment had begun.
    if (definitions.is_cut && resume.time < definitions.kept_from) return false;
    is_taken_ = !Continues(definitions, last) || IsLost(definitions);
    is_known_ = true;
    start_ = resume.time;
    return is_taken_;
  }

  // Whether what the thread was in was dropped and has not been written anew.
  bool IsLost(const Definitions& definitions) const { return definitions.is_cut && !is_known_; }

  // Returns false if the range is known to be open. Else it begins with the window.
  bool Take(const PushRecord& reopen, PushPayloadRecord* push) const {
    if (!is_taken_) return false;
    std::memcpy(static_cast<void*>(push), &reopen,
                std::min<size_t>(reopen.head.bytes, sizeof *push));
    push->push.head.kind = RecordKind::push;
    push->push.time = std::max(push->push.time, start_);
    return true;
  }

 private:
  // A thread that did nothing in a window may have been in other ranges then.
  bool Continues(const Definitions& definitions, uint32_t last) const {
    for (uint32_t window = window_; window > last; --window) {
      if (!definitions.ContinuesWindow(window)) return false;
    }
    return last != 0;
  }

  uint32_t window_ = 0;  // the last one that the thread was in; 0: none
  bool is_known_ = false;
  bool is_taken_ = true;
  uint64_t start_ = 0;
};

}  // namespace tfprof::capture
