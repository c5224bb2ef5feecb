// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

// Lists of names for readers: `/device:GPU:{0..7}, /host:CPU`. A list is cut between its members
// and ends with the number of omitted names, since a name cut in half reads as another name.

namespace tfprof {

struct NamePiece {
  std::string text;  // printable
  size_t names = 1;  // number of names in it
};

// Returns the non-empty names as pieces; names of a set that differ only in a number share one
// piece.
std::vector<NamePiece> NamePieces(std::span<const std::string_view> names, bool is_set, bool utf8);

// Appends the pieces that fit in `cells`, then ", +3" for the names that do not. If no piece fits,
// appends one name cut as AppendCut does.
void AppendNameList(std::span<const std::string_view> names, bool is_set, size_t cells, bool utf8,
                    std::string* out);

// Appends the names of a cell of CellType::texts.
void AppendNamesOfCell(const ReportColumn& column, size_t row, size_t cells, bool utf8,
                       std::string* out);

}  // namespace tfprof
