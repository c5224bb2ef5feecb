// SPDX-License-Identifier: Apache-2.0
#include "emitters/pprof/types.h"

#include "core/base/arith.h"
#include "emitters/cells.h"

namespace tfprof {
namespace {

constexpr PprofType kTypes[kMeasures] = {
    {Measure::bytes, "requested_bytes", "bytes"},
    {Measure::peak_bytes, "peak_bytes", "bytes"},
    {Measure::residual_bytes, "residual_bytes", "bytes"},
    {Measure::output_bytes, "output_bytes", "bytes"},
    {Measure::micros, "time", "nanoseconds"},
    {Measure::accelerator_micros, "accelerator", "nanoseconds"},
    {Measure::cpu_micros, "cpu", "nanoseconds"},
    {Measure::params, "params", "count"},
    {Measure::float_ops, "float_ops", "count"},
    {Measure::run_count, "runs", "count"},
    {Measure::definition_count, "nodes", "count"},
};

}  // namespace

std::vector<PprofType> PprofTypesOf(const Report& report) {
  std::vector<PprofType> all, recorded;
  for (const ReportColumn& column : report.tables[0].columns) {
    if (column.spec.role != ColumnRole::total || !column.spec.shown) continue;
    for (const PprofType& type : kTypes) {
      if (Info(type.measure).id != MeasureId(column)) continue;
      all.push_back(type);
      if (column.spec.unit == Unit::us) all.back().factor = kNsPerUs;
      if (column.spec.unit == Unit::ps_as_us) all.back().divisor = kPsPerUs / kNsPerUs;
      if (WholeOf(report, MeasureId(column)) != kNoInt) recorded.push_back(all.back());
    }
  }
  if (recorded.empty() && !all.empty()) recorded.push_back(all[0]);
  return recorded;
}

}  // namespace tfprof
