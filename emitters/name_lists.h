// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

// Lists of names for people: `/device:GPU:{0..7}, /host:CPU`. A list is cut between its members and
// says how many are left out, since what is cut in the middle reads as one name.

namespace tfprof {

struct NamePiece {
  std::string text;  // printable
  size_t names = 1;  // that it tells
};

// The names, of a set with those that are alike but for a number as one; without empty ones.
std::vector<NamePiece> NamePieces(std::span<const std::string_view> names, bool is_set, bool utf8);

// Appends the pieces that fit in `cells`, then ", +3" for the names that do not. Where no piece
// fits, one name cut as AppendCut does.
void AppendNameList(std::span<const std::string_view> names, bool is_set, size_t cells, bool utf8,
                    std::string* out);

// Of a cell of CellType::texts.
void AppendNamesOfCell(const ReportColumn& column, size_t row, size_t cells, bool utf8,
                       std::string* out);

}  // namespace tfprof
