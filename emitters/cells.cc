// SPDX-License-Identifier: Apache-2.0
#include "emitters/cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/arith.h"
#include "core/report/column_names.h"
#include "core/report/fold_plan.h"
#include "core/text/append_format.h"

namespace tfprof {
namespace {

constexpr std::string_view kTotal = "total_";
constexpr std::string_view kRemainder = "classic_remainder_";

void AppendElement(const TensorValue& tensor, size_t at, std::string* out) {
  if (tensor.kind == TensorValue::Kind::integer) {
    AppendInteger(tensor.integers[at], out);
  } else {
    AppendReal(tensor.reals[at], out);
  }
}

// Returns how many brackets open or close at element `at`, counted from the innermost dimension.
size_t BoundariesAt(const TensorValue& tensor, size_t at) {
  size_t boundaries = 0;
  uint64_t block = 1;
  for (size_t d = tensor.shape.size(); d-- > 0;) {
    block *= static_cast<uint64_t>(tensor.shape[d]);
    if (at % block != 0) break;
    ++boundaries;
  }
  return boundaries;
}

void AppendElements(const TensorValue& tensor, size_t count, std::string* out) {
  for (size_t at = 0; at < count; ++at) {
    const size_t boundaries = BoundariesAt(tensor, at);
    if (at > 0) {
      out->append(boundaries, ']');
      out->push_back(',');
    }
    out->append(boundaries, '[');
    AppendElement(tensor, at, out);
  }
  out->append(tensor.shape.size(), ']');
}

// Appends the values of a tensor as nested lists, [[1,2],[3,4]]. A scalar has no brackets. A type
// without stored values appends nothing.
void AppendTensor(const TensorValue& tensor, std::string* out) {
  if (tensor.kind == TensorValue::Kind::unsupported) return;
  const size_t count =
      tensor.kind == TensorValue::Kind::integer ? tensor.integers.size() : tensor.reals.size();
  if (count == 0) {
    out->append("[]");
  } else {
    AppendElements(tensor, count, out);
  }
}

void AppendList(const std::vector<std::string_view>& list, std::string* out) {
  for (size_t i = 0; i < list.size(); ++i) {
    if (i > 0) out->push_back('|');
    out->append(list[i]);
  }
}

// True if -select `attribute` brings the column: occurrence brings total_occurrence_run.
bool Brings(std::string_view attribute, const ReportColumn& column) {
  const std::string_view id = MeasureId(column);
  if (id == attribute) return true;
  if (attribute == "micros" && column.spec.beside_time) return true;
  if (attribute == "occurrence") return id.starts_with("occurrence_");
  return attribute == "params" && column.spec.id == "shape";
}

bool AnyFolded(const ReportColumn& counts, size_t rows) {
  for (size_t row = 0; row < rows; ++row) {
    if (counts.Integer(row) > 1) return true;
  }
  return false;
}

// Sort key of a column in tables for readers; -1: left out.
int PlaceForHumans(const ReportColumn& column, const Table& table, const Display& display) {
  const ColumnSpec& spec = column.spec;
  if (!spec.shown || !spec.human_readable || spec.role == ColumnRole::remainder ||
      spec.id == "accounted")
    return -1;
  if (spec.role == ColumnRole::total && !table.tree) return -1;
  if (spec.role == ColumnRole::folded_rows) {  // follows the names
    return AnyFolded(column, table.rows) ? PlaceForHumans(*FoldingNames(table), table, display)
                                         : -1;
  }
  if (spec.id == "name" || spec.id == "source_text") return 0;
  for (size_t i = 0; i < display.select.size(); ++i) {
    if (Brings(Info(display.select[i]).name, column)) return static_cast<int>(i) + 1;
  }
  // A measure that comes with another one (the two halves of micros) is not shown on the terminal.
  return spec.role == ColumnRole::plain ? 1000 : -1;
}

using Placed = std::pair<int, const ReportColumn*>;

// Adds the measures of a list that its view chose, not -select.
void AddOwnMeasures(const Table& table, std::vector<Placed>* placed) {
  if (table.tree) return;
  for (const ReportColumn& column : table.columns) {
    if (column.spec.shown && column.spec.role == ColumnRole::self) placed->emplace_back(1, &column);
  }
}

// Appends value / (divisor * 10^decimals).
void AppendDivided(uint64_t value, int64_t divisor, int decimals, std::string* out) {
  constexpr int kMaxDecimals = 18;
  __extension__ using Wide = unsigned __int128;
  Wide one = static_cast<Wide>(divisor);
  for (int i = 0; i < decimals; ++i) one *= 10;
  const size_t begin = out->size();
  AppendInteger(static_cast<uint64_t>(value / one), out);
  Wide rest = value % one;
  if (rest == 0) return;
  out->push_back('.');
  for (int i = 0; i < kMaxDecimals && rest != 0; ++i) {
    rest *= 10;
    out->push_back(static_cast<char>('0' + static_cast<int>(rest / one)));
    rest %= one;
  }
  if (rest == 0) return;
  out->resize(begin);
  AppendReal(static_cast<double>(value) / static_cast<double>(one), out);
}

}  // namespace

bool ColumnsArePicked(const Table& table, const Display& display) {
  return std::any_of(display.columns.begin(), display.columns.end(),
                     [&](const std::string& name) { return ColumnCalled(table, name) != nullptr; });
}

void AppendScaled(int64_t value, Unit unit, std::string* out, int64_t divisor) {
  const int decimals = unit == Unit::ps_as_us ? 6 : unit == Unit::ps_as_ms ? 9 : 0;
  if (decimals == 0 && divisor == 1) return AppendInteger(value, out);
  const auto bits = static_cast<uint64_t>(value);
  const uint64_t magnitude = value < 0 ? uint64_t{0} - bits : bits;
  if (value < 0) out->push_back('-');
  divisor == 1 ? AppendDecimal(magnitude, decimals, out)
               : AppendDivided(magnitude, divisor, decimals, out);
}

void AppendDecimal(uint64_t value, int decimals, std::string* out) {
  const uint64_t one = decimals == 6 ? kPsPerUs : 1000 * kPsPerUs;
  AppendInteger(value / one, out);
  uint64_t rest = value % one;
  if (rest == 0) return;
  char digits[10] = {'.'};
  for (int i = decimals; i > 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
  size_t length = static_cast<size_t>(decimals) + 1;
  while (digits[length - 1] == '0') --length;
  out->append(digits, length);
}

void AppendReal(double value, std::string* out) {
  if (value == 0 && std::signbit(value)) {
    out->append("-0.0");  // readers parse -0 as an integer, which has no sign
    return;
  }
  AppendFormat(out, "{}", value);
}

std::string_view IdIn(const ColumnSpec& spec, bool original) {
  return original && !spec.original.empty() ? spec.original : spec.id;
}

void AppendPlain(const ReportColumn& column, size_t row, bool original, std::string* out) {
  if (IsAbsent(column, row)) return;
  switch (column.spec.type) {
    case CellType::integer:
      AppendScaled(column.Integer(row), UnitIn(column.spec.unit, original), out,
                   column.spec.divisor);
      break;
    case CellType::boolean: out->append(column.Integer(row) != 0 ? "true" : "false"); break;
    case CellType::real:
      AppendReal(RealIn(column.reals[row], column.spec.unit, original), out);
      break;
    case CellType::text: out->append(column.texts[row]); break;
    case CellType::texts: AppendList(column.lists[row], out); break;
    case CellType::tensor: AppendTensor(*column.tensors[row], out); break;
  }
}

std::vector<const ReportColumn*> ColumnsForMachines(const Table& table, const Display& display) {
  const bool picked = ColumnsArePicked(table, display);
  std::vector<const ReportColumn*> columns;
  for (const ReportColumn& column : table.columns) {
    const bool always = !picked && column.spec.id == "accounted";
    if (column.spec.original_only && !picked && !display.original_ids) continue;
    if (column.spec.shown || always) columns.push_back(&column);
  }
  return columns;
}

std::vector<const ReportColumn*> ColumnsForHumans(const Table& table, const Display& display) {
  if (ColumnsArePicked(table, display)) return ColumnsForMachines(table, display);
  std::vector<Placed> placed;
  for (const ReportColumn& column : table.columns) {
    const int place = PlaceForHumans(column, table, display);
    if (place >= 0) placed.emplace_back(place, &column);
  }
  const auto is_measure = [](const auto& entry) { return IsMeasure(entry.second->spec.role); };
  if (std::none_of(placed.begin(), placed.end(), is_measure)) AddOwnMeasures(table, &placed);
  std::stable_sort(placed.begin(), placed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const ReportColumn*> columns;
  for (const auto& [place, column] : placed) columns.push_back(column);
  return columns;
}

std::string_view MeasureId(const ReportColumn& column) {
  std::string_view id = IdIn(column.spec, true);
  if (column.spec.role == ColumnRole::total && id.starts_with(kTotal)) {
    id.remove_prefix(kTotal.size());
  } else if (column.spec.role == ColumnRole::remainder && id.starts_with(kRemainder)) {
    id.remove_prefix(kRemainder.size());
  }
  return id;
}

int64_t TotalOf(const Report& report, std::string_view measure_id) {
  const Property* total = report.Find(fmt::format("{}{}", kTotal, measure_id));
  return total != nullptr && total->type == CellType::integer ? total->integer : kNoInt;
}

std::string_view UnitName(Unit unit) {
  switch (unit) {
    case Unit::none: return {};
    case Unit::count: return "count";
    case Unit::us:
    case Unit::ps_as_us: return "us";
    case Unit::ps_as_ms:
    case Unit::ms: return "ms";
    case Unit::ps: return "ps";
    case Unit::bytes: return "B";
    case Unit::flops: return "flops";
    case Unit::params: return "params";
    case Unit::percent: return "%";
    case Unit::fraction: return "fraction";
    case Unit::flops_per_s: return "FLOP/s";
    case Unit::bytes_per_s: return "B/s";
    case Unit::gflops_per_s: return "GFLOP/s";
    case Unit::gbytes_per_s: return "GB/s";
    case Unit::gibytes_per_s: return "GiB/s";
    case Unit::flops_per_byte: return "FLOP/B";
  }
  return {};
}

int64_t OutsideRows(const Report& report, std::string_view measure_id) {
  const Table& table = report.tables[0];
  const ReportColumn* totals = table.Find("total_" + std::string(measure_id));
  int64_t left = TotalOf(report, measure_id);
  if (table.tree || totals == nullptr || left == kNoInt) return 0;
  for (size_t row = 0; row < table.rows; ++row) {
    const int64_t total = totals->Integer(row);
    if (total != kNoInt) left = WrapAdd(left, -total);
  }
  return left;
}

int64_t Untraced(const Report& report, std::string_view measure_id) {
  const Property* untraced = report.Find("untraced_" + std::string(measure_id));
  return untraced == nullptr ? 0 : ZeroIfAbsent(untraced->integer);
}

}  // namespace tfprof
