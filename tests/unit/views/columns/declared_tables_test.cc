// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "core/report/table_def.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "loaders/open.h"
#include "tests/support/recorded_traces.h"
#include "views/view.h"

// Views answer with tables that they declare, on every recorded profile.

namespace tfprof::declared_tables_test {
namespace {

// The words that views need to answer.
Query QueryFor(const View& view, const StorePtr& store) {
  Query query;
  if (view.subject == Subject::name && !store->nodes.empty()) {
    query.subject = store->Text(store->nodes[0].name);
  }
  if (view.subject == Subject::text) query.subject = "a";
  if (view.subject == Subject::base) query.diff.base = store;
  for (const AttributeInfo& info : Attributes()) {
    if ((view.options & kSelectOptions) != 0) query.display.select.push_back(info.attribute);
  }
  return query;
}

void CheckColumn(const ReportColumn& column, const ColumnDef& def) {
  INFO(column.spec.id);
  CHECK(column.spec.type == def.type);
  CHECK(UnitName(WrittenUnit(column.spec.unit)) == UnitName(WrittenUnit(def.unit)));
  CHECK(column.spec.original == def.original);
  CHECK(column.spec.title == def.title);
}

// Columns of attributes are named by the file.
void CheckTable(const View& view, const Table& table) {
  REQUIRE(table.def != nullptr);
  const TableDefs defs = view.tables();
  CHECK(std::find(defs.begin(), defs.end(), table.def) != defs.end());
  for (const ReportColumn& column : table.columns) {
    const ColumnDef* const def = table.def->Find(column.spec.id);
    if (def == nullptr && column.spec.id == "rows") continue;  // of folded rows
    INFO(column.spec.id);
    REQUIRE(def != nullptr);
    CheckColumn(column, *def);
  }
}

bool IsText(CellType type) { return type == CellType::text || type == CellType::texts; }

}  // namespace

TEST_CASE("every table in an answer is declared") {
  std::vector<std::string> paths = RecordedTraces();
  paths.push_back("testdata/tensorflow/convnet/profile.pb");
  paths.push_back("testdata/hlo/dumps");
  paths.push_back("testdata/capture/two_ranks");
  paths.push_back("testdata/pytorch/gpu_training.snapshot.pickle.gz");
  std::set<const TableDef*> met;
  for (const std::string& path : paths) {
    Context context;
    const auto store = Load({{path, ""}}, context);
    if (!store) continue;  // a damaged one
    const Indexes indexes(*store);
    const auto check = [&](const View& view, const Query& query) {
      const Result<Report> report = view.make(*store, indexes, query, context);
      if (!report) return;
      for (const Table& table : report->tables) {
        INFO(path << ": " << view.name << ": " << table.name);
        CheckTable(view, table);
        met.insert(table.def);
      }
    };
    for (const View& view : Views()) check(view, QueryFor(view, *store));
    Query of_instruction;
    of_instruction.programs.instruction = "while.11";
    check(*FindView("hlo"), of_instruction);
    Query of_categories;
    of_categories.rows_by = RowsBy::category;
    check(*FindView("hlo"), of_categories);
    Query of_times;
    of_times.programs.at = "times";
    check(*FindView("memory"), of_times);
    Query of_moment;
    of_moment.programs.at_ps = 1'000'000;
    check(*FindView("memory"), of_moment);
    Query of_gpus;
    of_gpus.gpus = {{.index = 0}};
    check(*FindView("jobs"), of_gpus);
    Query of_line;
    of_line.subject = "convnet.py:41";
    check(*FindView("peek"), of_line);
  }
  for (const View& view : Views()) {
    for (const TableDef* const def : view.tables()) {
      INFO(view.name << ": " << def->name);
      CHECK(met.contains(def));
    }
  }
}

TEST_CASE("a declared table has every id, former id and heading once") {
  for (const View& view : Views()) {
    for (const TableDef* const table : view.tables()) {
      std::set<std::string_view> ids, originals, titles;
      for (const ColumnDef& def : table->columns) {
        INFO(view.name << ": " << table->name << ": " << def.id);
        CHECK(ids.insert(def.id).second);
        CHECK(originals.insert(def.original.empty() ? def.id : def.original).second);
        CHECK(titles.insert(def.title).second);
        CHECK_FALSE(def.meaning.empty());
      }
    }
  }
}

TEST_CASE("an id in several tables is in the vocabulary and means the same in each") {
  std::map<std::string_view, std::set<const TableDef*>> tables;
  for (const View& view : Views()) {
    for (const TableDef* const table : view.tables()) {
      for (const ColumnDef& def : table->columns) {
        INFO(view.name << ": " << table->name << ": " << def.id);
        if (def.audience == Audience::original) continue;
        tables[def.id].insert(table);
        const Term* const term = FindTerm(def.id);
        if (term == nullptr) continue;
        CHECK(UnitName(term->unit) == UnitName(WrittenUnit(def.unit)));
        CHECK(IsText(term->type) == IsText(def.type));
      }
    }
  }
  for (const auto& [id, of] : tables) {
    INFO(id);
    CHECK((of.size() > 1) == (FindTerm(id) != nullptr));
  }
  for (const Term& term : Vocabulary()) {
    INFO(term.id);
    CHECK(FindTerm(term.id) == &term);  // they are sorted
    CHECK(tables.contains(term.id));
  }
}

}  // namespace tfprof::declared_tables_test
