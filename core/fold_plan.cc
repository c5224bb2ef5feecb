// SPDX-License-Identifier: Apache-2.0
#include "core/fold_plan.h"

#include <algorithm>
#include <numeric>

#include "core/alike_names.h"
#include "core/arith.h"
#include "core/hash.h"
#include "core/number_ranges.h"

namespace tfprof {
namespace {

constexpr size_t kRowsPerPoll = 1 << 12;
constexpr size_t kLongestName =
    512;  // longer ones stay apart: each row below has its own full name
constexpr int64_t kLeastShare = 100;  // less than the largest value over it never stands out

// Children of row i are rows[first[i] .. first[i + 1]); those of row `table.rows` have no parent.
struct Children {
  std::vector<uint32_t> first;
  std::vector<uint32_t> rows;

  std::span<const uint32_t> Of(size_t row) const {
    return std::span(rows).subspan(first[row], first[row + 1] - first[row]);
  }
};

size_t ParentOf(const Table& table, size_t row) {
  const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
  return has_parent ? table.parent[row] : table.rows;
}

Children ChildrenOf(const Table& table) {
  Children children;
  children.first.assign(table.rows + 3, 0);
  children.rows.resize(table.rows);
  for (size_t row = 0; row < table.rows; ++row) ++children.first[ParentOf(table, row) + 2];
  std::partial_sum(children.first.begin(), children.first.end(), children.first.begin());
  for (uint32_t row = 0; row < table.rows; ++row) {
    children.rows[children.first[ParentOf(table, row) + 1]++] = row;
  }
  children.first.pop_back();
  return children;
}

// What stands behind the name of the parent, where names are paths; else the name.
std::string_view BelowParent(std::string_view name, std::string_view parent) {
  const size_t size = parent.size();
  if (size == 0 || name.size() <= size + 1 || name[size] != '/') return name;
  const bool below = name.data() == parent.data() || name.starts_with(parent);
  return below ? name.substr(size + 1) : name;
}

// The beginning of a name up to its last number; empty: it has none.
std::string_view UpToNumber(std::string_view name) {
  size_t end = 0;
  for (Digits run = NextDigits(name, 0); run.begin < run.end; run = NextDigits(name, run.end)) {
    end = run.end;
  }
  return name.substr(0, end);
}

// What folding asks of each row.
struct RowFacts {
  std::vector<std::string_view> name;  // below the parent's
  std::vector<uint64_t> place;  // of the name: what matches in folded parents. layer_3/layer_3_bias
                                // has the place of layer_4/layer_4_bias
  std::vector<uint64_t> kind;   // of what is below it, and of its cells of Folds::same
  std::vector<int64_t> value;   // kNoInt: absent, or there is no measure
};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

uint64_t PlaceOf(std::string_view name, std::string_view numbered) {
  const bool repeats = !numbered.empty() && name.starts_with(numbered) &&
                       (name.size() == numbered.size() || !IsDigit(name[numbered.size()]));
  return repeats ? ~Hash(name.substr(numbered.size())) : Hash(name);
}

void NameRows(const Table& table, const ReportColumn& names, RowFacts* facts) {
  std::vector<std::string_view> numbered(table.rows);  // of the nearest ancestor with a number
  for (size_t row = 0; row < table.rows; ++row) {
    const size_t parent = ParentOf(table, row);
    const std::string_view above = parent < table.rows ? names.texts[parent] : std::string_view();
    const std::string_view outer = parent < table.rows ? numbered[parent] : std::string_view();
    const std::string_view name = BelowParent(names.texts[row], above);
    const std::string_view own = UpToNumber(name);
    facts->name.push_back(name);
    facts->place.push_back(PlaceOf(name, outer));
    numbered[row] = own.empty() ? outer : own;
  }
}

uint64_t CellHash(const ReportColumn& column, size_t row) {
  switch (column.spec.type) {
    case CellType::integer:
    case CellType::boolean:
      return static_cast<uint64_t>(column.Integer(row));
    case CellType::text:
      return Hash(column.texts[row]);
    default:
      return 0;
  }
}

// Backwards: what is below a row stands behind it.
void AddKinds(const Table& table, const ReportColumn& names, RowFacts* facts) {
  facts->kind.assign(table.rows + 1, 0);  // first what is below, in any order
  for (size_t row = table.rows; row-- > 0;) {
    uint64_t kind = facts->kind[row];
    for (const ReportColumn& column : table.columns) {
      if (column.spec.folds != Folds::same) continue;
      kind = MixHash(kind ^ 0x9E3779B97F4A7C15u, CellHash(column, row) ^ 0xD6E8FEB86659FD93u);
    }
    if (names.texts[row].size() > kLongestName) kind = MixHash(~kind, ~uint64_t{row});
    facts->kind[row] = kind;
    facts->kind[ParentOf(table, row)] +=
        MixHash(facts->place[row] ^ 0x9E3779B97F4A7C15u, kind ^ 0xD6E8FEB86659FD93u);
  }
}

// What orders the rows, else the first shown measure that adds up.
const ReportColumn* ValuesOf(const Table& table) {
  const auto adds_up = [](const ReportColumn& column) {
    return column.spec.folds == Folds::sum && column.spec.type == CellType::integer;
  };
  if (!table.ordered_by.empty()) {
    const ReportColumn* order = table.Find(table.ordered_by);
    return order != nullptr && adds_up(*order) ? order : nullptr;
  }
  for (const ReportColumn& column : table.columns) {
    const bool wanted = !table.tree || column.spec.role == ColumnRole::total;
    if (wanted && column.spec.shown && adds_up(column)) return &column;
  }
  return nullptr;
}

RowFacts FactsOf(const Table& table, const ReportColumn& names) {
  RowFacts facts;
  NameRows(table, names, &facts);
  AddKinds(table, names, &facts);
  const ReportColumn* values = ValuesOf(table);
  for (size_t row = 0; row < table.rows; ++row) {
    facts.value.push_back(values == nullptr ? kNoInt : values->Integer(row));
  }
  return facts;
}

// Rows pool[begin .. begin + count) that stand together.
struct Together {
  uint32_t begin = 0;
  uint32_t count = 0;
  int64_t value = 0;  // of all
};

// Works on one set of siblings after another, from the root down.
struct Folder {
  const Table& table;
  const RowFacts& facts;
  const Children children;
  int64_t least_value = 0;
  std::vector<uint32_t> pool;

  uint32_t Leader(const Together& row) const { return pool[row.begin]; }

  int64_t ValueOf(std::span<const uint32_t> rows) const {
    int64_t sum = 0;
    for (const uint32_t row : rows) {
      if (facts.value[row] != kNoInt) sum = WrapAdd(sum, facts.value[row]);
    }
    return sum;
  }

  Together Made(uint32_t begin) const {
    const auto count = static_cast<uint32_t>(pool.size()) - begin;
    return {begin, count, ValueOf(std::span(pool).subspan(begin, count))};
  }

  void Append(const Together& rows) {
    for (uint32_t i = 0; i < rows.count; ++i) pool.push_back(pool[rows.begin + i]);
  }

  // The rows below `rows`, those of the same place together, in the order of the first one's.
  std::vector<Together> Below(std::span<const uint32_t> rows) {
    std::vector<std::vector<uint32_t>> lists;  // by row
    for (const uint32_t row : rows) {
      const std::span<const uint32_t> below = children.Of(row);
      lists.emplace_back(below.begin(), below.end());
      if (rows.size() == 1) break;
      std::stable_sort(lists.back().begin(), lists.back().end(),
                       [&](uint32_t a, uint32_t b) { return facts.place[a] < facts.place[b]; });
    }
    std::vector<Together> together;
    for (size_t i = 0; i < lists[0].size(); ++i) {
      const auto begin = static_cast<uint32_t>(pool.size());
      for (const auto& list : lists) {
        if (i < list.size()) pool.push_back(list[i]);
      }
      together.push_back(Made(begin));
    }
    std::sort(together.begin(), together.end(),
              [&](const Together& a, const Together& b) { return Leader(a) < Leader(b); });
    return together;
  }

  // Those of `siblings` that stand together, as one.
  std::vector<Together> Joined(const std::vector<Together>& siblings) {
    if (siblings.size() < kFewestFolded) return siblings;
    std::vector<NamedRow> named;
    for (const Together& row : siblings) {
      named.push_back({facts.name[Leader(row)], facts.kind[Leader(row)], row.value});
    }
    const RowGroups groups = GroupAlike(named, least_value);
    std::vector<Together> joined;
    for (size_t i = 0; i < groups.size(); ++i) {
      const std::span<const uint32_t> group = groups[i];
      if (group.size() == 1) joined.push_back(siblings[group[0]]);
      if (group.size() < 2) continue;
      const auto begin = static_cast<uint32_t>(pool.size());
      for (const uint32_t sibling : group) Append(siblings[sibling]);
      joined.push_back(Made(begin));
    }
    if (joined.size() < siblings.size() && !table.ordered_by.empty()) {
      std::stable_sort(joined.begin(), joined.end(),
                       [](const Together& a, const Together& b) { return a.value > b.value; });
    }
    return joined;
  }
};

}  // namespace

Result<FoldPlan> PlanFold(const Table& table, const ReportColumn& names, Context& context) {
  const RowFacts facts = FactsOf(table, names);
  int64_t most = 0;
  for (const int64_t value : facts.value) most = std::max(most, value);
  Folder folder{table, facts, ChildrenOf(table), most / kLeastShare, {}};
  FoldPlan plan;
  const uint32_t root[] = {static_cast<uint32_t>(table.rows)};
  std::vector<Together> stack = folder.Joined(folder.Below(root));
  std::reverse(stack.begin(), stack.end());
  while (!stack.empty()) {
    if (plan.rows() % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Together row = stack.back();
    stack.pop_back();
    const std::vector<uint32_t> rows(folder.pool.begin() + row.begin,
                                     folder.pool.begin() + row.begin + row.count);
    plan.members.insert(plan.members.end(), rows.begin(), rows.end());
    plan.first.push_back(static_cast<uint32_t>(plan.members.size()));
    if (folder.children.Of(rows[0]).empty()) continue;
    const std::vector<Together> below = folder.Joined(folder.Below(rows));
    stack.insert(stack.end(), below.rbegin(), below.rend());
  }
  return plan;
}

}  // namespace tfprof
