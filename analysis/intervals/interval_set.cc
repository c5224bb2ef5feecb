// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/interval_set.h"

#include <algorithm>

#include "analysis/intervals/start_order.h"

namespace tfprof {
namespace {

// Behind parts that begin no later.
void Append(const Cover::Part& next, std::vector<Cover::Part>* parts) {
  if (!parts->empty()) {
    Cover::Part& last = parts->back();
    const bool touches = next.start_ps == last.end_ps;
    const bool is_moment = next.end_ps == next.start_ps;
    const bool was_moment = last.end_ps == last.start_ps;
    if (next.start_ps < last.end_ps || (touches && (!is_moment || was_moment))) {
      last.end_ps = std::max(last.end_ps, next.end_ps);
      return;
    }
  }
  parts->push_back(next);
}

}  // namespace

void Cover::AddElsewhere(int64_t start_ps, int64_t end_ps) {
  if (near_ < parts_.size()) {
    const auto behind = [](int64_t at_ps, const Part& part) { return at_ps < part.start_ps; };
    const auto near = parts_.begin() + static_cast<ptrdiff_t>(near_);
    const bool is_later = near->start_ps <= start_ps;
    const auto next = is_later ? std::upper_bound(near + 1, parts_.end(), start_ps, behind)
                               : std::upper_bound(parts_.begin(), near, start_ps, behind);
    if (next != parts_.begin()) {
      near_ = static_cast<size_t>(next - parts_.begin()) - 1;
      near_part_ = parts_[near_];
      if (Covers(near_part_, start_ps, end_ps)) return;
    }
  }
  fresh_.push_back({start_ps, end_ps});
  if (fresh_.size() >= std::max(kLeastFresh, parts_.size() / 2)) Settle();
}

void Cover::Settle() {
  StartOrder().Sort(std::span(fresh_));
  std::vector<Part> all;
  all.reserve(parts_.size() + fresh_.size());
  auto part = parts_.begin();
  for (const Part& fresh : fresh_) {
    for (; part != parts_.end() && part->start_ps <= fresh.start_ps; ++part) Append(*part, &all);
    Append(fresh, &all);
  }
  for (; part != parts_.end(); ++part) Append(*part, &all);
  parts_ = std::move(all);
  fresh_.clear();
  near_ = 0;
  near_part_ = kNoPart;
}

std::span<const Cover::Part> Cover::Parts() {
  Settle();
  return parts_;
}

int64_t Cover::LengthPs() {
  int64_t sum_ps = 0;
  for (const Part& part : Parts()) sum_ps = SaturatingAdd(sum_ps, part.end_ps - part.start_ps);
  return sum_ps;
}

void GroupCovers::Reset(uint32_t first, uint32_t end) {
  first_ = first;
  cover_of_.assign(size_t{end - first} * kStepClasses, kNone);
  covers_.clear();
}

uint32_t GroupCovers::Make() {
  covers_.emplace_back();
  return static_cast<uint32_t>(covers_.size() - 1);
}

std::span<ClassSpan> GroupCovers::Of(uint32_t group) {
  spans_.clear();
  for (size_t k = 0; k < kStepClasses; ++k) {
    const uint32_t at = cover_of_[size_t{group - first_} * kStepClasses + k];
    if (at == kNone) continue;
    for (const Cover::Part& part : covers_[at].Parts()) {
      spans_.push_back({part.start_ps, part.end_ps, static_cast<StepClass>(k)});
    }
  }
  return spans_;
}

}  // namespace tfprof
