// SPDX-License-Identifier: Apache-2.0
#include "emitters/distinct_cuts.h"

#include <algorithm>

#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kMostRounds = 4;   // rows may agree in one place of difference and not in the next
constexpr size_t kWideEnough = 24;  // cells: for the beginning of a name and what is around a place
constexpr size_t kMostRows = 20'000;  // of a table that somebody may read: its texts are kept
constexpr size_t kRowsPerPoll = 4096;

// A cell that is wider than its column.
struct WideCell {
  size_t row = 0;
  size_t cells = 0;  // that it may take
  std::string text;
  std::string cut;
};
using Group = std::vector<WideCell>;

// Those that look alike, of which some are not; the others are left out.
std::vector<Group> Alike(Group cells) {
  std::unordered_map<std::string, Group> by_cut;
  for (WideCell& cell : cells) by_cut[cell.cut].push_back(std::move(cell));
  std::vector<Group> groups;
  for (auto& [cut, group] : by_cut) {
    const std::string& first = group.front().text;
    const bool differ = std::any_of(group.begin(), group.end(),
                                    [&](const WideCell& cell) { return cell.text != first; });
    if (differ) groups.push_back(std::move(group));
  }
  return groups;
}

bool BeginsLetter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// Bytes that all begin with, whole letters.
size_t SharedBytes(const Group& group) {
  const std::string& first = group.front().text;
  size_t shared = first.size();
  for (const WideCell& cell : group) {
    const auto end = std::mismatch(first.begin(), first.begin() + static_cast<ptrdiff_t>(shared),
                                   cell.text.begin(), cell.text.end());
    shared = static_cast<size_t>(end.first - first.begin());
  }
  while (shared > 0 && shared < first.size() && !BeginsLetter(first[shared])) --shared;
  return shared;
}

// The byte `letters` letters before `at`.
size_t Before(const std::string& text, size_t at, size_t letters) {
  for (; at > 0 && letters > 0; --letters) {
    --at;
    while (at > 0 && !BeginsLetter(text[at])) --at;
  }
  return at;
}

// Cuts the text so that what stands around the byte `place` is seen, behind its beginning where
// there is room for both.
std::string CutAround(const WideCell& cell, size_t place, bool utf8) {
  const std::string_view mark = utf8 ? "…" : "..";
  const size_t mark_width = utf8 ? 1 : 2;
  const size_t head = cell.cells >= kWideEnough ? cell.cells / 4 : 0;
  const size_t room = cell.cells - head - mark_width;
  const size_t from = Before(cell.text, place, room / 4);
  const std::string_view text = cell.text;
  std::string cut;
  if (CellWidth(text.substr(0, from)) <= head + mark_width) {  // nothing to leave out before it
    AppendPrefix(text, cell.cells - mark_width, &cut);
    return cut.append(mark);
  }
  AppendPrefix(text, head, &cut);
  cut += mark;
  if (CellWidth(text.substr(from)) <= room) {
    AppendSuffix(text, room, &cut);
    return cut;
  }
  AppendPrefix(text.substr(from), room - mark_width, &cut);
  return cut.append(mark);
}

// Of cells that look alike.
void CutGroup(Group group, bool utf8, DistinctCuts* cuts) {
  std::vector<Group> groups;
  groups.push_back(std::move(group));
  for (size_t round = 0; round < kMostRounds && !groups.empty(); ++round) {
    std::vector<Group> left;
    for (Group& alike : groups) {
      const size_t place = SharedBytes(alike);
      for (WideCell& cell : alike) {
        cell.cut = CutAround(cell, place, utf8);
        (*cuts)[cell.row] = cell.cut;
      }
      for (Group& still : Alike(std::move(alike))) left.push_back(std::move(still));
    }
    groups = std::move(left);
  }
}

Result<DistinctCuts> CutColumn(const Layout& layout, const LaidColumn& column, Context& context) {
  Group wide;
  for (size_t row = 0; row < layout.table->PrintedRows(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    WideCell cell{row, 0, {}, {}};
    AppendHumanCell(layout, column, row, 0, &cell.text);
    cell.cells = column.width - Indent(layout, column, row, cell.text);
    if (cell.cells < 4 || CellWidth(cell.text) <= cell.cells) continue;
    AppendCut(cell.text, cell.cells, layout.utf8, &cell.cut);
    wide.push_back(std::move(cell));
  }
  DistinctCuts cuts;
  for (Group& alike : Alike(std::move(wide))) CutGroup(std::move(alike), layout.utf8, &cuts);
  return cuts;
}

}  // namespace

Result<std::vector<DistinctCuts>> CutApart(const Layout& layout, Context& context) {
  std::vector<DistinctCuts> cuts(layout.columns.size());
  if (layout.table->PrintedRows() > kMostRows) return cuts;
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    const LaidColumn& column = layout.columns[i];
    if (column.kind != LaidColumn::Kind::cell || column.right || !column.narrowed) continue;
    TFPROF_ASSIGN(cuts[i], CutColumn(layout, column, context));
  }
  return cuts;
}

}  // namespace tfprof
