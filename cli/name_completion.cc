// SPDX-License-Identifier: Apache-2.0
#include "cli/name_completion.h"

#include <algorithm>

#include "views/subject.h"
#include "views/trace_nodes.h"

namespace tfprof {
namespace {

struct Candidate {
  std::string name;
  int64_t micros = 0;
};

// What is needed of the profile, from the indexes that its questions use.
struct Known {
  StorePtr store;
  IndexPtr<ScopeTree> tree;
  IndexPtr<TreeTotals> totals;
  IndexPtr<OpGroups> groups;
  IndexPtr<NodeSums> sums;
};

Result<Known> Learn(const Session& session, Context& context) {
  Known known;
  known.store = session.store;
  const Indexes* indexes = session.indexes.get();
  TFPROF_ASSIGN(const auto made, NodesIfTrace(session.store, *indexes, context));
  if (made != nullptr) known.store = made->store, indexes = made->indexes.get();
  TFPROF_ASSIGN(known.tree, indexes->Scopes(context));
  TFPROF_ASSIGN(known.totals, indexes->TotalsOfScopes(-1, context));
  TFPROF_ASSIGN(known.groups, indexes->Ops(context));
  TFPROF_ASSIGN(known.sums, indexes->Sums(-1, context));
  return known;
}

// The row of the scope of that name; 0, the root, of the empty one; kNone: there is none.
constexpr uint32_t kNone = 0xFFFFFFFFu;
uint32_t ScopeRow(const Known& known, const NamedTree& named, std::string_view scope) {
  uint32_t row = 0;
  for (size_t end = 0; end < scope.size();) {
    end = std::min(scope.find('/', end + 1), scope.size());
    const std::string_view part = scope.substr(0, end);
    uint32_t child = row + 1;
    while (child < known.tree->end[row] && named.Name(child) != part)
      child = known.tree->end[child];
    if (child >= known.tree->end[row]) return kNone;
    row = child;
  }
  return row;
}

// Children of `scope` whose full name begins with `full`; `cut` bytes of it are not shown.
void AddChildren(const Known& known, std::string_view scope, std::string_view full, size_t cut,
                 std::vector<Candidate>* candidates) {
  const ScopeNames names{known.store.get(), known.tree.get()};
  const NamedTree named = Named(names);
  const uint32_t parent = ScopeRow(known, named, scope);
  if (parent == kNone) return;
  for (uint32_t row = parent + 1; row < known.tree->end[parent]; row = known.tree->end[row]) {
    const std::string_view name = named.Name(row);
    if (!name.starts_with(full)) continue;
    const bool leaf = known.tree->end[row] == row + 1;
    candidates->push_back({std::string(name.substr(cut)) + (leaf ? "" : "/"),
                           At(known.totals->values[row], Measure::micros)});
  }
}

void AddTypes(const Known& known, std::string_view typed, std::vector<Candidate>* candidates) {
  for (uint32_t i = 0; i < known.groups->type.size(); ++i) {
    const std::string_view type = known.store->Text(known.groups->type[i]);
    if (!type.starts_with(typed)) continue;
    int64_t micros = 0;
    for (const NodeId node : NodesOfType(*known.groups, i)) {
      micros = SaturatingAdd(micros, At(known.sums->values[node.value], Measure::micros));
    }
    candidates->push_back({std::string(type), micros});
  }
}

std::string_view ScopeOf(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == name.npos ? std::string_view() : name.substr(0, slash);
}

template <class Rows, class Name>
std::vector<std::string> Distinct(const Rows& rows, const Name& name) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(name(row));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::vector<std::string> NamesThatBegin(const Session& session, std::string_view typed,
                                        bool with_types) {
  if (session.store == nullptr) return {};
  Work work(session);
  const Result<Known> known = Learn(session, work.context);
  if (!known) return {};
  std::vector<Candidate> candidates;
  const std::string& under = session.options.under;
  if (!under.empty()) {
    const std::string full = under + "/" + std::string(typed);
    AddChildren(*known, ScopeOf(full), full, under.size() + 1, &candidates);
  }
  if (candidates.empty()) AddChildren(*known, ScopeOf(typed), typed, 0, &candidates);
  if (with_types) AddTypes(*known, typed, &candidates);
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.micros > b.micros; });
  std::vector<std::string> names;
  for (Candidate& candidate : candidates) names.push_back(std::move(candidate.name));
  return names;
}

std::vector<std::string> StepNumbers(const Session& session) {
  std::vector<std::string> numbers;
  if (session.store == nullptr) return numbers;
  for (const Step& step : session.store->steps) numbers.push_back(std::to_string(step.number));
  return numbers;
}

std::vector<std::string> DeviceNames(const Session& session) {
  if (session.store == nullptr) return {};
  const Store& store = *session.store;
  if (store.processes.empty()) {
    return Distinct(store.lanes, [&](const Lane& lane) { return store.Text(lane.display); });
  }
  return Distinct(store.processes, [&](const Process& p) { return store.Text(p.name); });
}

std::vector<std::string> HostNames(const Session& session) {
  if (session.store == nullptr) return {};
  const Store& store = *session.store;
  return Distinct(store.hosts, [&](const Host& host) { return store.Text(host.name); });
}

std::vector<std::string> ColumnNames(const Session& session) {
  std::vector<std::string> names;
  if (session.last == nullptr) return names;
  for (const ReportColumn& column : session.last->tables.front().columns) {
    if (column.spec.shown) names.push_back(column.spec.id);
  }
  return names;
}

}  // namespace tfprof
