// SPDX-License-Identifier: Apache-2.0
#include "views/columns/rate_columns.h"

#include "core/base/arith.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

// A column of a cell per row of a device, of which programs see all.
template <class Cell>
ReportColumn& AddReals(const std::vector<StatsRow>& rows, std::string id, std::string title,
                       Unit unit, std::string meaning, const Cell& cell, Table* table) {
  ReportColumn& column = Reals(*table, std::move(id), std::move(title), unit, std::move(meaning));
  column.spec.people = false;
  FillReals(column, rows, [&](const StatsRow& r) { return r.is_device ? cell(r) : kNoReal; });
  return column;
}

void AddToldRates(const std::vector<StatsRow>& rows, Table* table) {
  const auto rate = [&](std::string id, std::string title, Unit unit, std::string meaning,
                        const KnownWork FrameworkOp::*work, double per) {
    ReportColumn& column = AddReals(
        rows, std::move(id), std::move(title), unit, std::move(meaning),
        [&](const StatsRow& r) { return ToldPerSecond(r.op, r.op.*work) / per; }, table);
    column.spec.folds = Folds::mean;
    column.spec.weight = "total_time";
  };
  rate("measured_flop_rate", "measured_flop_rate", Unit::gflops_per_s,
       "Known flops, as the units for them count, over total time; so xprof has it.",
       &FrameworkOp::device_flops, 1e9);
  rate("model_flop_rate", "model_flop_rate", Unit::gflops_per_s,
       "Known flops of the model over total time; so xprof has it.", &FrameworkOp::model_flops,
       1e9);
  rate("measured_memory_bw", "measured_memory_bw", Unit::gbytes_per_s,
       "Known bytes over total time, in units of 2^30; so xprof has it.", &FrameworkOp::bytes,
       kGibi);
  AddReals(
      rows, "operational_intensity", "intensity", Unit::flops_per_byte, "Flops over bytes.",
      [](const StatsRow& r) { return r.op.device_flops.amount / r.op.bytes.amount; }, table);
}

// Rates with what they are over, by which they fold: time that is not shown.
void AddRates(const std::vector<StatsRow>& rows, Table* table) {
  const auto rate = [&](std::string id, std::string title, Unit unit, std::string meaning,
                        const KnownWork FrameworkOp::*work, auto cell) {
    ReportColumn& over = Numbers(*table, id + "_time", title + " over", Unit::ps_as_us,
                                 "Of the total time, that of runs whose cost is known.");
    over.spec.shown = false;
    over.spec.folds = Folds::sum;
    FillNumbers(over, rows, [&](const StatsRow& r) { return (r.op.*work).ps; });
    const std::string weight = over.spec.id;
    ReportColumn& column =
        AddReals(rows, std::move(id), std::move(title), unit, std::move(meaning), cell, table);
    column.spec.people = true;
    column.spec.folds = Folds::mean;
    column.spec.weight = weight;
  };
  rate("flop_rate", "flop rate", Unit::gflops_per_s,
       "Flops of the model over the time of the runs whose cost is known; absent of what waits.",
       &FrameworkOp::model_flops, [](const StatsRow& r) { return FlopRate(r.op) / 1e9; });
  rate("memory_rate", "memory rate", Unit::gbytes_per_s,
       "Bytes read and written over the time of the runs whose cost is known; absent where no "
       "memory does that, and of what waits.",
       &FrameworkOp::bytes, [](const StatsRow& r) { return r.memory_rate / 1e9; });
}

void AddTensorCores(const std::vector<StatsRow>& rows, Table* table) {
  const auto add = [&](std::string id, std::string title, std::string meaning,
                       auto cell) -> ReportColumn& {
    ReportColumn& column = AddReals(rows, std::move(id), std::move(title), Unit::fraction,
                                    std::move(meaning), cell, table);
    column.spec.spare = true;
    column.spec.folds = Folds::mean;
    column.spec.weight = "total_time";
    return column;
  };
  const auto of_kernels = [](const StatsRow& r, int64_t ps) {
    if (r.op.telling_kernel_ps <= 0) return kNoReal;
    return static_cast<double>(ps) / static_cast<double>(r.op.telling_kernel_ps);
  };
  add("gpu_tensorcore_utilization", "gpu_tensorcore_utilization",
      "Of the time of its kernels, that of kernels for tensor cores, known up to Ampere; absent "
      "where names of kernels do not tell.",
      [&](const StatsRow& r) { return of_kernels(r, r.op.tensor_core_ps); });
  add("tensor_core_share", "tensor cores",
      "Of the time of its kernels whose names tell, also of Hopper and Blackwell, that of those "
      "for tensor cores; absent where these are less than half of it.",
      [](const StatsRow& r) {
        const auto all = static_cast<double>(r.op.telling_kernel_ps);
        const double told = all - static_cast<double>(r.op.untold_kernel_ps);
        if (told <= 0 || 2 * told < all) return kNoReal;
        return static_cast<double>(r.op.any_tensor_core_ps) / told;
      })
      .spec.people = true;
}

void AddBounds(const std::vector<StatsRow>& rows, Table* table) {
  Texts(*table, "bound_by", "bound_by",
        "Compute or HBM, what is nearer to its peak by all that is told; as xprof has it.", rows,
        [](const StatsRow& r) { return r.told.by; })
      .spec.people = false;
  Texts(*table, "limited_by", "bound by",
        "Compute or HBM, what is nearer to its peak, by rates that can be; waiting: it awaits what "
        "runs beside it; absent of what moves data over links.",
        rows, [](const StatsRow& r) { return r.bound.by; })
      .spec.spare = true;
}

}  // namespace

void AddRateColumns(const std::vector<StatsRow>& rows, Table* table) {
  AddToldRates(rows, table);
  AddRates(rows, table);
  AddTensorCores(rows, table);
  AddBounds(rows, table);
}

}  // namespace tfprof
