// SPDX-License-Identifier: Apache-2.0
#include "views/columns/rate_columns.h"

#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

// Fills a column that only rows of devices have.
template <class Cell>
void FillOfDevices(std::string_view id, const std::vector<StatsRow>& rows, Table* table,
                   const Cell& cell) {
  Fill(*table, id, rows, [&](const StatsRow& r) { return r.is_device ? cell(r) : kNoReal; });
}

void AddRecordedRates(const std::vector<StatsRow>& rows, Table* table) {
  const auto rate = [&](std::string_view id, const KnownWork FrameworkOp::*work, double per) {
    FillOfDevices(id, rows, table,
                  [&](const StatsRow& r) { return RecordedPerSecond(r.op, r.op.*work) / per; });
  };
  rate("measured_flop_rate", &FrameworkOp::device_flops, 1e9);
  rate("model_flop_rate", &FrameworkOp::model_flops, 1e9);
  rate("measured_memory_bw", &FrameworkOp::bytes, kGibi);
  FillOfDevices("intensity_flops_per_byte", rows, table,
                [](const StatsRow& r) { return r.op.device_flops.amount / r.op.bytes.amount; });
}

// Adds rates with their denominators, by which they fold: times that are not shown.
void AddRates(const std::vector<StatsRow>& rows, Table* table) {
  const auto rate = [&](std::string_view id, std::string_view over_id,
                        const KnownWork FrameworkOp::*work, auto cell) {
    ReportColumn& over = AddColumn(*table, over_id);
    over.spec.shown = false;
    Fill(over, rows, [&](const StatsRow& r) { return (r.op.*work).ps; });
    FillOfDevices(id, rows, table, cell);
  };
  rate("flops_per_s", "known_flops_us", &FrameworkOp::model_flops,
       [](const StatsRow& r) { return ModelFlopRate(r.op) / 1e9; });
  rate("bandwidth_bytes_per_s", "known_bytes_us", &FrameworkOp::bytes,
       [](const StatsRow& r) { return r.memory_rate / 1e9; });
}

void AddTensorCores(const std::vector<StatsRow>& rows, Table* table) {
  FillOfDevices("gpu_tensorcore_utilization", rows, table, [](const StatsRow& r) {
    if (r.op.conclusive_kernel_ps <= 0) return kNoReal;
    return static_cast<double>(r.op.tensor_core_ps) /
           static_cast<double>(r.op.conclusive_kernel_ps);
  });
  FillOfDevices("tensor_core_pct", rows, table, [](const StatsRow& r) {
    const auto all = static_cast<double>(r.op.conclusive_kernel_ps);
    const double recorded = all - static_cast<double>(r.op.inconclusive_kernel_ps);
    if (recorded <= 0 || 2 * recorded < all) return kNoReal;
    return static_cast<double>(r.op.any_tensor_core_ps) / recorded;
  });
}

void AddBounds(const std::vector<StatsRow>& rows, Table* table) {
  Fill(*table, "original_bound_by", rows, [](const StatsRow& r) { return r.recorded.by; });
  Fill(*table, "bound_by", rows, [](const StatsRow& r) { return r.bound.by; });
}

}  // namespace

void AddRateColumns(const std::vector<StatsRow>& rows, Table* table) {
  AddRecordedRates(rows, table);
  AddRates(rows, table);
  AddTensorCores(rows, table);
  AddBounds(rows, table);
}

}  // namespace tfprof
