// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/tfdata/iterator_facts.h"
#include "core/report/report.h"

// The tables of the view `tfdata`.
#include "core/report/table_def.h"

namespace tfprof {

// What they are about: the pipelines and calls that the query lets through.
struct ShownPipelines {
  const Store& store;
  const Pipelines& found;
  TextPool& pool;
  int64_t first_ps = 0;                      // from which people are told times
  std::vector<std::string_view> hosts = {};  // by HostId: as they call themselves
  std::vector<Pipeline> pipelines = {};      // their numbers are those of the calls below
  std::vector<RootCall> roots = {};          // of Pipeline::roots
  std::unordered_map<int64_t, std::string_view> ids = {};  // texts of numbers of iterators

  std::string_view HostOf(const Pipeline& pipeline) const {
    return pipeline.host.some() ? hosts[pipeline.host.value] : std::string_view();
  }
};

// The pipelines of hosts, the slowest first.
std::vector<const Pipeline*> PipelinesOfHosts(const ShownPipelines& shown);

// What the slowest call waited for: it blocks and took most time itself. null: nothing.
const IteratorWork* BottleneckOf(const ShownPipelines& shown, const Pipeline& pipeline);
std::string_view NameOf(const ShownPipelines& shown, const IteratorWork& work);
// `facts`: of the bottleneck of each of them.
Table BottlenecksTable(ShownPipelines& shown, const std::vector<const Pipeline*>& of_hosts,
                       const std::vector<IteratorFacts>& facts);
Table PipelinesTable(ShownPipelines& shown);
Table CallsTable(ShownPipelines& shown);
Table IteratorsTable(ShownPipelines& shown);

}  // namespace tfprof
