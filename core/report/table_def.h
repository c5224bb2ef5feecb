// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/report/report.h"

// The tables of views, declared once: help, completion, docs and emitters use the declarations
// without running a view.

namespace tfprof {

enum class Audience : uint8_t {
  human,     // tables on a terminal, and all audiences below
  machine,   // JSON, CSV and the like
  original,  // likewise, only with -ids original
};

// Built by IntegerDef and similar functions, e.g. `TimeDef("min_us", "min", "The shortest
// launch.").Was("min_duration_us").ForMachines()`.
struct ColumnDef {
  std::string_view id;     // in the vocabulary: one id has one meaning in all tables
  std::string_view title;  // column head
  CellType type = CellType::integer;
  Unit unit = Unit::none;          // of the cells; JSON and CSV use WrittenUnit
  std::string_view meaning;        // one sentence
  std::string_view original = {};  // the id of -ids original; empty: the same
  Audience audience = Audience::human;
  bool droppable = false;
  bool on_request = false;  // only in answers whose -columns, -where or -order_by names it
  Folds folds = Folds::alike;
  std::string_view weight = {};  // ColumnSpec::weight
  LongText long_text = LongText::no;
  std::string_view label = {};  // for LongText::labeled

  constexpr ColumnDef Was(std::string_view id_of_original) const {
    ColumnDef def = *this;
    def.original = id_of_original;
    return def;
  }
  constexpr ColumnDef For(Audience whom) const {
    ColumnDef def = *this;
    def.audience = whom;
    return def;
  }
  constexpr ColumnDef ForMachines() const { return For(Audience::machine); }
  constexpr ColumnDef ForOriginal() const { return For(Audience::original); }
  constexpr ColumnDef Droppable() const {
    ColumnDef def = *this;
    def.droppable = true;
    return def;
  }
  constexpr ColumnDef OnRequest() const {
    ColumnDef def = *this;
    def.on_request = true;
    return def;
  }
  constexpr ColumnDef Folded(Folds how, std::string_view weighted_by = {}) const {
    ColumnDef def = *this;
    def.folds = how;
    def.weight = weighted_by;
    return def;
  }
  constexpr ColumnDef Below(LongText how, std::string_view labeled = {}) const {
    ColumnDef def = *this;
    def.long_text = how;
    def.label = labeled;
    return def;
  }
  constexpr ColumnDef Below(std::string_view labeled) const {
    return Below(LongText::labeled, labeled);
  }
};

constexpr ColumnDef TextDef(std::string_view id, std::string_view title, std::string_view meaning) {
  return {id, title, CellType::text, Unit::none, meaning};
}
constexpr ColumnDef ListDef(std::string_view id, std::string_view title, std::string_view meaning) {
  return {id, title, CellType::texts, Unit::none, meaning};
}
constexpr ColumnDef BooleanDef(std::string_view id, std::string_view title,
                               std::string_view meaning) {
  return {id, title, CellType::boolean, Unit::none, meaning};
}
constexpr ColumnDef IntegerDef(std::string_view id, std::string_view title, Unit unit,
                               std::string_view meaning) {
  return {id, title, CellType::integer, unit, meaning};
}
constexpr ColumnDef TimeDef(std::string_view id, std::string_view title, std::string_view meaning) {
  return IntegerDef(id, title, Unit::ps_as_us, meaning);
}
constexpr ColumnDef CountDef(std::string_view id, std::string_view title,
                             std::string_view meaning) {
  return IntegerDef(id, title, Unit::count, meaning);
}
constexpr ColumnDef BytesDef(std::string_view id, std::string_view title,
                             std::string_view meaning) {
  return IntegerDef(id, title, Unit::bytes, meaning);
}
constexpr ColumnDef RealDef(std::string_view id, std::string_view title, Unit unit,
                            std::string_view meaning) {
  return {id, title, CellType::real, unit, meaning};
}
constexpr ColumnDef ShareDef(std::string_view id, std::string_view title,
                             std::string_view meaning) {
  return RealDef(id, title, Unit::fraction, meaning);
}

// The kind of names of the rows, for emitters that depend on it.
enum class RowNames : uint8_t {
  other,
  scopes,  // paths: a row's name begins with that of its parent
  nodes,   // graph nodes
  types,   // operation types
  frames,  // of call stacks
};

struct TableDef {
  std::string_view name;
  std::string_view title;  // human-readable; empty: the name, with spaces
  std::span<const ColumnDef> columns;
  RowNames row_names = RowNames::other;

  // By id, else by original id; null: there is none.
  const ColumnDef* Find(std::string_view id) const;
};

using TableDefs = std::vector<const TableDef*>;

// An empty table of that kind for `rows` rows; AddColumn adds the columns.
Table MakeTable(const TableDef& def, size_t rows);

// Adds a declared column without cells. REQUIRES: MakeTable made the table, and its declaration has
// the column.
ReportColumn& AddColumn(Table& table, std::string_view id);

ColumnSpec SpecOf(const ColumnDef& def);

// The row names of the first table of an answer; other: it has no table or no declaration.
RowNames RowNamesOf(const Report& report);

// An id that several tables have. It has the same meaning in each: tables join on it.
struct Term {
  std::string_view id;
  CellType type;
  Unit unit;  // as written: WrittenUnit
  std::string_view meaning;
};

// Sorted by id.
std::span<const Term> Vocabulary();

// Null: at most one table has it.
const Term* FindTerm(std::string_view id);

}  // namespace tfprof
