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
    const size_t end = row.first + row.count;
    size_t i =
        trace.spans.After(row.first, end, [&](const PageSpan& one) { return one.End() <= from; });
    for (; i < end; ++i) {
      const PageSpan span = trace.spans[i];
      if (span.start >= to) break;
      uint32_t& at = place[span.name];
      if (at < first_of_group || at >= ran.size() || ran[at].name != span.name) {
        at = static_cast<uint32_t>(ran.size());
        ran.push_back({group, span.name});
      }
      RanInRange& sum = ran[at];
      ++sum.count;
      sum.time += std::min(span.End(), to) - std::max(span.start, from);
      sum.longest = std::max(sum.longest, span.length);
    }
  }
  std::ranges::sort(ran, [](const RanInRange& a, const RanInRange& b) {
    if (a.time != b.time) return a.time > b.time;
    return a.group != b.group ? a.group < b.group : a.name < b.name;
  });
  return ran;
}

}  // namespace tfprof
