// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

#include "core/report/table_def.h"
#include "tests/support/sample_report.h"

namespace tfprof::data_text_test {
namespace {

constexpr ColumnDef kColumns[] = {
    TextDef("program", "program", "."),         TextDef("stage", "stage", "."),
    TextDef("computation", "computation", "."), BooleanDef("is_entry", "entry", "."),
    BooleanDef("is_root", "root", "."),         TextDef("text", "text", "."),
};
constexpr TableDef kTable{"instructions", "", kColumns};

void AddTexts(std::string_view id, std::vector<std::string_view> texts, Table* table) {
  AddColumn(*table, id).texts = std::move(texts);
}

Report TwoPrograms() {
  Report report;
  report.view = "hlo";
  Table table = MakeTable(kTable, 4);
  AddTexts("program", {"f(7)", "f(7)", "f(7)", "g"}, &table);
  AddTexts("stage", {"", "", "", ""}, &table);
  AddTexts("computation", {"fused", "main", "main", "main"}, &table);
  AddColumn(table, "is_entry").integers = {0, 1, 1, 1};
  AddColumn(table, "is_root").integers = {1, 0, 1, 1};
  AddTexts("text", {"%a = p()", "%b = q()", "%c = r(\n)", "%d = s()"}, &table);
  report.tables.push_back(std::move(table));
  return report;
}

}  // namespace

TEST_CASE("text: programs are printed with their computations") {
  CHECK(Emit("text", TwoPrograms()) == R"(
HloModule f

%fused {
  ROOT %a = p()
}

ENTRY %main {
  %b = q()
  ROOT %c = r(\x0a)
}

HloModule g

ENTRY %main {
  ROOT %d = s()
}
)");
}

TEST_CASE("text: a report without texts is refused") {
  Report report;
  report.view = "kernels";
  report.tables.push_back(MakeTable(TableDef{"kernels", "", {}}, 0));
  CHECK(Emit("text", report).starts_with("error: kernels has no texts"));
}

}  // namespace tfprof::data_text_test
