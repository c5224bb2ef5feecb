// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "core/report.h"
#include "views/accounting.h"

namespace tfprof {

// The placed executions of the nodes of table rows, lane by lane and by start, in one step or
// (step < 0) in all. Those on a second device of a node are left out, as the accounting does.
// REQUIRES: a node stands in one row at most.
Cursor<Span> ExecutionsOf(StorePtr store, std::shared_ptr<const NodeAccounts> accounts,
                          const std::vector<NodeId>& node_of_row, int64_t step);

}  // namespace tfprof
