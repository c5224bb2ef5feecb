// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "emitters/classic/classic.h"
#include "emitters/classic/numbers.h"

namespace tfprof {
namespace {

using Kind = ClassicCell::Kind;

// In the order of op and code; scope and graph put params and float_ops first.
constexpr ClassicCell kCells[] = {
    {Kind::memory, Attribute::bytes, "bytes", "requested bytes", "", ""},
    {Kind::memory, Attribute::peak_bytes, "peak_bytes", "peak bytes", "", ""},
    {Kind::memory, Attribute::residual_bytes, "residual_bytes", "residual bytes", "", ""},
    {Kind::memory, Attribute::output_bytes, "output_bytes", "output bytes", "", ""},
    {Kind::time, Attribute::micros, "micros", "total execution time", "", ""},
    {Kind::time, Attribute::accelerator_micros, "accelerator_micros", "accelerator execution time",
     "", ""},
    {Kind::time, Attribute::cpu_micros, "cpu_micros", "cpu execution time", "", ""},
    {Kind::count, Attribute::params, "params", "# parameters", " params", " params"},
    {Kind::count, Attribute::float_ops, "float_ops", "# float_ops", " flops", " float_ops"},
    {Kind::device, Attribute::device, "device", "assigned devices", "", ""},
    {Kind::op_types, Attribute::op_types, "op_types", "op types", "", ""},
    {Kind::occurrence, Attribute::occurrence, "occurrence_run", "op occurrence (run|defined)", "",
     ""},
    {Kind::input_shapes, Attribute::input_shapes, "input_shapes", "input shapes", "", ""},
};

bool IsAsked(const ClassicCell& cell, const Display& display) {
  if (display.Selects(cell.attribute)) return true;
  // micros selects its two halves.
  return cell.kind == Kind::time && display.Selects(Attribute::micros);
}

}  // namespace

std::vector<ClassicCell> ClassicCells(std::string_view view, const Display& display) {
  const bool of_nodes = view == "scope" || view == "graph";
  std::vector<ClassicCell> first, rest;
  for (ClassicCell cell : kCells) {
    if (!IsAsked(cell, display)) continue;
    if (of_nodes && cell.kind == Kind::occurrence) cell.legend = "op count (run|defined)";
    (of_nodes && cell.kind == Kind::count ? first : rest).push_back(cell);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

int64_t ClassicValue(const ReportColumn& column, size_t row) {
  const int64_t value = column.Integer(row);
  const bool in_ps = column.spec.unit == Unit::ps_as_us && value != kNoInt;
  return in_ps ? value / kPsPerUs : value;
}

void AppendClassicNumber(Kind kind, int64_t value, std::string* out) {
  switch (kind) {
    case Kind::memory:
      return AppendClassicMemory(value, out);
    case Kind::time:
      return AppendClassicTime(value, out);
    default:
      return AppendClassicCount(value, out);
  }
}

Result<const ReportColumn*> ClassicColumn(const Table& table, std::string_view prefix,
                                          std::string_view id) {
  const std::string name = fmt::format("{}{}", prefix, id);
  const ReportColumn* column = table.Find(name);
  if (column != nullptr) return column;
  return Fail(ErrorKind::internal,
              fmt::format("the table {} has no column {} for classic text", table.name, name));
}

}  // namespace tfprof
