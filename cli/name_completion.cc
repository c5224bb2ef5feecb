// SPDX-License-Identifier: Apache-2.0
#include "cli/name_completion.h"

#include <algorithm>
#include <tuple>
#include <unordered_set>

#include "core/store.h"
#include "views/chosen_events.h"
#include "views/subject.h"
#include "views/trace_nodes.h"
#include "views/view.h"

namespace tfprof {
namespace {

struct Candidate {
  int64_t time = 0;
  uint32_t row = 0;  // of the scope tree, or of the operation types
  bool is_type = false;
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

// Children of `scope` whose full name begins with `full`; of NamesAsked::scopes those that have
// children themselves.
void AddChildren(const Known& known, std::string_view scope, std::string_view full,
                 NamesAsked::Kinds kinds, std::vector<Candidate>* candidates) {
  const ScopeNames names{known.store.get(), known.tree.get()};
  const NamedTree named = Named(names);
  const uint32_t parent = ScopeRow(known, named, scope);
  if (parent == kNone) return;
  for (uint32_t row = parent + 1; row < known.tree->end[parent]; row = known.tree->end[row]) {
    if (kinds == NamesAsked::scopes && known.tree->end[row] == row + 1) continue;
    if (!named.Name(row).starts_with(full)) continue;
    candidates->push_back({At(known.totals->values[row], Measure::micros), row, false});
  }
}

void AddTypes(const Known& known, std::string_view typed, std::vector<Candidate>* candidates) {
  for (uint32_t i = 0; i < known.groups->type.size(); ++i) {
    if (!known.store->Text(known.groups->type[i]).starts_with(typed)) continue;
    int64_t time = 0;
    for (const NodeId node : NodesOfType(*known.groups, i)) {
      time = SaturatingAdd(time, At(known.sums->values[node.value], Measure::micros));
    }
    candidates->push_back({time, i, true});
  }
}

// The costliest `most`, in order.
void KeepCostliest(size_t most, std::vector<Candidate>* candidates) {
  most = std::min(most, candidates->size());
  const auto middle = candidates->begin() + static_cast<ptrdiff_t>(most);
  std::partial_sort(
      candidates->begin(), middle, candidates->end(), [](const Candidate& a, const Candidate& b) {
        return std::tie(b.time, a.is_type, a.row) < std::tie(a.time, b.is_type, b.row);
      });
  candidates->resize(most);
}

// The name of a scope is without the slash behind it.
std::string_view NameOf(const Known& known, const Candidate& candidate, size_t cut) {
  if (candidate.is_type) return known.store->Text(known.groups->type[candidate.row]);
  const ScopeNames scopes{known.store.get(), known.tree.get()};
  return Named(scopes).Name(candidate.row).substr(cut);
}

// What all their names begin with.
std::string SharedBy(const Known& known, const std::vector<Candidate>& candidates, size_t cut) {
  std::string_view shared = NameOf(known, candidates.front(), cut);
  for (const Candidate& candidate : candidates) {
    const std::string_view name = NameOf(known, candidate, cut);
    const auto end = std::mismatch(shared.begin(), shared.end(), name.begin(), name.end());
    shared = shared.substr(0, static_cast<size_t>(end.first - shared.begin()));
  }
  return std::string(shared);
}

// Their names without the first `cut` bytes; of a node and a type of one name, one.
std::vector<std::string> NamesOf(const Known& known, const std::vector<Candidate>& candidates,
                                 size_t cut) {
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const Candidate& candidate : candidates) {
    const uint32_t row = candidate.row;
    const bool scope = !candidate.is_type && known.tree->end[row] > row + 1;
    std::string name = std::string(NameOf(known, candidate, cut)) + (scope ? "/" : "");
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
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

std::vector<std::string> NamesOfColumns(const Report& report) {
  std::vector<std::string> names;
  for (const Table& table : report.tables) {
    for (const ReportColumn& column : table.columns) {
      // Headed by its id: people have another column of the same.
      const bool is_copy = !column.spec.people && column.spec.title == column.spec.id;
      const bool for_programs = column.spec.role == ColumnRole::remainder || is_copy;
      if (!column.spec.shown || for_programs) continue;
      for (const std::string& name : {column.spec.id, column.spec.title}) {
        const bool known = std::find(names.begin(), names.end(), name) != names.end();
        if (!name.empty() && !known) names.push_back(name);
      }
    }
  }
  return names;
}

// The columns of an answer cost nothing without rows: of a profile of the same kind that is empty.
Result<Report> AskOfNothing(const View& view, const Store& like, Query query) {
  auto nothing = std::make_shared<Store>();
  if (!like.processes.empty()) {
    nothing->hosts.emplace_back();
    nothing->processes.emplace_back().host = HostId(0);
  }
  const Indexes indexes(nothing);
  query.base = nothing;
  query.step = query.last_step = Query().step;
  Context context;
  return view.make(nothing, indexes, query, context);
}

}  // namespace

NamesFound NamesThatBegin(const Session& session, const NamesAsked& asked, Context& context) {
  if (session.store == nullptr) return {};
  const Result<Known> known = Learn(session, context);
  if (!known) return {};
  std::vector<Candidate> candidates;
  size_t cut = 0;
  const bool in_tree = asked.kinds != NamesAsked::types;
  if (in_tree && !asked.under.empty()) {
    const std::string full = asked.under + "/" + std::string(asked.typed);
    AddChildren(*known, ScopeOf(full), full, asked.kinds, &candidates);
    cut = candidates.empty() ? 0 : asked.under.size() + 1;
  }
  if (in_tree && candidates.empty() && (asked.anywhere || asked.under.empty())) {
    AddChildren(*known, ScopeOf(asked.typed), asked.typed, asked.kinds, &candidates);
  }
  if (asked.kinds >= NamesAsked::types) AddTypes(*known, asked.typed, &candidates);
  NamesFound found;
  if (candidates.size() > asked.most) {
    found.more = candidates.size() - asked.most;
    found.shared = SharedBy(*known, candidates, cut);
  }
  KeepCostliest(asked.most, &candidates);
  found.names = NamesOf(*known, candidates, cut);
  return found;
}

std::vector<std::string> StepTexts(const Session& session, Context& context) {
  if (session.store == nullptr) return {};
  const auto numbers = StepNumbers(*session.store, *session.indexes, {}, context);
  if (!numbers) return {};
  std::vector<std::string> texts;
  for (const int64_t number : *numbers) texts.push_back(std::to_string(number));
  return texts;
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

std::vector<std::string> ColumnNames(const Session& session, std::string_view command) {
  const bool of_last = session.last != nullptr &&
                       (command.empty() || session.last_line.words.front().text == command);
  if (of_last) return NamesOfColumns(*session.last);
  const View* const view = FindView(command);
  if (view == nullptr || session.store == nullptr) return {};
  const Result<Report> report = AskOfNothing(*view, *session.store, session.options);
  return report ? NamesOfColumns(*report) : std::vector<std::string>();
}

}  // namespace tfprof
