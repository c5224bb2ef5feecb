// SPDX-License-Identifier: Apache-2.0
#include "views/subject_nodes.h"

#include <string>
#include <utility>

namespace tfprof {
namespace {

Result<SubjectNodes> Found(NodesQuery nodes, const std::string& name, Context& context) {
  TFPROF_ASSIGN(NamedEntity entity,
                FindEntity(*nodes.store, *nodes.indexes, name, nodes.query.nodes.under, context));
  TFPROF_ASSIGN(NodeCosts costs, CostsOf(*nodes.store, *nodes.indexes, nodes.query, context));
  return SubjectNodes{std::move(nodes), std::move(entity), std::move(costs)};
}

}  // namespace

// An operation of a trace may be called from several lines, whose parts are separate nodes.
Result<SubjectNodes> NodesOfSubject(const StorePtr& store, const Indexes& indexes,
                                    const Query& query, Context& context) {
  const NodeGranularity kind = LooksLikeSource(query.subject) ? NodeGranularity::one_per_stack
                                                              : NodeGranularity::one_per_name;
  TFPROF_ASSIGN(NodesQuery nodes, NodesOf(store, indexes, query, kind, context));
  return Found(std::move(nodes), query.subject, context);
}

Result<SubjectLines> LinesOfSubject(const StorePtr& store, const Indexes& indexes,
                                    const Query& query, const SubjectNodes& subject,
                                    Context& context) {
  const auto lines_of = [&](const SubjectNodes& of) -> Result<SubjectLines> {
    if (!of.nodes.store->has_code_traces) return SubjectLines();
    TFPROF_ASSIGN(auto tree, of.nodes.indexes->Get<CodeTree>(CodeFrames::own, context));
    std::vector<LineSum> sums = LinesOfNodes(*tree, of.costs, of.entity.nodes);
    return SubjectLines{std::move(tree), std::move(sums)};
  };
  const NamedEntity& entity = subject.entity;
  if (subject.nodes.kept == nullptr || entity.kind == NamedEntity::line) return lines_of(subject);
  TFPROF_ASSIGN(NodesQuery nodes,
                NodesOf(store, indexes, query, NodeGranularity::one_per_stack, context));
  const std::string_view prefix = entity.kind == NamedEntity::op ? kTypePrefix : kNodePrefix;
  TFPROF_ASSIGN(const SubjectNodes parts,
                Found(std::move(nodes), std::string(prefix) + entity.name, context));
  return lines_of(parts);
}

}  // namespace tfprof
