// SPDX-License-Identifier: Apache-2.0
// The sections that the original prints for advise, ordered by name (its own order is that of a
// hash table). views/advice/classic.h documents the tables and properties.
#include <fmt/format.h>

#include "core/base/nearest.h"
#include "emitters/cells.h"
#include "emitters/classic/classic.h"

namespace tfprof {
namespace {

bool IsTrue(const Report& report, std::string_view id) {
  const Property* property = report.Find(id);
  return property != nullptr && property->integer == 1;
}

Result<void> AppendUtilization(const Report& report, std::string* out) {
  const Table* table = FindNamed(report.tables, "devices");
  if (table == nullptr) return {};
  TFPROF_ASSIGN(const ReportColumn* device, ClassicColumn(*table, "", "device"));
  TFPROF_ASSIGN(const ReportColumn* utilization, ClassicColumn(*table, "", "utilization"));
  for (size_t row = 0; row < table->rows; ++row) {
    const double value = utilization->reals[row];
    fmt::format_to(std::back_inserter(*out),
                   "device: {} {}utilization: ", AsCString(device->texts[row]),
                   value >= 0.5 ? "" : "low ");
    AppendTwoDecimals(value, out);
    out->push_back('\n');
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
    AppendClassicTime(column->Integer(row), out);
  }
  return {};
}

// Appends the share of the total. The tiny addend is the original's guard against division by 0.
Result<void> AppendShare(const Report& report, const Table& table, size_t row, std::string* out) {
  TFPROF_ASSIGN(const ReportColumn* micros, ClassicColumn(table, "", "micros"));
  const auto present = [](int64_t us) { return us == kNoInt ? 0.0 : static_cast<double>(us); };
  const double total = present(TotalOf(report, "micros")) + 1e-10;
  out->append(" (");
  AppendTwoDecimals(100.0 * present(micros->Integer(row)) / total, out);
  out->append("%)");
  return {};
}

Result<void> AppendRanked(const Report& report, std::string_view name, std::string_view what,
                          bool with_share, std::string* out) {
  const Table* table = FindNamed(report.tables, name);
  if (table == nullptr) return {};
  for (size_t row = 0; row < table->rows; ++row) {
    fmt::format_to(std::back_inserter(*out), "top {} {}: ", row + 1, what);
    TFPROF_TRY(AppendTimes(*table, row, out));
    if (with_share) TFPROF_TRY(AppendShare(report, *table, row, out));
    out->push_back('\n');
  }
  return {};
}

Result<void> AppendExpensive(const Report& report, std::string* out) {
  TFPROF_TRY(AppendRanked(report, "operation_types", "operation type", true, out));
  TFPROF_TRY(AppendRanked(report, "graph_nodes", "graph node", false, out));
  const Table* code = FindNamed(report.tables, "code");
  if (code == nullptr) return {};
  TFPROF_ASSIGN(const ReportColumn* depth, ClassicColumn(*code, "", "depth"));
  for (size_t row = 0; row < code->rows; ++row) {
    out->append(2 * static_cast<size_t>(depth->Integer(row)), ' ');
    TFPROF_TRY(AppendTimes(*code, row, out));
    out->push_back('\n');
  }
  if (code->rows == 0) out->push_back('\n');  // a section without lines
  return {};
}

Result<void> AppendOperations(const Report& report, std::string* out) {
  if (IsTrue(report, "batch_norm_is_not_fused")) {
    out->append("Maybe use faster FusedBatchNorm instead of BatchNorm\n");
  }
  if (IsTrue(report, "nhwc_on_accelerator")) {
    out->append("Found operation using NHWC data_format on GPU. Maybe NCHW is faster.\n");
  }
  return {};
}

struct Section {
  std::string_view name;
  Result<void> (*append)(const Report& report, std::string* out);
};

constexpr Section kSections[] = {
    {"AcceleratorUtilizationChecker", AppendUtilization},
    {"ExpensiveOperationChecker", AppendExpensive},
    {"OperationChecker", AppendOperations},
};

}  // namespace

Result<void> EmitClassicAdvice(const Report& report, Sink& sink) {
  for (const Section& section : kSections) {
    if (!IsTrue(report, section.name)) continue;
    fmt::format_to(std::back_inserter(sink.buffer), "\n{}:\n", section.name);
    TFPROF_TRY(section.append(report, &sink.buffer));
  }
  return {};
}

}  // namespace tfprof
