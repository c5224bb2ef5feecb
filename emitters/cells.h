// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/units.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/where.h"  // IsAbsent

// What several output formats do alike with the cells of a report.

namespace tfprof {

inline void AppendInteger(int64_t value, std::string* out) {
  char digits[20];
  out->append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

// The same in the unit in which it is written: 1500000 of Unit::ps_as_us is 1.5.
void AppendScaled(int64_t value, Unit unit, std::string* out);

// The shortest digits that read back as `value`; a NaN or an infinity is nan, -nan, inf, -inf.
void AppendReal(double value, std::string* out);

// The values of a tensor as nested lists, [[1,2],[3,4]]; a scalar without brackets; nothing when
// its type has no values here.
void AppendTensor(const TensorValue& tensor, std::string* out);

// Raw, unrounded text of a cell, made of ASCII and the bytes of the profile's names. Lists are
// joined with '|'. Absent cells append nothing.
// `original`: of -ids original, as the three below.
void AppendPlain(const ReportColumn& column, size_t row, bool original, std::string* out);

// What a column is called.
std::string_view IdIn(const ColumnSpec& spec, bool original);

// The unit in which values of `unit` are written, and a real in that unit.
inline Unit UnitIn(Unit unit, bool original) { return original ? unit : WrittenUnit(unit); }
inline double RealIn(double value, Unit unit, bool original) {
  return original ? value : value * WrittenScale(unit);
}

// Whether -columns picked the shown columns of this table (core/report/refine.h put them in order).
bool ColumnsArePicked(const Table& table, const Display& display);

// The columns for programs: all that are shown, and `accounted`; or those of -columns.
std::vector<const ReportColumn*> ColumnsForPrograms(const Table& table, const Display& display);

// The columns for people: those of -columns; without it name first, then the others in the order
// of -select. Own and total of a measure stand side by side in a tree; in a list they are equal
// and one is left out. Columns that exist for classic text only are left out.
std::vector<const ReportColumn*> ColumnsForPeople(const Table& table, const Display& display);

// The measure that a column of role self or total belongs to: micros for total_micros.
std::string_view MeasureId(const ReportColumn& column);

// The whole that shares of this measure are parts of: property total_X; kNoInt: there is none.
int64_t WholeOf(const Report& report, std::string_view measure_id);

std::string_view UnitName(Unit unit);  // us, B, ...; empty: none

}  // namespace tfprof
