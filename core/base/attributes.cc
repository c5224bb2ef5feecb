// SPDX-License-Identifier: Apache-2.0
#include "core/base/attributes.h"

namespace tfprof {
namespace {

constexpr AttributeInfo kAttributeInfos[] = {
    {Attribute::bytes, "bytes", "requested", Unit::bytes,
     "Memory requested: what the allocators of the node's device handed out in its executions "
     "(total_bytes), plus temporary and persistent memory."},
    {Attribute::micros, "micros", "time", Unit::us,
     "Execution time: accelerator time plus cpu time, per step. An execution of less than 1 us "
     "counts as 1 us. Times of executions that overlap are added up."},
    {Attribute::params, "params", "params", Unit::params,
     "Number of parameters: the product of a variable's dimensions. Unknown shapes count nothing."},
    {Attribute::float_ops, "float_ops", "flops", Unit::flops,
     "Floating point operations: the number logged for one run, times the runs of the node."},
    {Attribute::tensor_value, "tensor_value", "value", Unit::none,
     "The value of a variable, from the checkpoint."},
    {Attribute::device, "device", "device", Unit::none,
     "The device that counts for a node: the first cpu or gpu that it has a record on."},
    {Attribute::op_types, "op_types", "types", Unit::none,
     "Operation type, types added by the op log, and the device."},
    {Attribute::occurrence, "occurrence", "runs", Unit::count,
     "How often a node ran per step on its device, and how many graph nodes there are."},
    {Attribute::input_shapes, "input_shapes", "input shapes", Unit::none,
     "Shape of every input, where the graph was saved with shapes."},
    {Attribute::accelerator_micros, "accelerator_micros", "accelerator", Unit::us,
     "Time of the node's kernels and copies, summed over the streams of an accelerator."},
    {Attribute::cpu_micros, "cpu_micros", "cpu", Unit::us,
     "Time on the node's own device as the executor saw it; for a gpu that is scheduling and "
     "launching."},
    {Attribute::peak_bytes, "peak_bytes", "peak", Unit::bytes,
     "Highest memory in use by the node's executions, plus temporary and persistent memory; peaks "
     "of different executions are added up."},
    {Attribute::residual_bytes, "residual_bytes", "residual", Unit::bytes,
     "Memory still in use after the node's executions: live bytes plus persistent memory."},
    {Attribute::output_bytes, "output_bytes", "output", Unit::bytes,
     "Memory of the node's outputs; an output that several nodes share counts for each."},
};
static_assert(std::size(kAttributeInfos) == kAttributes);

constexpr MeasureInfo kMeasureInfos[] = {
    {Measure::bytes, "bytes", "requested", Unit::bytes},
    {Measure::peak_bytes, "peak_bytes", "peak", Unit::bytes},
    {Measure::residual_bytes, "residual_bytes", "residual", Unit::bytes},
    {Measure::output_bytes, "output_bytes", "output", Unit::bytes},
    {Measure::micros, "micros", "time", Unit::us},
    {Measure::accelerator_micros, "accelerator_micros", "accelerator", Unit::us},
    {Measure::cpu_micros, "cpu_micros", "cpu", Unit::us},
    {Measure::params, "params", "params", Unit::params},
    {Measure::float_ops, "float_ops", "flops", Unit::flops},
    {Measure::run_count, "occurrence_run", "runs", Unit::count},
    {Measure::definition_count, "occurrence_defined", "defined", Unit::count},
};
static_assert(std::size(kMeasureInfos) == kMeasures);

constexpr std::string_view kOrderByNames[] = {
    "name",         "bytes",     "peak_bytes",         "residual_bytes",
    "output_bytes", "micros",    "accelerator_micros", "cpu_micros",
    "params",       "float_ops", "occurrence"};

}  // namespace

std::span<const AttributeInfo> Attributes() { return kAttributeInfos; }

const AttributeInfo& Info(Attribute attribute) {
  return kAttributeInfos[static_cast<size_t>(attribute)];
}

std::span<const MeasureInfo> AllMeasures() { return kMeasureInfos; }

std::span<const std::string_view> OrderByNames() { return kOrderByNames; }

}  // namespace tfprof
