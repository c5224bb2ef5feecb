// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/interval_set.h"

#include "analysis/intervals/start_order.h"

namespace tfprof {
namespace {

// Appends after parts that start no later.
void Append(const Interval& next, std::vector<Interval>* parts) {
  // An empty interval at the start of another one is part of that one.
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
  if (last_index_ < parts_.size()) {
    const auto after = [](int64_t at_ps, const Interval& part) { return at_ps < part.start_ps; };
    const auto near = parts_.begin() + static_cast<ptrdiff_t>(last_index_);
    const bool is_later = near->start_ps <= start_ps;
    const auto next = is_later ? std::upper_bound(near + 1, parts_.end(), start_ps, after)
                               : std::upper_bound(parts_.begin(), near, start_ps, after);
    if (next != parts_.begin()) {
      last_index_ = static_cast<size_t>(next - parts_.begin()) - 1;
      last_part_ = parts_[last_index_];
      if (Covers(last_part_, start_ps, end_ps)) return;
    }
  }
  fresh_.push_back({start_ps, end_ps});
  if (fresh_.size() >= std::max(kMinFresh, parts_.size() / 2)) MergeFresh();
}

void IntervalSet::MergeFresh() {
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
  last_index_ = 0;
  last_part_ = kNoPart;
}

Intervals IntervalSet::Parts() {
  MergeFresh();
  return parts_;
}

}  // namespace tfprof
