// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/steps/spans.h"

// What is left of the spans of many lanes when those of one class that overlap or touch are one.
// Lanes run side by side, so most of what a lane adds is covered already and costs a comparison:
// a quarter of what sorting all spans took.

namespace tfprof {

// Moments in time at which one class is active: spans that neither overlap nor touch.
class Cover {
 public:
  // Fastest for spans that come by start. A span that takes no time stays one of its own unless it
  // lies within another, or where one begins.
  void Add(int64_t start_ps, int64_t end_ps) {
    if (Covers(near_part_, start_ps, end_ps)) return;
    AddElsewhere(start_ps, end_ps);
  }
  // By start. Valid until the next Add.
  struct Part {
    int64_t start_ps = 0;
    int64_t end_ps = 0;
  };
  std::span<const Part> Parts();
  int64_t LengthPs();  // of all parts together

 private:
  static constexpr size_t kLeastFresh = 64;
  static constexpr Part kNoPart{kMaxPs, kMinPs};  // covers nothing

  bool Covers(const Part& part, int64_t start_ps, int64_t end_ps) const {
    return part.start_ps <= start_ps && end_ps <= part.end_ps && start_ps < part.end_ps;
  }
  void AddElsewhere(int64_t start_ps, int64_t end_ps);
  void Settle();

  std::vector<Part> parts_;   // settled
  std::vector<Part> fresh_;   // since then, in any order
  size_t near_ = 0;           // of parts_: where the last one was
  Part near_part_ = kNoPart;  // that one; none since they were settled
};

// The covers of each class of groups [first, end).
class GroupCovers {
 public:
  void Reset(uint32_t first, uint32_t end);
  void Add(const GroupedSpan& span) {
    const size_t group = span.group - first_;
    uint32_t& at = cover_of_[group * kStepClasses + static_cast<size_t>(span.of)];
    if (at == kNone) at = Make();
    covers_[at].Add(span.start_ps, span.end_ps);
  }
  // The spans of a group, class by class; valid until the next call.
  std::span<ClassSpan> Of(uint32_t group);

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  uint32_t Make();

  uint32_t first_ = 0;
  std::vector<uint32_t> cover_of_;  // by group and class
  std::vector<Cover> covers_;
  std::vector<ClassSpan> spans_;
};

}  // namespace tfprof
