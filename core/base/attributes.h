// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tfprof {

// ps_as_us: integers in picoseconds that are printed in microseconds, exactly.
enum class Unit : uint8_t {
  none,
  count,
  us,
  ps,
  ps_as_us,
  ps_as_ms,
  ms,  // for reals only, as are those below except percent
  bytes,
  flops,
  params,
  percent,   // 0 to 100
  fraction,  // 0 to 1; shown as percent
  gflops_per_s,
  gbytes_per_s,
  gibytes_per_s,
  flops_per_byte,
  flops_per_s,
  bytes_per_s,
};

// The measures of every row of scope, graph, op and code.
enum class Measure : uint8_t {
  bytes,  // requested
  peak_bytes,
  residual_bytes,
  output_bytes,
  micros,  // us: accelerator + cpu
  accelerator_micros,
  cpu_micros,
  params,
  float_ops,
  run_count,
  definition_count,
  node_count,  // nodes that ran; the original does not have it
};
constexpr size_t kMeasures = 12;

// The values of all measures of one row; index with Measure. Absent measures are tracked separately
// (Present in analysis/nodes/accounting.h), so that sums need no branches.
using MeasureValues = std::array<int64_t, kMeasures>;

// The attributes of -select, in the order of the original's list.
enum class Attribute : uint8_t {
  bytes,
  micros,
  params,
  float_ops,
  tensor_value,
  device,
  op_types,
  occurrence,
  input_shapes,
  accelerator_micros,
  cpu_micros,
  peak_bytes,
  residual_bytes,
  output_bytes,
};
constexpr size_t kAttributes = 14;

struct AttributeInfo {
  Attribute attribute;
  std::string_view name;   // as typed
  std::string_view title;  // column head of tables
  Unit unit;
  std::string_view meaning;  // definition with its source, for `explain` and the docs
  // The first of the measures that it shows; they are consecutive.
  Measure first_measure = Measure::bytes;
  uint8_t measures = 0;
};
std::span<const AttributeInfo> Attributes();
const AttributeInfo& Info(Attribute attribute);

struct MeasureInfo {
  Measure measure;
  std::string_view id;         // in the original tool: micros, occurrence_run, ...
  std::string_view column;     // in the vocabulary: time_us, runs, ...
  std::string_view inclusive;  // the inclusive variant: a row and all counted rows below it
  std::string_view title;      // column head of tables
  Unit unit;
  std::string_view absent = {};  // why a run lacks it; empty: no specific reason
};
std::span<const MeasureInfo> AllMeasures();  // by Measure
inline const MeasureInfo& Info(Measure measure) {
  return AllMeasures()[static_cast<size_t>(measure)];
}
std::span<const MeasureInfo> MeasuresOf(Attribute attribute);
// The measure with this id in the vocabulary, own or inclusive; none: there is no such measure.
std::optional<Measure> MeasureCalled(std::string_view id);
const AttributeInfo& AttributeOf(Measure measure);  // the attribute that shows it
inline int64_t& At(MeasureValues& values, Measure m) { return values[static_cast<size_t>(m)]; }
inline int64_t At(const MeasureValues& values, Measure m) { return values[static_cast<size_t>(m)]; }

// The order of -order_by; `name` is ascending by bytes, everything else descending.
enum class OrderBy : uint8_t {
  name,
  bytes,
  peak_bytes,
  residual_bytes,
  output_bytes,
  micros,
  accelerator_micros,
  cpu_micros,
  params,
  float_ops,
  occurrence,
  // Not of the original:
  runs,
  nodes,
};
std::vector<std::string_view> OrderNames();  // the original's, by OrderBy
std::string_view NameOf(OrderBy order);
std::optional<OrderBy> OrderNamed(std::string_view name);  // of the original
OrderBy OrderOf(Measure measure);
// None for `name`; by `occurrence`, the original orders by graph nodes.
std::optional<Measure> MeasureOf(OrderBy order);

}  // namespace tfprof
