// SPDX-License-Identifier: Apache-2.0
// The sections that the original prints for advise, ordered by name (its own order is that of a
// hash table). views/advice/classic.h documents the tables and properties.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "core/base/nearest.h"
#include "core/text/append_format.h"
#include "emitters/cells.h"
#include "emitters/classic/classic.h"

namespace tfprof {
namespace {

bool IsTrue(const Report& report, std::string_view id) {
  const Property* property = report.Find(id);
  return property != nullptr && property->integer == 1;
}

using Reports = std::vector<std::string>;

// Puts an end of line between lines.
void AppendLine(std::string_view line, std::string* lines) {
  if (!lines->empty()) lines->push_back('\n');
  lines->append(line);
}

Result<void> AddUtilization(const Report& report, Reports* reports) {
  const Table* table = FindNamed(report.tables, "devices");
  if (table == nullptr) return {};
  TFPROF_ASSIGN(const ReportColumn* device, ClassicColumn(*table, "", "device"));
  TFPROF_ASSIGN(const ReportColumn* utilization, ClassicColumn(*table, "", "utilization"));
  for (size_t row = 0; row < table->rows; ++row) {
    const double value = utilization->reals[row];
    std::string line = fmt::format("device: {} {}utilization: ", AsCString(device->texts[row]),
                                   value >= 0.5 ? "" : "low ");
    AppendTwoDecimals(value, &line);
    reports->push_back(std::move(line));
  }
  return {};
}

// Appends "NAME, cpu: .., accelerator: .., total: ..".
Result<void> AppendTimes(const Table& table, size_t row, std::string* out) {
  TFPROF_ASSIGN(const ReportColumn* name, ClassicColumn(table, "", "name"));
  out->append(AsCString(name->texts[row]));
  for (const auto& [label, id] : {std::pair{", cpu: ", "cpu_micros"},
                                  {", accelerator: ", "accelerator_micros"},
                                  {", total: ", "micros"}}) {
    TFPROF_ASSIGN(const ReportColumn* column, ClassicColumn(table, "", id));
    out->append(label);
    AppendClassicNumber(ClassicCell::Kind::time, column->Integer(row), out);
  }
  return {};
}

// Appends the share of the total. The tiny addend is the original's guard against division by 0.
Result<void> AppendCost(const Report& report, const Table& table, size_t row, std::string* out) {
  TFPROF_ASSIGN(const ReportColumn* micros, ClassicColumn(table, "", "micros"));
  const auto present = [](int64_t us) { return us == kNoInt ? 0.0 : static_cast<double>(us); };
  const double total = present(TotalOf(report, "micros")) + 1e-10;
  out->append(" (");
  AppendTwoDecimals(100.0 * present(micros->Integer(row)) / total, out);
  out->append("%)");
  return {};
}

// One report of all rows; none: no rows.
Result<void> AddRanked(const Report& report, std::string_view name, std::string_view what,
                       bool with_share, Reports* reports) {
  const Table* table = FindNamed(report.tables, name);
  if (table == nullptr || table->rows == 0) return {};
  std::string lines;
  for (size_t row = 0; row < table->rows; ++row) {
    std::string line = fmt::format("top {} {}: ", row + 1, what);
    TFPROF_TRY(AppendTimes(*table, row, &line));
    if (with_share) TFPROF_TRY(AppendCost(report, *table, row, &line));
    AppendLine(line, &lines);
  }
  reports->push_back(std::move(lines));
  return {};
}

// One report of all lines, also of none.
Result<void> AddCode(const Report& report, Reports* reports) {
  const Table* code = FindNamed(report.tables, "code");
  if (code == nullptr) return {};
  TFPROF_ASSIGN(const ReportColumn* depth, ClassicColumn(*code, "", "depth"));
  std::string lines;
  for (size_t row = 0; row < code->rows; ++row) {
    std::string line(2 * static_cast<size_t>(depth->Integer(row)), ' ');
    TFPROF_TRY(AppendTimes(*code, row, &line));
    AppendLine(line, &lines);
  }
  reports->push_back(std::move(lines));
  return {};
}

Result<void> AddExpensive(const Report& report, Reports* reports) {
  TFPROF_TRY(AddRanked(report, "operation_types", "operation type", true, reports));
  TFPROF_TRY(AddRanked(report, "graph_nodes", "graph node", false, reports));
  return AddCode(report, reports);
}

Result<void> AddOperations(const Report& report, Reports* reports) {
  if (IsTrue(report, "batch_norm_is_not_fused")) {
    reports->emplace_back("Maybe use faster FusedBatchNorm instead of BatchNorm");
  }
  if (IsTrue(report, "nhwc_on_accelerator")) {
    reports->emplace_back("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.");
  }
  return {};
}

struct Section {
  std::string_view name;
  Result<void> (*add)(const Report& report, Reports* reports);
};

constexpr Section kSections[] = {
    {"AcceleratorUtilizationChecker", AddUtilization},
    {"ExpensiveOperationChecker", AddExpensive},
    {"OperationChecker", AddOperations},
};

}  // namespace

Result<std::vector<ClassicSection>> ClassicSections(const Report& report) {
  std::vector<ClassicSection> sections;
  for (const Section& section : kSections) {
    if (!IsTrue(report, section.name)) continue;
    ClassicSection& made = sections.emplace_back(ClassicSection{section.name, {}});
    TFPROF_TRY(section.add(report, &made.reports));
  }
  return sections;
}

Result<void> EmitClassicAdvice(const Report& report, Sink& sink) {
  TFPROF_ASSIGN(const std::vector<ClassicSection> sections, ClassicSections(report));
  for (const ClassicSection& section : sections) {
    AppendFormat(&sink.buffer, "\n{}:\n", section.name);
    for (const std::string& text : section.reports) sink.Append(text + "\n");
  }
  return {};
}

}  // namespace tfprof
