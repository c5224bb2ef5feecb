// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "emitters/classic/classic.h"

namespace tfprof::classic_advise_test {
namespace {

void ClassicAdviceText(Report& report, std::string id) {
  Property property;
  property.id = std::move(id);
  property.type = CellType::boolean;
  property.integer = 1;
  report.properties.push_back(std::move(property));
}

ReportColumn& AddColumn(Table& table, std::string id) {
  ReportColumn& column = table.columns.emplace_back();
  column.spec.id = std::move(id);
  return column;
}

// Rows of the same three times.
Table TimesOf(std::string name, std::vector<std::string_view> names, int64_t us) {
  Table table;
  table.name = std::move(name);
  table.rows = names.size();
  AddColumn(table, "name").texts = std::move(names);
  for (const char* id : {"cpu_micros", "accelerator_micros", "micros"}) {
    AddColumn(table, id).integers.assign(table.rows, us);
  }
  return table;
}

std::string Text(const Report& report) {
  Sink sink;
  REQUIRE(EmitClassicAdvice(report, sink));
  return sink.buffer;
}

}  // namespace

TEST_CASE("classic advice: only selected checkers have a section, in order of names") {
  Report report;
  CHECK(Text(report) == "");
  ClassicAdviceText(report, "OperationChecker");
  CHECK(Text(report) == "\nOperationChecker:\n");
  ClassicAdviceText(report, "AcceleratorUtilizationChecker");
  ClassicAdviceText(report, "nhwc_on_accelerator");
  CHECK(Text(report) ==
        "\nAcceleratorUtilizationChecker:\n\nOperationChecker:\n"
        "Found operation using NHWC data_format on GPU. Maybe NCHW is faster.\n");
}

TEST_CASE("classic advice: utilization below a half is low") {
  Report report;
  ClassicAdviceText(report, "AcceleratorUtilizationChecker");
  Table table;
  table.name = "devices";
  table.rows = 3;
  AddColumn(table, "device").texts = {"gpu:0", "gpu:1", "gpu:2"};
  AddColumn(table, "utilization").reals = {0.5, 0.4999, 1.25};
  report.tables.push_back(std::move(table));
  CHECK(Text(report) ==
        "\nAcceleratorUtilizationChecker:\ndevice: gpu:0 utilization: 0.50\n"
        "device: gpu:1 low utilization: 0.50\ndevice: gpu:2 utilization: 1.25\n");
}

TEST_CASE(
    "classic advice: costliest first, absent times are 0, code is indented, names are C strings") {
  Report report;
  ClassicAdviceText(report, "ExpensiveOperationChecker");
  report.tables.push_back(TimesOf("operation_types", {"Mul"}, 1500));
  report.tables.push_back(TimesOf("graph_nodes", {std::string_view("a\0b", 3)}, kNoInt));
  report.tables.push_back(TimesOf("code", {"x.py:1:f", "x.py:2:g"}, 20));
  AddColumn(report.tables.back(), "depth").integers = {0, 1};
  Property whole;
  whole.id = "total_micros";
  whole.integer = 6000;
  report.properties.push_back(whole);
  CHECK(Text(report) ==
        "\nExpensiveOperationChecker:\n"
        "top 1 operation type: Mul, cpu: 1.50ms, accelerator: 1.50ms, total: 1.50ms (25.00%)\n"
        "top 1 graph node: a, cpu: 0us, accelerator: 0us, total: 0us\n"
        "x.py:1:f, cpu: 20us, accelerator: 20us, total: 20us\n"
        "  x.py:2:g, cpu: 20us, accelerator: 20us, total: 20us\n");
}

TEST_CASE("classic advice: code without costly branches is an empty line") {
  Report report;
  ClassicAdviceText(report, "ExpensiveOperationChecker");
  report.tables.push_back(TimesOf("code", {}, 0));
  AddColumn(report.tables.back(), "depth");
  CHECK(Text(report) == "\nExpensiveOperationChecker:\n\n");
}

}  // namespace tfprof::classic_advise_test
