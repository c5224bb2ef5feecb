// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/idle_in_windows.h"

#include <algorithm>
#include <numeric>

namespace tfprof {
namespace {

std::vector<uint32_t> Ordered(const std::vector<StepWindow>& windows, int64_t StepWindow::*key) {
  std::vector<uint32_t> order(windows.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return windows[a].*key < windows[b].*key; });
  return order;
}

}  // namespace

int64_t IdleInWindows::Gap::Length() const { return SpanOf(start_ps, end_ps); }

IdleInWindows::IdleInWindows(std::vector<StepWindow> windows)
    : windows_(std::move(windows)),
      by_start_(Ordered(windows_, &StepWindow::start_ps)),
      by_end_(Ordered(windows_, &StepWindow::end_ps)),
      of_windows_(windows_.size()) {
  if (!windows_.empty()) until_ps_ = windows_[by_start_[0]].start_ps;
}

void IdleInWindows::Add(LabelId label, int64_t start_ps, int64_t end_ps) {
  if (start_ps > until_ps_) AddGap({until_ps_, start_ps, label});
  until_ps_ = std::max(until_ps_, end_ps);
}

// Windows that start and end while something runs are handled at the next gap: no gap was added in
// between.
void IdleInWindows::AddGap(const Gap& gap) {
  AdvanceTo(gap.end_ps - 1, gap);
  sum_.idle_ps = SaturatingAdd(sum_.idle_ps, gap.Length());
  ++sum_.gaps;
  while (!longest_.empty() && longest_.back().Length() < gap.Length()) longest_.pop_back();
  longest_.push_back(gap);
}

// Handles the starts and ends of windows up to a time; those after now.start_ps lie within `now`.
void IdleInWindows::AdvanceTo(int64_t time_ps, const Gap& now) {
  const auto until = [&](int64_t at_ps) {
    IdleTime sum = sum_;
    if (at_ps > now.start_ps) {
      sum.idle_ps = SaturatingAdd(sum.idle_ps, SpanOf(now.start_ps, at_ps));
    }
    return sum;
  };
  for (; opened_ < by_start_.size(); ++opened_) {
    const uint32_t window = by_start_[opened_];
    if (windows_[window].start_ps > time_ps) break;
    of_windows_[window] = until(windows_[window].start_ps);
  }
  for (; closed_ < by_end_.size(); ++closed_) {
    const uint32_t window = by_end_[closed_];
    const int64_t end_ps = windows_[window].end_ps;
    if (end_ps > time_ps) break;
    const int64_t from_ps = std::max(now.start_ps, windows_[window].start_ps);
    Close(window, until(end_ps), {from_ps, std::max(from_ps, end_ps), LabelId()});
  }
}

// `last`: the part of the current gap within the window; empty if there is none.
void IdleInWindows::Close(uint32_t window, const IdleTime& until, const Gap& last) {
  IdleTime& found = of_windows_[window];
  const int64_t start_ps = windows_[window].start_ps;
  const bool ends_in_gap = last.Length() > 0;
  found.idle_ps = until.idle_ps - found.idle_ps;
  found.gaps = until.gaps - found.gaps + (ends_in_gap ? 1 : 0);
  Gap longest = LongestSince(start_ps);
  if (last.Length() > longest.Length()) longest = last;
  if (found.gaps == 0) return;
  found.longest_gap_ps = longest.Length();
  found.after_longest_gap = longest.ended_by;
}

// Returns the longest gap from that time on; a gap at that time is cut.
IdleInWindows::Gap IdleInWindows::LongestSince(int64_t start_ps) const {
  auto first = std::partition_point(longest_.begin(), longest_.end(),
                                    [&](const Gap& gap) { return gap.end_ps <= start_ps; });
  if (first == longest_.end()) return {start_ps, start_ps, LabelId()};
  const Gap cut{std::max(first->start_ps, start_ps), first->end_ps, first->ended_by};
  const auto next = first + 1;
  return next != longest_.end() && next->Length() > cut.Length() ? *next : cut;
}

std::vector<IdleTime> IdleInWindows::Finish() {
  if (windows_.empty()) return {};
  const int64_t end_ps = windows_[by_end_.back()].end_ps;
  if (end_ps > until_ps_) AddGap({until_ps_, end_ps, LabelId()});
  AdvanceTo(kMaxPs, {kMaxPs, kMaxPs, LabelId()});
  return std::move(of_windows_);
}

}  // namespace tfprof
