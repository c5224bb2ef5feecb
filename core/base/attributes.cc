// SPDX-License-Identifier: Apache-2.0
#include "core/base/attributes.h"

#include <algorithm>
#include <iterator>

#include "core/base/nearest.h"

namespace tfprof {
namespace {

constexpr AttributeInfo kAttributeInfos[] = {
    {Attribute::bytes, "bytes", "requested", Unit::bytes,
     "Memory requested: bytes that the node's executions allocated on its device (total_bytes), "
     "plus temporary and persistent memory.",
     Measure::bytes, 1},
    {Attribute::micros, "micros", "time", Unit::us,
     "Execution time: accelerator time plus cpu time, per step, summed over executions, also where "
     "they overlap. An execution shorter than 1 us counts as 1 us.",
     Measure::micros, 3},
    {Attribute::params, "params", "params", Unit::params,
     "Number of parameters: the product of a variable's dimensions. Unknown shapes count as "
     "nothing.",
     Measure::params, 1},
    {Attribute::float_ops, "float_ops", "flops", Unit::flops,
     "Floating-point operations: those logged for one run, times the node's runs.",
     Measure::float_ops, 1},
    {Attribute::tensor_value, "tensor_value", "value", Unit::none,
     "Value of a variable, from the checkpoint."},
    {Attribute::device, "device", "device", Unit::none,
     "Device of the node: the first cpu or gpu with a record of it."},
    {Attribute::op_types, "op_types", "types", Unit::none,
     "Operation type, op log types and device."},
    {Attribute::occurrence, "occurrence", "runs", Unit::count,
     "Executions of the node per step on its device, the number of graph nodes, and of those that "
     "ran.",
     Measure::run_count, 3},
    {Attribute::input_shapes, "input_shapes", "input shapes", Unit::none,
     "Shape of each input, where the graph was saved with shapes."},
    {Attribute::accelerator_micros, "accelerator_micros", "accelerator", Unit::us,
     "Time of the node's kernels and copies, summed over the streams of an accelerator.",
     Measure::accelerator_micros, 1},
    {Attribute::cpu_micros, "cpu_micros", "cpu", Unit::us,
     "Time on the node's device as seen by the executor; for a gpu, scheduling and launching.",
     Measure::cpu_micros, 1},
    {Attribute::peak_bytes, "peak_bytes", "peak", Unit::bytes,
     "Peak memory of the node's executions, plus temporary and persistent memory; peaks of several "
     "executions are summed.",
     Measure::peak_bytes, 1},
    {Attribute::residual_bytes, "residual_bytes", "residual", Unit::bytes,
     "Memory still allocated after the node's executions: live bytes plus persistent memory.",
     Measure::residual_bytes, 1},
    {Attribute::output_bytes, "output_bytes", "output", Unit::bytes,
     "Memory of the node's outputs; a shared output counts for every node.", Measure::output_bytes,
     1},
};
static_assert(std::size(kAttributeInfos) == kAttributes);

constexpr std::string_view kNoMemory = "memory was not recorded";

constexpr MeasureInfo kMeasureInfos[] = {
    {Measure::bytes, "bytes", "requested_bytes", "total_requested_bytes", "requested", Unit::bytes,
     kNoMemory},
    {Measure::peak_bytes, "peak_bytes", "peak_bytes", "total_peak_bytes", "peak", Unit::bytes,
     kNoMemory},
    {Measure::residual_bytes, "residual_bytes", "residual_bytes", "total_residual_bytes",
     "residual", Unit::bytes, kNoMemory},
    {Measure::output_bytes, "output_bytes", "output_bytes", "total_output_bytes", "output",
     Unit::bytes, kNoMemory},
    {Measure::micros, "micros", "time_us", "inclusive_us", "time", Unit::us},
    {Measure::accelerator_micros, "accelerator_micros", "device_us", "inclusive_device_us",
     "accelerator", Unit::us, "no accelerator was traced"},
    {Measure::cpu_micros, "cpu_micros", "host_us", "inclusive_host_us", "cpu", Unit::us,
     "no host operation was recorded"},
    {Measure::params, "params", "params", "total_params", "params", Unit::params,
     "no variable with known shape"},
    {Measure::float_ops, "float_ops", "flops", "total_flops", "flops", Unit::flops,
     "neither shapes nor an op log"},
    {Measure::run_count, "occurrence_run", "runs", "total_runs", "runs", Unit::count},
    {Measure::definition_count, "occurrence_defined", "defined", "total_defined", "defined",
     Unit::count},
    {Measure::node_count, "nodes", "nodes", "total_nodes", "nodes", Unit::count},
};
static_assert(std::size(kMeasureInfos) == kMeasures);

struct OrderInfo {
  OrderBy order;
  std::string_view name;
  std::optional<Measure> measure;
};
constexpr OrderInfo kOrders[] = {
    {OrderBy::name, "name", std::nullopt},
    {OrderBy::bytes, "bytes", Measure::bytes},
    {OrderBy::peak_bytes, "peak_bytes", Measure::peak_bytes},
    {OrderBy::residual_bytes, "residual_bytes", Measure::residual_bytes},
    {OrderBy::output_bytes, "output_bytes", Measure::output_bytes},
    {OrderBy::micros, "micros", Measure::micros},
    {OrderBy::accelerator_micros, "accelerator_micros", Measure::accelerator_micros},
    {OrderBy::cpu_micros, "cpu_micros", Measure::cpu_micros},
    {OrderBy::params, "params", Measure::params},
    {OrderBy::float_ops, "float_ops", Measure::float_ops},
    {OrderBy::occurrence, "occurrence", Measure::definition_count},
    {OrderBy::runs, "runs", Measure::run_count},
    {OrderBy::nodes, "nodes", Measure::node_count},
};

}  // namespace

std::span<const AttributeInfo> Attributes() { return kAttributeInfos; }

const AttributeInfo& Info(Attribute attribute) {
  return kAttributeInfos[static_cast<size_t>(attribute)];
}

std::span<const MeasureInfo> AllMeasures() { return kMeasureInfos; }

std::span<const MeasureInfo> MeasuresOf(Attribute attribute) {
  const AttributeInfo& info = Info(attribute);
  return AllMeasures().subspan(static_cast<size_t>(info.first_measure), info.measures);
}

std::optional<Measure> MeasureCalled(std::string_view id) {
  for (const MeasureInfo& info : kMeasureInfos) {
    if (info.column == id || info.inclusive == id) return info.measure;
  }
  return std::nullopt;
}

const AttributeInfo& AttributeOf(Measure measure) {
  if (measure > Measure::run_count) return Info(Attribute::occurrence);
  return *std::find_if(
      std::begin(kAttributeInfos), std::end(kAttributeInfos),
      [&](const AttributeInfo& a) { return a.measures > 0 && a.first_measure == measure; });
}

constexpr size_t kOriginalOrders = static_cast<size_t>(OrderBy::occurrence) + 1;

std::vector<std::string_view> OrderNames() {
  return NamesIn(std::span(kOrders).first(kOriginalOrders));
}

std::string_view NameOf(OrderBy order) { return kOrders[static_cast<size_t>(order)].name; }

std::optional<OrderBy> OrderNamed(std::string_view name) {
  const auto originals = std::span(kOrders).first(kOriginalOrders);
  const OrderInfo* info = FindNamed(originals, name);
  return info == nullptr ? std::nullopt : std::optional(info->order);
}

OrderBy OrderOf(Measure measure) {
  return std::find_if(std::begin(kOrders), std::end(kOrders),
                      [&](const OrderInfo& info) { return info.measure == measure; })
      ->order;
}

std::optional<Measure> MeasureOf(OrderBy order) {
  return kOrders[static_cast<size_t>(order)].measure;
}

}  // namespace tfprof
