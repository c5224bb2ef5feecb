// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/query/query.h"
#include "core/report/refine.h"
#include "core/report/report.h"
#include "core/text/units.h"

// Functions that several output formats share for the cells of a report.

namespace tfprof {

template <std::integral Integer>
void AppendInteger(Integer value, std::string* out) {
  char digits[20];
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// Appends the value in the unit in which it is written: 1500000 of Unit::ps_as_us is 1.5. Divided
// (ColumnSpec::divisor): with all its digits if it has at most 18 decimals, else as a double.
void AppendScaled(int64_t value, Unit unit, std::string* out, int64_t divisor = 1);

// Appends a number of millionths (6 decimals) or billionths (9), without trailing zeros.
void AppendDecimal(uint64_t value, int decimals, std::string* out);

// Appends the shortest digits that parse back to `value`; NaN and infinity become nan, -nan, inf,
// -inf.
void AppendReal(double value, std::string* out);

// Appends the raw, unrounded text of a cell: ASCII and the bytes of the profile's names. Lists are
// joined with '|'. Absent cells append nothing.
// `original`: write as -ids original does, here and in the three functions below.
void AppendPlain(const ReportColumn& column, size_t row, bool original, std::string* out);

// Returns the id of a column in the output.
std::string_view IdIn(const ColumnSpec& spec, bool original);

// Returns the unit in which values of `unit` are written, and converts a real to that unit.
inline Unit UnitIn(Unit unit, bool original) { return original ? unit : WrittenUnit(unit); }
inline double RealIn(double value, Unit unit, bool original) {
  return original ? value : value * WrittenScale(unit);
}

// True if -columns picked the shown columns of this table (core/report/refine.h ordered them).
bool ColumnsArePicked(const Table& table, const Display& display);

// Returns the columns of machine-readable formats: all shown ones and `accounted`, or those of
// -columns.
std::vector<const ReportColumn*> ColumnsForMachines(const Table& table, const Display& display);

// Returns the columns of human-readable formats: those of -columns; by default the name and the
// text of its source line first, then the others in the order of -select. In a tree, self and total
// of a measure are adjacent; in a list they are equal and one is left out. Columns that exist for
// classic text only are left out.
std::vector<const ReportColumn*> ColumnsForHumans(const Table& table, const Display& display);

// Returns the measure that a column of role self or total belongs to: micros for total_micros.
std::string_view MeasureId(const ReportColumn& column);

// Returns the denominator of this measure's shares, property total_X; kNoInt if there is none.
int64_t TotalOf(const Report& report, std::string_view measure_id);

std::string_view UnitName(Unit unit);  // us, B, ...; empty: no unit

// Parts of a report's total that no row of its first table covers. Outputs whose parts must add up
// write them, too. Both functions return 0 if there is no such part or the measure was not
// recorded.

// In a list: the total minus its rows. The first row of a tree is the total already.
int64_t OutsideRows(const Report& report, std::string_view measure_id);

// Returns the value of nodes without a code trace: property untraced_<measure>.
int64_t Untraced(const Report& report, std::string_view measure_id);

constexpr std::string_view kNotShown = "[not shown]";
constexpr std::string_view kUntraced = "[untraced]";

}  // namespace tfprof
