// SPDX-License-Identifier: Apache-2.0
#include "emitters/name_lists.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/report/alike_names.h"
#include "core/text/number_ranges.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kMinAlike = 2;  // names of a set that are merged into one piece
constexpr std::string_view kBetween = ", ";

NamePiece PieceOf(std::span<const std::string_view> names, bool utf8) {
  NamePiece piece{{}, names.size()};
  AppendPrintable(names.size() == 1 ? std::string(names[0]) : WithRanges(names), utf8, &piece.text);
  return piece;
}

size_t CountNames(std::span<const NamePiece> pieces) {
  size_t names = 0;
  for (const NamePiece& piece : pieces) names += piece.names;
  return names;
}

std::string MoreNames(size_t names) {
  return names == 0 ? std::string() : fmt::format("{}+{}", kBetween, names);
}

std::string FirstName(std::span<const std::string_view> names, bool utf8) {
  const auto first =
      std::find_if(names.begin(), names.end(), [](auto name) { return !name.empty(); });
  return first == names.end() ? std::string() : PieceOf({&*first, 1}, utf8).text;
}

// Returns the pieces that fit together with the count of the omitted names; if the first piece does
// not fit, its first name. May be empty.
std::string FittingNames(std::span<const NamePiece> pieces, const std::string& first,
                         size_t cells) {
  std::string list;
  size_t left = CountNames(pieces), width = 0;
  const auto add = [&](const std::string& text, size_t names) {
    const size_t longer = width + (list.empty() ? 0 : kBetween.size()) + CellWidth(text);
    if (longer + MoreNames(left - names).size() > cells) return false;
    list.append(list.empty() ? "" : kBetween).append(text);
    width = longer;
    left -= names;
    return true;
  };
  for (const NamePiece& piece : pieces) {
    if (!add(piece.text, piece.names) && &piece == pieces.data()) add(first, 1);
  }
  return list.empty() ? list : list + MoreNames(left);
}

}  // namespace

std::vector<NamePiece> NamePieces(std::span<const std::string_view> names, bool is_set, bool utf8) {
  std::vector<NamedRow> rows;
  for (const std::string_view name : names) {
    if (!name.empty()) rows.push_back({name});
  }
  std::vector<NamePiece> pieces;
  if (!is_set || rows.size() < kMinAlike) {
    for (const NamedRow& row : rows) pieces.push_back(PieceOf({&row.name, 1}, utf8));
    return pieces;
  }
  const RowGroups alike = GroupAlike(rows, 1, kMinAlike);
  for (size_t group = 0; group < alike.size(); ++group) {
    std::vector<std::string_view> members;
    for (const uint32_t row : alike[group]) members.push_back(rows[row].name);
    if (!members.empty()) pieces.push_back(PieceOf(members, utf8));
  }
  return pieces;
}

void AppendNameList(std::span<const std::string_view> names, bool is_set, size_t cells, bool utf8,
                    std::string* out) {
  const std::vector<NamePiece> pieces = NamePieces(names, is_set, utf8);
  const size_t count = CountNames(pieces);
  if (count == 0) return;
  const std::string first = FirstName(names, utf8), more = MoreNames(count - 1);
  std::string list = FittingNames(pieces, first, cells);
  if (list.empty()) {
    AppendCut(first, cells - std::min(cells, more.size()), utf8, &list);
    list += more;
  }
  out->append(list);
}

void AppendNamesOfCell(const ReportColumn& column, size_t row, size_t cells, bool utf8,
                       std::string* out) {
  AppendNameList(column.lists[row], column.spec.folds == Folds::any, cells, utf8, out);
}

}  // namespace tfprof
