// SPDX-License-Identifier: Apache-2.0
#include "emitters/page/trace/ran_in.h"

#include <algorithm>

namespace tfprof {

Result<std::vector<RanInRange>> RanIn(const PageTrace& trace, int64_t from, int64_t to,
                                      Context& context) {
  std::vector<RanInRange> ran;
  std::vector<uint32_t> place(trace.names.texts.size());  // by name: of its sum, if of this group
  size_t first_of_group = 0;                              // rows come by group
  uint32_t group = 0;
  for (const PageRow& row : trace.rows) {
    TFPROF_TRY(Poll(context));
    const uint32_t own = trace.tracks[row.track].group;
    if (own != group) first_of_group = ran.size();
    group = own;
    const PageSpan* const first = trace.SpansOf(row);
    const PageSpan* const end = first + row.count;
    const PageSpan* span =
        std::partition_point(first, end, [&](const PageSpan& one) { return one.End() <= from; });
    for (; span != end && span->start < to; ++span) {
      const bool is_known = place[span->name] >= first_of_group && place[span->name] < ran.size() &&
                            ran[place[span->name]].name == span->name;
      if (!is_known) {
        place[span->name] = static_cast<uint32_t>(ran.size());
        ran.push_back({group, span->name});
      }
      RanInRange& sum = ran[place[span->name]];
      ++sum.count;
      sum.time += std::min(span->End(), to) - std::max(span->start, from);
      sum.longest = std::max(sum.longest, span->length);
    }
  }
  std::ranges::sort(ran, [](const RanInRange& a, const RanInRange& b) {
    if (a.time != b.time) return a.time > b.time;
    return a.group != b.group ? a.group < b.group : a.name < b.name;
  });
  return ran;
}

}  // namespace tfprof
