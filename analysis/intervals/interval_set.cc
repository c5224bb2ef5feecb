// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/interval_set.h"

#include "analysis/intervals/start_order.h"

namespace tfprof {
namespace {

// Behind parts that begin no later.
void Append(const Interval& next, std::vector<Interval>* parts) {
  // A moment where another interval begins is part of that.
  const Interval moment{next.start_ps, next.start_ps};
  if (!parts->empty() && parts->back() == moment) parts->pop_back();
  if (!parts->empty()) {
    Interval& last = parts->back();
    const bool touches = next.start_ps == last.end_ps && next.start_ps < next.end_ps;
    if (next.start_ps < last.end_ps || touches) {
      last.end_ps = std::max(last.end_ps, next.end_ps);
      return;
    }
  }
  parts->push_back(next);
}

}  // namespace

int64_t LengthPs(Intervals set) {
  int64_t sum_ps = 0;
  for (const Interval& part : set)
    sum_ps = SaturatingAdd(sum_ps, SpanOf(part.start_ps, part.end_ps));
  return sum_ps;
}

std::vector<Interval> Intersect(Intervals a, Intervals b) {
  std::vector<Interval> both;
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();) {
    const int64_t from_ps = std::max(left->start_ps, right->start_ps);
    const int64_t to_ps = std::min(left->end_ps, right->end_ps);
    if (from_ps < to_ps) both.push_back({from_ps, to_ps});
    if (left->end_ps < right->end_ps) {
      ++left;
    } else {
      ++right;
    }
  }
  return both;
}

std::vector<Interval> Subtract(Intervals from, Intervals without) {
  std::vector<Interval> rest;
  auto cut = without.begin();
  for (Interval part : from) {
    while (cut != without.end() && cut->end_ps <= part.start_ps) ++cut;
    for (auto next = cut; next != without.end() && next->start_ps < part.end_ps; ++next) {
      if (next->start_ps == next->end_ps) continue;
      if (next->start_ps > part.start_ps) rest.push_back({part.start_ps, next->start_ps});
      part.start_ps = std::max(part.start_ps, next->end_ps);
    }
    if (part.start_ps < part.end_ps) rest.push_back(part);
  }
  return rest;
}

void IntervalSet::AddElsewhere(int64_t start_ps, int64_t end_ps) {
  if (near_ < parts_.size()) {
    const auto behind = [](int64_t at_ps, const Interval& part) { return at_ps < part.start_ps; };
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

void IntervalSet::Settle() {
  StartOrder().Sort(std::span(fresh_));
  std::vector<Interval> all;
  all.reserve(parts_.size() + fresh_.size());
  auto part = parts_.begin();
  for (const Interval& fresh : fresh_) {
    for (; part != parts_.end() && part->start_ps <= fresh.start_ps; ++part) Append(*part, &all);
    Append(fresh, &all);
  }
  for (; part != parts_.end(); ++part) Append(*part, &all);
  parts_ = std::move(all);
  fresh_.clear();
  near_ = 0;
  near_part_ = kNoPart;
}

Intervals IntervalSet::Parts() {
  Settle();
  return parts_;
}

}  // namespace tfprof
