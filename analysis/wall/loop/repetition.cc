// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/repetition.h"

#include <algorithm>
#include <vector>

namespace tfprof {

bool Vary(std::span<const Interval> steps) {
  std::vector<int64_t> lengths_ps;
  for (const Interval& step : steps) lengths_ps.push_back(SpanOf(step.start_ps, step.end_ps));
  std::ranges::sort(lengths_ps);
  const size_t quarter = lengths_ps.size() / 4;
  const int64_t middle_half_ps = lengths_ps[lengths_ps.size() - 1 - quarter] - lengths_ps[quarter];
  return middle_half_ps > lengths_ps[lengths_ps.size() / 2];
}

Cycle CycleOf(std::span<const Run> runs) {
  // The prefix function of the names in reverse order has the shortest period of each end.
  const size_t count = runs.size();
  const auto name = [&](size_t i) { return runs[count - 1 - i].name; };
  std::vector<size_t> border(count, 0);  // by end: its longest proper prefix that also ends it
  for (size_t i = 1; i < count; ++i) {
    size_t length = border[i - 1];
    while (length > 0 && name(i) != name(length)) length = border[length - 1];
    border[i] = name(i) == name(length) ? length + 1 : 0;
  }
  for (size_t length = count; length > 0 && length >= count / 2; --length) {
    const size_t period = length - border[length - 1];
    if (length > period * (kMinRepeats - 1)) return {count - length, period};
  }
  return {};
}

}  // namespace tfprof
