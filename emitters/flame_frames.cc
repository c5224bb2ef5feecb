// SPDX-License-Identifier: Apache-2.0
#include "emitters/flame_frames.h"

#include <algorithm>

#include "core/units.h"
#include "emitters/cells.h"
#include "emitters/notes.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

std::string Printable(std::string_view text) {
  std::string printable;
  AppendPrintable(text, true, &printable);
  return printable;
}

std::string SentenceCase(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] -= 'a' - 'A';
  return sentence;
}

bool IsRoot(const FlameFrame& frame) { return frame.depth == 0; }

// The first selected measure that the profile has, else the first selected one.
const ReportColumn* TotalsOf(const Report& report) {
  const ReportColumn* first = nullptr;
  for (const ReportColumn& column : report.tables[0].columns) {
    if (column.spec.role != ColumnRole::total || !column.spec.shown) continue;
    if (WholeOf(report, MeasureId(column)) != kNoInt) return &column;
    if (first == nullptr) first = &column;
  }
  return first;
}

// By row: its total, or more where children that are not negative need more.
std::vector<int64_t> Widths(const Table& table, const ReportColumn& totals, Flame* flame) {
  std::vector<int64_t> own(table.rows), width(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const int64_t total = totals.Integer(row);
    if (total == kNoInt) continue;
    own[row] = WrapAdd(own[row], total);
    const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
    if (has_parent) own[table.parent[row]] = WrapAdd(own[table.parent[row]], -total);
  }
  for (size_t row = table.rows; row-- > 0;) {
    if (own[row] < 0) ++flame->negative;
    width[row] = SaturatingAdd(width[row], std::max<int64_t>(own[row], 0));
    const bool has_parent = table.tree && table.parent[row] != Table::kNoRow;
    if (has_parent) {
      int64_t& above = width[table.parent[row]];
      above = SaturatingAdd(above, width[row]);
    }
  }
  return width;
}

// Closes the frames that are open from `depth` on: what follows is not below them.
void Close(uint32_t depth, std::vector<uint32_t>* open, Flame* flame) {
  const auto next = static_cast<uint32_t>(flame->frames.size());
  for (; open->size() > depth; open->pop_back()) flame->frames[open->back()].end = next;
}

Result<void> AddFrames(const Table& table, const std::vector<int64_t>& width, Flame* flame,
                       Context& context) {
  std::vector<uint32_t> open;
  // The rows of a list stand below a frame for all of them.
  const uint32_t shift = table.tree ? 0 : 1;
  if (!table.tree || table.rows == 0) {
    int64_t sum = 0;
    for (const int64_t one : width) sum = SaturatingAdd(sum, one);
    flame->frames.push_back({.total = sum});
    open.push_back(0);
  }
  for (uint32_t row = 0; row < table.PrintedRows(); ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    const uint32_t depth = (table.tree ? table.depth[row] : 0) + shift;
    if (width[row] == 0 && depth > 0) continue;  // and so are all rows below it
    Close(depth, &open, flame);
    open.push_back(static_cast<uint32_t>(flame->frames.size()));
    flame->frames.push_back({.row = row, .depth = depth, .total = width[row]});
  }
  Close(0, &open, flame);
  return {};
}

// Children come after their parents and end where the next one begins.
void SetSelf(Flame* flame) {
  std::vector<uint32_t> path;
  for (uint32_t i = 0; i < flame->frames.size(); ++i) {
    FlameFrame& frame = flame->frames[i];
    frame.self = frame.total;
    path.resize(frame.depth);
    if (!path.empty()) {
      int64_t& above = flame->frames[path.back()].self;
      above = std::max<int64_t>(SaturatingAdd(above, -frame.total), 0);
    }
    path.push_back(i);
  }
}

std::string_view TextCell(const Report& report, std::string_view id, uint32_t row) {
  const ReportColumn* column = report.tables[0].Find(id);
  return column != nullptr ? column->texts[row] : std::string_view();
}

std::span<const NodeId> NodesOf(const Table& table, uint32_t row) {
  if (row < table.node.size()) return {&table.node[row], 1};
  if (row + 1 >= table.first_member.size()) return {};
  const uint32_t first = table.first_member[row];
  return std::span(table.members).subspan(first, table.first_member[row + 1] - first);
}

}  // namespace

Result<Flame> FlameOf(const Report& report, Context& context) {
  const ReportColumn* totals = TotalsOf(report);
  if (totals == nullptr) {
    return Fail(ErrorKind::usage, "-select: a flame graph needs a measure", {},
                "for example -select micros");
  }
  Flame flame;
  for (const MeasureInfo& info : AllMeasures()) {
    if (info.id != MeasureId(*totals)) continue;
    flame.measure = info.measure;
    flame.title = info.title;
    flame.unit = info.unit;
  }
  const Table& table = report.tables[0];
  TFPROF_TRY(AddFrames(table, Widths(table, *totals, &flame), &flame, context));
  SetSelf(&flame);
  return flame;
}

int64_t LeastToKeep(const Flame& flame, size_t most) {
  if (flame.frames.size() <= most) return 0;
  std::vector<int64_t> totals;
  for (const FlameFrame& frame : flame.frames) totals.push_back(frame.total);
  const auto last = totals.begin() + static_cast<ptrdiff_t>(most);
  std::nth_element(totals.begin(), last, totals.end(), std::greater<>());
  return SaturatingAdd(*last, 1);
}

size_t CutSmall(int64_t least, Flame* flame) {
  const std::vector<FlameFrame> all = std::move(flame->frames);
  flame->frames.clear();
  std::vector<uint32_t> open;      // frames that are kept
  std::vector<FlameFrame> smalls;  // of each: what was taken from below it
  size_t gone = 0;
  const auto close = [&](uint32_t depth) {
    for (; open.size() > depth; open.pop_back(), smalls.pop_back()) {
      if (smalls.back().small > 0) flame->frames.push_back(smalls.back());
      const auto next = static_cast<uint32_t>(flame->frames.size());
      flame->frames[open.back()].end = next;
      if (smalls.back().small > 0) flame->frames.back().end = next;
    }
  };
  for (uint32_t i = 0; i < all.size(); ++i) {
    const FlameFrame& frame = all[i];
    close(frame.depth);
    if (frame.depth > 0 && frame.total < least) {
      FlameFrame& small = smalls.back();
      small.depth = frame.depth;
      small.total = small.self = SaturatingAdd(small.total, frame.total);
      small.small += frame.end - i;
      gone += frame.end - i;
      i = frame.end - 1;
      continue;
    }
    open.push_back(static_cast<uint32_t>(flame->frames.size()));
    smalls.emplace_back();
    flame->frames.push_back(frame);
  }
  close(0);
  return gone;
}

std::string FrameName(const Report& report, const FlameFrame& frame) {
  if (frame.small > 0) return "(" + std::to_string(frame.small) + " small)";
  if (IsRoot(frame)) return "all";
  return Printable(TextCell(report, "name", frame.row));
}

std::string FrameLabel(const Report& report, const FlameFrame& frame) {
  if (frame.row == Table::kNoRow || IsRoot(frame) || report.view != "scope") {
    return FrameName(report, frame);
  }
  std::string_view name = TextCell(report, "name", frame.row);
  const std::string_view above = TextCell(report, "name", report.tables[0].parent[frame.row]);
  const bool below = name.size() > above.size() && name.starts_with(above);
  if (below && name[above.size()] == '/') name.remove_prefix(above.size() + 1);
  return Printable(name);
}

std::string FrameKind(const Report& report, const FlameFrame& frame) {
  if (frame.row == Table::kNoRow || IsRoot(frame)) return {};
  if (report.view == "code") {
    const std::string_view file = TextCell(report, "file", frame.row);
    return Printable(file.substr(file.rfind('/') + 1));  // npos + 1: all of it
  }
  if (report.view == "op") return FrameName(report, frame);
  const NodeId node = report.tables[0].node[frame.row];
  return node.some() ? Printable(report.store->Text(report.store->nodes[node.value].type)) : "";
}

std::string FrameDevice(const Report& report, const FlameFrame& frame) {
  const auto& lanes = report.node_facts.counting_lane;
  if (frame.row == Table::kNoRow || IsRoot(frame) || lanes == nullptr) return {};
  LaneId device;
  for (const NodeId node : NodesOf(report.tables[0], frame.row)) {
    const LaneId lane = node.some() ? (*lanes)[node.value] : LaneId();
    if (!lane.some()) continue;
    if (device.some() && device != lane) return {};
    device = lane;
  }
  if (!device.some()) return {};
  return Printable(report.store->Text(report.store->lanes[device.value].display));
}

int64_t FrameRuns(const Report& report, const FlameFrame& frame) {
  const auto& totals = report.tables[0].total_values;
  return frame.row < totals.size() ? At(totals[frame.row], Measure::run_count) : kNoInt;
}

std::string FlameTitle(const Report& report, const Flame& flame) {
  constexpr std::pair<std::string_view, std::string_view> kBy[] = {{"code", " by line of code"},
                                                                   {"scope", " by name scope"},
                                                                   {"graph", " along the graph"},
                                                                   {"op", " by operation"}};
  std::string title = SentenceCase(flame.title);
  for (const auto& [view, by] : kBy) {
    if (report.view == view) title += by;
  }
  const Property* step = report.Find("step");
  const Property* steps = report.Find("steps");
  if (step == nullptr || steps == nullptr || steps->integer == 0) return title;
  if (step->type == CellType::integer) return title + ", step " + std::to_string(step->integer);
  if (steps->integer == 1) return title;
  return title + ", average of " + std::to_string(steps->integer) + " steps";
}

std::string FlameSources(const Report& report) {
  const auto& sources = report.store->sources;
  if (sources.empty()) return {};
  const size_t others = sources.size() - 1;
  return Printable(sources[0].path) +
         (others > 0 ? " and " + std::to_string(others) + " more" : "");
}

std::string_view FlameUnit(const Flame& flame) {
  if (flame.measure == Measure::run_count) return "runs";
  if (flame.measure == Measure::definition_count) return "nodes";
  return UnitName(flame.unit);
}

std::string FlameAmount(const Flame& flame, int64_t value) {
  std::string text = Human(value, flame.unit);
  const bool has_unit = flame.unit == Unit::us || flame.unit == Unit::bytes;
  if (!has_unit) text.append(" ").append(FlameUnit(flame));
  return text;
}

std::vector<std::string> FlameNotes(const Report& report, const Flame& flame, size_t cut,
                                    int64_t least) {
  std::vector<std::string> notes;
  if (cut > 0) {
    notes.push_back(std::to_string(cut) + " frames below " + FlameAmount(flame, least) +
                    " are drawn as (N small)");
  }
  if (flame.negative > 0) {
    notes.push_back(std::to_string(flame.negative) + " rows are below 0 and drawn as nothing");
  }
  for (const Note& note : report.notes) notes.push_back(Printable(NoteText(note)));
  return notes;
}

}  // namespace tfprof
