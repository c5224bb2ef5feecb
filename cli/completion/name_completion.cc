// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completing.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <tuple>
#include <unordered_set>

#include "analysis/chosen_events.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/code_tree.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/sorting.h"
#include "core/store/store.h"
#include "views/classic/scope_children.h"
#include "views/source_lines.h"
#include "views/subject.h"
#include "views/view.h"

namespace tfprof {
namespace {

struct Candidate {
  int64_t time = 0;
  uint32_t row = 0;  // index into the scope tree or the operation types
  bool is_type = false;
};

bool IsCostlier(const Candidate& a, const Candidate& b) {
  return std::tie(b.time, a.is_type, a.row) < std::tie(a.time, b.is_type, b.row);
}

// Keeps the costliest `max` of many candidates: prunes whenever there are twice as many.
class Costliest {
 public:
  explicit Costliest(size_t max) : max_(max) {}

  size_t count() const { return count_; }
  void Add(const Candidate& candidate) {
    ++count_;
    if (full_ && !IsCostlier(candidate, min_)) return;
    kept_.push_back(candidate);
    if (kept_.size() / 2 >= max_) Cut();
  }
  // Returns them sorted by cost.
  std::vector<Candidate> Take() {
    if (kept_.size() > max_) Cut();
    std::sort(kept_.begin(), kept_.end(), IsCostlier);
    return std::move(kept_);
  }

 private:
  void Cut() {
    const auto min = kept_.begin() + static_cast<ptrdiff_t>(max_ - 1);
    std::nth_element(kept_.begin(), min, kept_.end(), IsCostlier);
    min_ = *min;
    full_ = true;
    kept_.resize(max_);
  }

  size_t max_;  // at least 1
  size_t count_ = 0;
  std::vector<Candidate> kept_;
  Candidate min_;  // the cheapest of the `max` costliest at the last prune
  bool full_ = false;
};

// Shortens `shared`, the common prefix of the names that were tried, to what `name` has, too; none:
// there is no name yet.
void Share(std::string_view name, std::optional<std::string_view>* shared) {
  const std::string_view before = shared->value_or(name);
  const auto ends = std::mismatch(before.begin(), before.end(), name.begin(), name.end());
  *shared = before.substr(0, static_cast<size_t>(ends.first - before.begin()));
}

// The parts of the profile that are needed, from the indexes that queries use.
struct Known {
  StorePtr store;
  IndexPtr<ScopeTree> tree;
  IndexPtr<TreeTotals> totals;
  IndexPtr<OpGroups> groups;
  IndexPtr<NodeSums> sums;
};

Result<Known> Learn(const Session& session, Context& context) {
  TFPROF_ASSIGN(const Profile nodes, ProfileOfNodes(session, {}, context));
  Known known{.store = nodes.store};
  TFPROF_ASSIGN(known.tree, nodes.indexes->Get<ScopeTree>(context));
  TFPROF_ASSIGN(known.totals, nodes.indexes->Get<ScopeTotals>(PlaceFilter::Exact(), context));
  TFPROF_ASSIGN(known.groups, nodes.indexes->Get<OpGroups>(context));
  TFPROF_ASSIGN(known.sums, nodes.indexes->Get<NodeSums>(PlaceFilter::Exact(), context));
  return known;
}

// The candidates under construction; names of the tree without their first `cut` bytes.
struct NameSearch {
  const Known& known;
  NameRequest::Kinds kinds;
  Costliest costliest;
  std::optional<std::string_view> shared = {};
  size_t cut = 0;
};

std::string_view ScopeOf(std::string_view name) {
  const size_t slash = name.rfind('/');
  return slash == name.npos ? std::string_view() : name.substr(0, slash);
}

// Adds the children of the scope that `full` names whose full name begins with it; for
// NameRequest::scopes only those that have children. Children are sorted by name, so the common
// prefix of the first and the last is that of all.
void AddChildren(std::string_view full, NameSearch* name_search) {
  const ScopeTree& tree = *name_search->known.tree;
  const ScopeNames names{name_search->known.store.get(), &tree};
  const uint32_t parent = RowOfScope(names, ScopeOf(full));
  if (parent == kNoScopeRow) return;
  const SiblingRows rows = ChildrenThatBegin(names, parent, full);
  uint32_t first = rows.end, last = rows.end;
  for (uint32_t row = rows.first; row < rows.end; row = tree.end[row]) {
    if (name_search->kinds == NameRequest::scopes && tree.end[row] == row + 1) continue;
    name_search->costliest.Add(
        {At(name_search->known.totals->values[row], Measure::micros), row, false});
    if (first == rows.end) first = row;
    last = row;
  }
  if (first == rows.end) return;
  const NamedTree named = Named(names);
  Share(named.Name(first).substr(name_search->cut), &name_search->shared);
  Share(named.Name(last).substr(name_search->cut), &name_search->shared);
}

void AddTypes(std::string_view typed, NameSearch* name_search) {
  const Known& known = name_search->known;
  for (uint32_t i = 0; i < known.groups->type.size(); ++i) {
    const std::string_view type = known.store->Text(known.groups->type[i]);
    if (!type.starts_with(typed)) continue;
    int64_t time = 0;
    for (const NodeId node : NodesOfType(*known.groups, i)) {
      time = SaturatingAdd(time, At(known.sums->values[node.value], Measure::micros));
    }
    name_search->costliest.Add({time, i, true});
    Share(type, &name_search->shared);
  }
}

// Scope names end with a slash. A node and a type with one name are one candidate.
std::vector<std::string> NamesOf(const std::vector<Candidate>& candidates,
                                 const NameSearch& name_search) {
  const Known& known = name_search.known;
  const ScopeNames scopes{known.store.get(), known.tree.get()};
  const NamedTree named = Named(scopes);
  std::vector<std::string> names;
  std::unordered_set<std::string> seen;
  for (const auto& [time, row, is_type] : candidates) {
    std::string name(is_type ? known.store->Text(known.groups->type[row])
                             : named.Name(row).substr(name_search.cut));
    if (!is_type && known.tree->end[row] > row + 1) name += '/';
    if (seen.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

// Appends the lines of the program that begin with the text, the costliest first. None, if nothing
// is typed: they would hide the other names.
Result<void> AddLines(const Session& session, const NameRequest& name_request, NamesFound* found,
                      Context& context) {
  if (name_request.typed.empty()) return {};
  const TraceNodes::Key key{.nodes = NodeGranularity::one_per_stack};
  TFPROF_ASSIGN(const Profile nodes, ProfileOfNodes(session, key, context));
  if (!nodes.store->has_code_traces) return {};
  TFPROF_ASSIGN(const auto sums, nodes.indexes->Get<NodeSums>(PlaceFilter::Exact(), context));
  TFPROF_ASSIGN(const auto tree, nodes.indexes->Get<CodeTree>(CodeFrames::own, context));
  TFPROF_ASSIGN(auto lines, LinesThatBegin(*tree, name_request.typed, context));
  const auto time_of = [&](const FoundLine& line) {
    int64_t time = 0;
    for (const NodeId node : line.nodes)
      time = SaturatingAdd(time, At(sums->values[node.value], Measure::micros));
    return time;
  };
  StableSort(lines, std::ranges::greater(), time_of);
  for (FoundLine& line : lines) {
    if (found->names.size() < name_request.max) {
      found->names.push_back(std::move(line.name));
      continue;
    }
    if (found->more == 0) found->shared = CommonPrefix(found->names);
    found->shared = CommonPrefix({found->shared, line.name});
    ++found->more;
  }
  return {};
}

template <class Rows, class Name>
std::vector<std::string> Distinct(const Rows& rows, const Name& name) {
  std::vector<std::string> names;
  for (const auto& row : rows) names.emplace_back(name(row));
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

// Adds the id and the heading of a column.
void AddNames(const auto& column, std::vector<std::string>* names) {
  for (const std::string_view name :
       {std::string_view(column.id), std::string_view(column.title)}) {
    const bool known = std::find(names->begin(), names->end(), name) != names->end();
    if (!name.empty() && !known) names->emplace_back(name);
  }
}

std::vector<std::string> NamesOfColumns(const Report& report) {
  std::vector<std::string> names;
  for (const Table& table : report.tables) {
    for (const ReportColumn& column : table.columns) {
      if (column.spec.shown && !column.spec.original_only) AddNames(column.spec, &names);
    }
  }
  return names;
}

// Measures of nodes are columns if -select names them.
bool IsThere(const ColumnDef& def, const View& view, const Display& display) {
  if (def.audience == Audience::original) return false;
  for (const MeasureInfo& info : AllMeasures()) {
    const bool is_measure = def.id == info.column || def.id == info.inclusive;
    if (!is_measure || (view.options & kSelectOptions) == 0) continue;
    return display.Selects(AttributeOf(info.measure).attribute);
  }
  return true;
}

std::vector<std::string> NamesOfColumns(const View& view, const Display& display) {
  std::vector<std::string> names;
  for (const TableDef* const table : view.tables()) {
    for (const ColumnDef& def : table->columns) {
      if (IsThere(def, view, display)) AddNames(def, &names);
    }
  }
  return names;
}

}  // namespace

NamesFound NamesThatBegin(const Session& session, const NameRequest& name_request,
                          Context& context) {
  if (session.profile.store == nullptr) return {};
  const Result<Known> known = Learn(session, context);
  if (!known) return {};
  NameSearch name_search{*known, name_request.kinds, Costliest(name_request.max)};
  const bool in_tree = name_request.kinds != NameRequest::types;
  if (in_tree && !name_request.under.empty()) {
    name_search.cut = name_request.under.size() + 1;
    AddChildren(name_request.under + "/" + std::string(name_request.typed), &name_search);
  }
  if (name_search.costliest.count() == 0 && in_tree &&
      (name_request.anywhere || name_request.under.empty())) {
    name_search.cut = 0;
    AddChildren(name_request.typed, &name_search);
  }
  if (name_request.kinds >= NameRequest::types) AddTypes(name_request.typed, &name_search);
  NamesFound found;
  if (name_search.costliest.count() > name_request.max) {
    found.more = name_search.costliest.count() - name_request.max;
    found.shared = *name_search.shared;
  }
  found.names = NamesOf(name_search.costliest.Take(), name_search);
  if (name_request.kinds == NameRequest::subjects &&
      !AddLines(session, name_request, &found, context))
    return {};
  return found;
}

std::vector<std::string> StepTexts(const Session& session, Context& context) {
  if (session.profile.store == nullptr) return {};
  const auto numbers = StepNumbers(*session.profile.store, *session.profile.indexes, {}, context);
  if (!numbers) return {};
  std::vector<std::string> texts;
  for (const int64_t number : *numbers) texts.push_back(std::to_string(number));
  return texts;
}

std::vector<std::string> DeviceNames(const Session& session) {
  if (session.profile.store == nullptr) return {};
  const Store& store = *session.profile.store;
  if (!store.IsTrace()) {
    return Distinct(store.lanes, [&](const Lane& lane) { return store.Text(lane.display); });
  }
  return Distinct(store.processes, [&](const Process& p) { return store.Text(p.name); });
}

std::vector<std::string> HostNames(const Session& session) {
  if (session.profile.store == nullptr) return {};
  const Store& store = *session.profile.store;
  return Distinct(store.hosts, [&](const Host& host) { return store.Text(host.name); });
}

std::vector<std::string> ColumnNames(const Session& session, std::string_view command) {
  const bool of_last = session.last != nullptr &&
                       (command.empty() || session.last_line.words.front().text == command);
  if (of_last) return NamesOfColumns(*session.last);
  const View* const view = FindView(command);
  return view == nullptr ? std::vector<std::string>()
                         : NamesOfColumns(*view, session.options.display);
}

}  // namespace tfprof
