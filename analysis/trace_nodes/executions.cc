// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "analysis/trace_nodes/node_maker.h"
#include "core/base/hash.h"

namespace tfprof {
namespace {

struct ExecutionKey {
  uint32_t node = 0;
  uint32_t execution = 0;

  bool operator==(const ExecutionKey&) const = default;
  uint64_t Hash() const { return HashPair(node, execution); }
};

}  // namespace

NodeExecutions ExecutionsOf(const std::vector<ExecutionPart>& parts) {
  NodeExecutions found;
  GroupIndex<ExecutionKey> index;
  std::unordered_map<uint32_t, uint32_t> only_kernel;  // by node: of parts of unknown executions
  for (const ExecutionPart& part : parts) {
    if (part.execution != ExecutionPart::kUnknown) {
      const uint32_t at = index.Of({part.node, part.execution});
      if (at == found.durations.size()) found.durations.push_back({part.node, 0});
      RowDuration& sum = found.durations[at];
      sum.ps = SaturatingAdd(sum.ps, part.ps);
      continue;
    }
    const bool is_kernel = part.label != Kernel::kNone;
    const auto known = only_kernel.try_emplace(part.node, part.label).first;
    if (!is_kernel || known->second != part.label) found.SetUnknown(NodeId(part.node));
  }
  for (const ExecutionPart& part : parts) {
    if (part.execution == ExecutionPart::kUnknown) found.durations.push_back({part.node, part.ps});
  }
  return found;
}

}  // namespace tfprof
