// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/tfdata/iterator_facts.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// The tables of the view `tfdata`.

namespace tfprof {

// The pipelines and calls that the query selects.
struct ShownPipelines {
  const Store& store;
  const Pipelines& found;
  TextPool& pool;
  int64_t first_ps = 0;                      // zero of the times in tables for readers
  std::vector<std::string_view> hosts = {};  // by HostId: hostnames
  std::vector<Pipeline> pipelines = {};      // their counts cover the calls below
  std::vector<RootCall> roots = {};          // selected roots of Pipeline::roots
  std::unordered_map<int64_t, std::string_view> ids = {};  // texts of iterator ids

  std::string_view HostOf(const Pipeline& pipeline) const {
    return pipeline.host.some() ? hosts[pipeline.host.value] : std::string_view();
  }
};

// Returns the text of the ID; the first call makes it.
std::string_view IdText(ShownPipelines& shown, IteratorId id);

// Returns the host pipelines by their slowest call, descending.
std::vector<const Pipeline*> PipelinesOfHosts(const ShownPipelines& shown);

// Returns what the slowest call waited for: the blocking iterator with the largest self time; null:
// none.
const IteratorWork* BottleneckOf(const ShownPipelines& shown, const Pipeline& pipeline);
std::string_view NameOf(const ShownPipelines& shown, const IteratorWork& work);
// `facts`: of the bottleneck of each pipeline.
Table BottlenecksTable(ShownPipelines& shown, const std::vector<const Pipeline*>& of_hosts,
                       const std::vector<IteratorFacts>& facts);
Table PipelinesTable(ShownPipelines& shown, const Display& display);
Table CallsTable(ShownPipelines& shown);
Table IteratorsTable(ShownPipelines& shown);
// A row per iterator over all selected calls, with the iterators that it reads from.
Table StagesTable(ShownPipelines& shown);
extern const TableDef kStagesTable;

}  // namespace tfprof
