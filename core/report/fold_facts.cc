// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/arith.h"
#include "core/base/ascii.h"
#include "core/base/hash.h"
#include "core/report/fold_plan.h"
#include "core/text/number_ranges.h"

namespace tfprof {
namespace {

// Rows with longer names do not fold: each row below a folded one has a separate full name.
constexpr size_t kLongestName = 512;

// The part of the name after that of the parent if names are paths; else the name.
std::string_view BelowParent(std::string_view name, std::string_view parent) {
  const size_t size = parent.size();
  if (size == 0 || name.size() <= size + 1 || name[size] != '/') return name;
  const bool below = name.data() == parent.data() || name.starts_with(parent);
  return below ? name.substr(size + 1) : name;
}

// The prefix of a name up to its last number; empty: it has none.
std::string_view UpToNumber(std::string_view name) {
  size_t end = 0;
  for (Digits run = NextDigits(name, 0); run.begin < run.end; run = NextDigits(name, run.end)) {
    end = run.end;
  }
  return name.substr(0, end);
}

uint64_t PlaceOf(std::string_view name, std::string_view numbered) {
  const bool repeats = !numbered.empty() && name.starts_with(numbered) &&
                       (name.size() == numbered.size() || !IsDigit(name[numbered.size()]));
  return repeats ? ~Hash(name.substr(numbered.size())) : Hash(name);
}

void NameRows(const Table& table, const ReportColumn& names, RowFacts* facts) {
  std::vector<std::string_view> numbered(table.rows);  // of the nearest ancestor with a number
  for (size_t row = 0; row < table.rows; ++row) {
    if (names.texts[row].size() > kLongestName) {  // unused: AddKinds prevents folding
      facts->name.emplace_back();
      facts->place.push_back(0);
      continue;
    }
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
    case CellType::boolean: return static_cast<uint64_t>(column.Integer(row));
    case CellType::text: return Hash(column.texts[row]);
    default: return 0;
  }
}

// Runs backwards: descendants follow their row.
void AddKinds(const Table& table, const ReportColumn& names, RowFacts* facts) {
  facts->kind.assign(table.rows + 1, 0);  // first the descendants, in any order
  for (size_t row = table.rows; row-- > 0;) {
    uint64_t kind = facts->kind[row];
    for (const ReportColumn& column : table.columns) {
      if (column.spec.folds != Folds::same) continue;
      kind = HashPair(kind, CellHash(column, row));
    }
    if (names.texts[row].size() > kLongestName) kind = HashPair(~kind, row);
    facts->kind[row] = kind;
    facts->kind[ParentOf(table, row)] += HashPair(facts->place[row], kind);
  }
}

// The column that orders the rows, else the first shown additive measure.
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

// A block begins at each row whose cell differs from that of the row before.
void NumberBlocks(const Table& table, RowFacts* facts) {
  const ReportColumn* by = table.blocks_by.empty() ? nullptr : table.Find(table.blocks_by);
  facts->block.assign(table.rows, 0);
  for (size_t row = 1; row < table.rows && by != nullptr; ++row) {
    const bool differs = CellHash(*by, row) != CellHash(*by, row - 1);
    facts->block[row] = facts->block[row - 1] + (differs ? 1 : 0);
  }
}

// The part of the name after that of the parent; empty: the name is no path through the parent.
std::string_view Tail(const Table& table, const ReportColumn& names, uint32_t row) {
  if (!table.tree || table.parent[row] == Table::kNoRow) return {};
  const std::string_view name = names.texts[row];
  const size_t above = names.texts[table.parent[row]].size();
  const bool below = name.size() > above && name[above] == '/';
  return below ? name.substr(above) : std::string_view();
}

// The common part of all names after those of their parents; empty: they differ there.
std::string_view SharedTail(const Table& table, const ReportColumn& names,
                            std::span<const uint32_t> rows) {
  const std::string_view tail = Tail(table, names, rows[0]);
  const bool shared = std::all_of(rows.begin(), rows.end(),
                                  [&](uint32_t row) { return Tail(table, names, row) == tail; });
  return shared ? tail : std::string_view();
}

std::string Ranges(const ReportColumn& names, std::span<const uint32_t> rows) {
  std::vector<std::string_view> texts;
  for (const uint32_t row : rows) texts.push_back(names.texts[row]);
  return WithRanges(texts);
}

}  // namespace

RowFacts RowFactsOf(const Table& table, const ReportColumn& names) {
  RowFacts facts;
  NameRows(table, names, &facts);
  AddKinds(table, names, &facts);
  NumberBlocks(table, &facts);
  const ReportColumn* values = ValuesOf(table);
  for (size_t row = 0; row < table.rows; ++row) {
    facts.value.push_back(values == nullptr ? kNoInt : values->Integer(row));
  }
  return facts;
}

const ReportColumn* FoldingNames(const Table& table) {
  for (const ReportColumn& column : table.columns) {
    if (column.spec.folds == Folds::names && column.spec.type == CellType::text) return &column;
  }
  return nullptr;
}

std::vector<std::string_view> NamesOfRows(const FoldPlan& plan, const Table& table,
                                          const ReportColumn& names, TextPool* pool) {
  std::vector<std::string_view> made;
  std::vector<uint32_t> made_of(table.rows, 0);  // by first member
  for (uint32_t i = 0; i < plan.rows(); ++i) {
    const std::span<const uint32_t> rows = plan.Members(i);
    made_of[rows[0]] = i;
    if (rows.size() == 1) {
      made.push_back(names.texts[rows[0]]);
      continue;
    }
    // The name of the parent exists already and is extended.
    const std::string_view tail = SharedTail(table, names, rows);
    made.push_back(pool->Keep(tail.empty() ? Ranges(names, rows)
                                           : std::string(made[made_of[table.parent[rows[0]]]]) +
                                                 std::string(tail)));
  }
  return made;
}

}  // namespace tfprof
