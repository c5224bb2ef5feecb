// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/code_tree.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"
#include "views/columns/group_sums.h"
#include "views/on_nodes.h"
#include "views/source_lines.h"
#include "views/subject.h"

// What a query about one thing is about: its nodes, their costs and their source lines.

namespace tfprof {

struct SubjectNodes {
  NodesQuery nodes;
  NamedEntity entity;
  NodeCosts costs;
};
// Finds Query::subject. Errors: those of FindEntity; usage, no such step.
Result<SubjectNodes> NodesOfSubject(const StorePtr& store, const Indexes& indexes,
                                    const Query& query, Context& context);

struct SubjectLines {
  IndexPtr<CodeTree> tree;  // owns the texts; null: no stack was recorded
  std::vector<LineSum> sums;
};
// Returns the innermost lines of the subject's nodes.
Result<SubjectLines> LinesOfSubject(const StorePtr& store, const Indexes& indexes,
                                    const Query& query, const SubjectNodes& subject,
                                    Context& context);

}  // namespace tfprof
