// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/parts.h"

#include <algorithm>
#include <iterator>
#include <unordered_set>

#include "core/base/context.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kWideEnough =
    24;  // cells: enough for the beginning of a name and the context of a difference

// A printable text that is wider than `cells`, and the byte offsets, ascending, that must stay
// visible because the text differs there from similar ones. The text's size as an offset means its
// end.
struct WideText {
  std::string_view text;
  size_t cells = 0;
  std::vector<size_t> places;
};

// The letters that are kept; each gap between them is as wide as its mark.
struct Kept {
  Kept(const WideText& wide, bool utf8)
      : text(wide.text), cells(wide.cells), mark(utf8 ? "…" : ".."), mark_width(utf8 ? 1 : 2) {
    for (size_t at = 0; at < text.size(); ++at) {
      const bool continues = (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80;
      if (at == 0 || !continues) begin.push_back(at);
    }
    kept.assign(begin.size(), false);
    used = mark_width;
  }

  size_t size() const { return begin.size(); }
  std::string_view Letter(size_t i) const {
    const size_t end = i + 1 < size() ? begin[i + 1] : text.size();
    return text.substr(begin[i], end - begin[i]);
  }
  // Returns the letter at byte `at`; at the end of the text, the last letter.
  size_t LetterAt(size_t at) const {
    const auto next = std::upper_bound(begin.begin(), begin.end(), at);
    return static_cast<size_t>(next - begin.begin()) - 1;
  }

  // Keeps the letter if there is room. Returns true if it is kept now.
  bool Keep(size_t i) {
    if (kept[i]) return true;
    const bool gap_before = i > 0 && !kept[i - 1], gap_after = i + 1 < size() && !kept[i + 1];
    size_t now = used + CellWidth(Letter(i));
    if (gap_before && gap_after) now += mark_width;
    if (!gap_before && !gap_after) now -= mark_width;
    if (now > cells) return false;
    used = now;
    return kept[i] = true;
  }
  void KeepFrom(size_t i, size_t letters) {
    for (const size_t end = std::min(i + letters, size()); i < end && Keep(i);) ++i;
  }
  void KeepBefore(size_t i, size_t letters) {
    for (; letters > 0 && i > 0 && Keep(i - 1); --letters) --i;
  }

  std::string Text() const {
    std::string out;
    for (size_t i = 0; i < size(); ++i) {
      if (kept[i]) {
        out += Letter(i);
      } else if (i == 0 || kept[i - 1]) {
        out += mark;
      }
    }
    return out;
  }

  std::string_view text;
  size_t cells;
  std::string_view mark;
  size_t mark_width;
  std::vector<size_t> begin;  // start of each letter
  std::vector<bool> kept;
  size_t used;  // cells
};

// Keeps letters around each of `letters`, more after it than before it.
void KeepAround(const std::vector<size_t>& letters, Kept* kept) {
  const size_t before = (kept->cells - kept->used) / 4 / letters.size();
  for (const size_t letter : letters) kept->KeepBefore(letter, before);
  for (size_t step = 1, grown = letters.size(); grown > 0; ++step) {
    grown = 0;
    for (const size_t letter : letters) {
      const size_t next = letter + step;
      grown += next < kept->size() && kept->kept[next - 1] && kept->Keep(next) ? 1 : 0;
    }
  }
}

constexpr size_t kMaxRounds = 6;  // names may agree at one place of difference and not at the next
constexpr size_t kMaxRows = 20'000;  // a table that may still be read; its texts are kept in memory
constexpr size_t kMinCells = 4;      // the minimum in which names can differ visibly

// Returns the letters at those places and, while there is room, in this order: the last part of a
// path, the beginning of another name, the context of the places, the beginning. `…` replaces
// omitted text. `bare`: keeps only the letters at the places. Two texts that first differ at a
// place of both, and have the same places before it, then differ for sure.
std::string CutAround(const WideText& wide, bool utf8, bool bare) {
  Kept kept(wide, utf8);
  std::vector<size_t> letters;
  for (const size_t place : wide.places) {
    const size_t letter = kept.LetterAt(place);
    if (kept.Keep(letter)) letters.push_back(letter);
  }
  if (bare || letters.empty()) return kept.Text();
  const size_t last = LastPart(wide.text);
  if (last > 0) {
    const size_t letters_kept = kept.size() - kept.LetterAt(last);
    kept.KeepBefore(kept.size(), std::min(letters_kept, wide.cells / 2));
  } else if (wide.cells >= kWideEnough) {
    kept.KeepFrom(0, wide.cells / 4);
  }
  KeepAround(letters, &kept);
  return kept.Text();
}

// A cell that is wider than its column.
struct WideCell {
  size_t row = 0;
  size_t cells = 0;  // available width
  std::string text;
  std::string cut;
  std::vector<size_t> places;  // WideText::places; empty: AppendCut cuts it
};
using Group = std::vector<WideCell*>;

// Returns the groups of different texts whose cuts look alike, ordered by text.
std::vector<Group> Alike(const Group& cells) {
  std::unordered_map<std::string_view, Group> by_cut;
  for (WideCell* cell : cells) by_cut[cell->cut].push_back(cell);
  std::vector<Group> groups;
  for (auto& [cut, group] : by_cut) {
    std::sort(group.begin(), group.end(),
              [](const WideCell* a, const WideCell* b) { return a->text < b->text; });
    if (group.front()->text != group.back()->text) groups.push_back(std::move(group));
  }
  return groups;
}

void Cut(bool utf8, bool bare, const Group& cells) {
  for (WideCell* cell : cells) {
    cell->cut = CutAround({cell->text, cell->cells, cell->places}, utf8, bare);
  }
}

size_t SharedBytes(const WideCell& a, const WideCell& b) {
  const auto ends = std::mismatch(a.text.begin(), a.text.end(), b.text.begin(), b.text.end());
  return static_cast<size_t>(ends.first - a.text.begin());
}

// Returns where the texts of a group of Alike diverge.
size_t PlaceOf(const Group& group) { return SharedBytes(*group.front(), *group.back()); }

// Shows in each text where it diverges from those that looked like it: one place, which is easy to
// read. Cells that diverged earlier may look alike again.
void ShowOnePlace(std::vector<Group> groups, bool utf8) {
  for (size_t round = 0; round < kMaxRounds && !groups.empty(); ++round) {
    std::vector<Group> left;
    for (const Group& group : groups) {
      for (WideCell* cell : group) cell->places = {PlaceOf(group)};
      Cut(utf8, false, group);
      for (Group& alike : Alike(group)) left.push_back(std::move(alike));
    }
    groups = std::move(left);
  }
}

// Shows another place in texts that look alike. Returns the groups that still look alike.
std::vector<Group> ShowMorePlaces(std::vector<Group> groups, bool utf8, const Group& all) {
  for (size_t round = 0; round < kMaxRounds && !groups.empty(); ++round) {
    for (const Group& group : groups) {
      const size_t place = PlaceOf(group);
      for (WideCell* cell : group) {
        const auto at = std::lower_bound(cell->places.begin(), cell->places.end(), place);
        if (at == cell->places.end() || *at != place) cell->places.insert(at, place);
      }
      Cut(utf8, false, group);
    }
    groups = Alike(all);
  }
  return groups;
}

// Gives each cell all places where it first differs from another cell of the ordered group: the
// prefix shared with its neighbor, if they differ, and the shorter prefixes shared with cells
// beyond the neighbor.
void TakeAllPlaces(const Group& group) {
  std::vector<size_t> open;  // ascending
  const auto take = [&](WideCell* cell, const WideCell& next) {
    if (cell->text != next.text) {
      const size_t shared = SharedBytes(*cell, next);
      while (!open.empty() && open.back() >= shared) open.pop_back();
      open.push_back(shared);
    }
    std::vector<size_t> both;
    std::set_union(open.begin(), open.end(), cell->places.begin(), cell->places.end(),
                   std::back_inserter(both));
    cell->places = std::move(both);
  };
  for (WideCell* cell : group) cell->places.clear();
  for (size_t i = 1; i < group.size(); ++i) take(group[i], *group[i - 1]);
  open.clear();
  for (size_t i = group.size() - 1; i-- > 0;) take(group[i], *group[i + 1]);
}

// Merges `groups` and all cells that were cut again earlier into one ordered group: cells that were
// already distinct stay distinct.
Group Together(const std::vector<Group>& groups, const Group& all) {
  std::unordered_set<const WideCell*> alike;
  for (const Group& group : groups) alike.insert(group.begin(), group.end());
  Group together;
  for (WideCell* cell : all) {
    if (!cell->places.empty() || alike.count(cell) > 0) together.push_back(cell);
  }
  std::sort(together.begin(), together.end(),
            [](const WideCell* a, const WideCell* b) { return a->text < b->text; });
  return together;
}

void Distinguish(const Group& all, bool utf8) {
  ShowOnePlace(Alike(all), utf8);
  std::vector<Group> groups = ShowMorePlaces(Alike(all), utf8, all);
  for (const bool bare : {false, true, true}) {
    if (groups.empty()) break;
    const Group together = Together(groups, all);
    TakeAllPlaces(together);
    Cut(utf8, bare, together);
    groups = Alike(all);
  }
}

Result<DistinctCuts> CutColumn(const Layout& layout, const LaidColumn& column, Context& context) {
  std::vector<WideCell> wide;
  for (size_t row = 0; row < layout.table->PrintedRows(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    // Lists are cut between their names (emitters/name_lists.h).
    const ReportColumn& cells = *column.column;
    if (cells.spec.type == CellType::texts && cells.lists[row].size() > 1) continue;
    WideCell cell{row, 0, {}, {}, {}};
    AppendHumanCell(layout, column, row, 0, &cell.text);
    cell.cells = column.width - Indent(layout, column, row, cell.text);
    if (cell.cells < kMinCells || CellWidth(cell.text) <= cell.cells) continue;
    AppendCut(cell.text, cell.cells, layout.utf8, &cell.cut);
    wide.push_back(std::move(cell));
  }
  Group all;
  for (WideCell& cell : wide) all.push_back(&cell);
  Distinguish(all, layout.utf8);
  DistinctCuts cuts;
  for (WideCell& cell : wide) {
    if (!cell.places.empty()) cuts[cell.row] = std::move(cell.cut);
  }
  return cuts;
}

}  // namespace

Result<std::vector<DistinctCuts>> CutDistinct(const Layout& layout, Context& context) {
  std::vector<DistinctCuts> cuts(layout.columns.size());
  if (layout.table->PrintedRows() > kMaxRows) return cuts;
  for (size_t i = 0; i < layout.columns.size(); ++i) {
    const LaidColumn& column = layout.columns[i];
    if (column.kind != LaidColumn::Kind::cell || column.right || !column.narrowed) continue;
    TFPROF_ASSIGN(cuts[i], CutColumn(layout, column, context));
  }
  return cuts;
}

}  // namespace tfprof
