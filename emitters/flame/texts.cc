// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <unordered_map>

#include "core/report/fold.h"
#include "core/report/table_def.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/flame/frames.h"
#include "emitters/notes.h"
#include "emitters/printable.h"

// Texts of frames and of the whole graph.

namespace tfprof {
namespace {

std::string SentenceCase(std::string_view text) {
  std::string sentence(text);
  if (!sentence.empty() && sentence[0] >= 'a' && sentence[0] <= 'z') sentence[0] -= 'a' - 'A';
  return sentence;
}

bool IsRoot(const FlameFrame& frame) { return frame.depth == 0; }

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

// Returns the heaviest kind; ties go to the first by name.
std::string CostliestKind(const std::unordered_map<std::string, int64_t>& sums) {
  const std::pair<const std::string, int64_t>* best = nullptr;
  for (const auto& one : sums) {
    const bool better = best == nullptr || one.second > best->second ||
                        (one.second == best->second && one.first < best->first);
    if (better) best = &one;
  }
  return best == nullptr ? std::string() : best->first;
}

// Returns "step 3", "mean of 3 steps", of a trace also "sum of 2 devices, 6 steps"; empty: a single
// step.
std::string StepsText(const Report& report) {
  const Property* step = report.Find("step");
  const Property* steps = report.Find("steps");
  if (step == nullptr || steps == nullptr || steps->integer == 0) return {};
  const bool is_trace = steps->integer == kNoInt;
  if (is_trace && step->text == "all") return step->display_text;
  if (step->type == CellType::integer) {
    const bool is_sum = is_trace && !step->display_text.empty();
    return is_sum ? step->display_text : "step " + std::to_string(step->integer);
  }
  if (step->text == "all") return {};
  if (is_trace) return "steps " + step->text;  // sums, not averages
  return steps->integer == 1 ? std::string() : step->text;
}

}  // namespace

std::string FrameName(const Report& report, const FlameFrame& frame) {
  if (frame.small > 0) return "(" + std::to_string(frame.small) + " small)";
  if (IsRoot(frame)) return "all";
  if (frame.row == Table::kNoRow) return std::string(kUntraced);
  return PrintableText(TextCell(report, "name", frame.row));
}

std::string FrameLabel(const Report& report, const FlameFrame& frame) {
  if (frame.row == Table::kNoRow || IsRoot(frame) || RowNamesOf(report) != RowNames::scopes) {
    return FrameName(report, frame);
  }
  std::string_view name = TextCell(report, "name", frame.row);
  const std::string_view above = TextCell(report, "name", report.tables[0].parent[frame.row]);
  const bool below = name.size() > above.size() && name.starts_with(above);
  if (below && name[above.size()] == '/') name.remove_prefix(above.size() + 1);
  return PrintableText(name);
}

void AppendFoldedLabel(const Report& report, const FlameFrame& frame, std::string* out) {
  for (const char& c : FrameLabel(report, frame)) {
    out->append(c == ';' ? "\\x3b" : std::string_view(&c, 1));
  }
}

std::string FrameKind(const Report& report, const FlameFrame& frame) {
  if (frame.row == Table::kNoRow || IsRoot(frame)) return {};
  if (RowNamesOf(report) == RowNames::frames) {
    const std::string_view file = TextCell(report, "file", frame.row);
    return PrintableText(file.substr(file.rfind('/') + 1));  // npos + 1: the whole text
  }
  if (RowNamesOf(report) == RowNames::types) return FrameName(report, frame);
  NodeId node = report.tables[0].node[frame.row];
  const std::span<const std::string_view> folded = FoldedNames(report.tables[0], frame.row);
  if (!folded.empty()) node = report.store->NodeNamed(report.store->names.Find(folded[0]));
  return node.some() ? PrintableText(report.store->Text(report.store->nodes[node.value].type)) : "";
}

std::string FrameDevice(const Report& report, const FlameFrame& frame) {
  const auto& lanes = report.node_facts.counting_lane;
  if (frame.row == Table::kNoRow || IsRoot(frame) || lanes == nullptr) return {};
  std::vector<LaneId> devices, of_node;
  for (const NodeId node : NodesOf(report.tables[0], frame.row)) {
    of_node.clear();
    if (node.some()) lanes->Each(node, [&](LaneId lane) { of_node.push_back(lane); });
    if (of_node.empty()) continue;
    if (!devices.empty() && devices != of_node) return {};
    devices.swap(of_node);
  }
  std::string text;
  for (const LaneId device : devices) {
    if (!text.empty()) text += ", ";
    text += PrintableText(report.store->Text(report.store->lanes[device.value].display));
  }
  return text;
}

int64_t FrameRuns(const Report& report, const FlameFrame& frame) {
  const auto& totals = report.tables[0].total_values;
  return frame.row < totals.size() ? At(totals[frame.row], Measure::run_count) : kNoInt;
}

std::string FlameTitle(const Report& report, const Flame& flame) {
  constexpr std::pair<RowNames, std::string_view> kBy[] = {{RowNames::frames, " by line of code"},
                                                           {RowNames::scopes, " by name scope"},
                                                           {RowNames::nodes, " along the graph"},
                                                           {RowNames::types, " by operation"}};
  std::string title =
      flame.has_base ? "Change of " + std::string(flame.title) : SentenceCase(flame.title);
  for (const auto& [names, by] : kBy) {
    if (RowNamesOf(report) == names) title += by;
  }
  const std::string steps = StepsText(report);
  if (!steps.empty()) title += ", " + steps;
  const std::string of_base = flame.has_base ? StepsText(*report.base) : "";
  return of_base == steps || of_base.empty() ? title : title + ", base " + of_base;
}

std::string FlameSources(const Report& report) {
  const auto& sources = report.store->sources;
  if (sources.empty()) return {};
  const size_t others = sources.size() - 1;
  const std::string text = PrintableText(sources[0].path) +
                           (others > 0 ? " and " + std::to_string(others) + " more" : "");
  if (report.base == nullptr || report.base->store == report.store) return text;
  return text + ", base " + FlameSources(*report.base);
}

std::string_view FlameUnit(const Flame& flame) {
  if (flame.measure == Measure::run_count) return "runs";
  if (flame.measure == Measure::definition_count) return "nodes";
  return UnitName(flame.unit);
}

std::string FlameAmount(const Flame& flame, int64_t value) {
  std::string text = Human(value, flame.unit, flame.divisor);
  const bool has_unit = IsTime(flame.measure) || flame.unit == Unit::bytes;
  if (!has_unit) text.append(" ").append(FlameUnit(flame));
  return text;
}

std::vector<std::string> FlameNotes(const Report& report, const Flame& flame, size_t cut,
                                    int64_t min) {
  std::vector<std::string> notes;
  if (flame.has_base) {
    notes.push_back("width: this profile; red: more than in the base, blue: less");
    double gone = 0;
    for (const GoneFrame& frame : flame.gone) gone += frame.self;
    if (!flame.gone.empty()) {
      notes.push_back(Counted(static_cast<int64_t>(flame.gone.size()), "frame") +
                      " only in the base, not drawn: " + FlameAmount(flame, std::llround(gone)));
    }
  }
  if (cut > 0) {
    notes.push_back(std::to_string(cut) + " frames below " + FlameAmount(flame, min) +
                    " are merged into (N small)");
  }
  if (flame.negative > 0) {
    notes.push_back(std::to_string(flame.negative) + " rows are negative and not drawn");
  }
  const std::string folded = FoldedText(report, "-fold=false");
  if (!folded.empty()) notes.push_back(folded);
  for (const Note& note : report.notes) {
    const std::string_view id = note.what.row->id;
    const bool of_flops = id == note::flops_known.id || id == note::flops_known_of_time.id;
    if (of_flops && flame.measure != Measure::float_ops) continue;  // it has all measures
    notes.push_back(PrintableText(NoteText(note)));
  }
  return notes;
}

std::vector<std::string> DominantKinds(const Report& report, const Flame& flame) {
  const size_t count = flame.frames.size();
  std::vector<uint32_t> parent(count), path;
  for (uint32_t i = 0; i < count; ++i) {
    path.resize(flame.frames[i].depth);
    parent[i] = path.empty() ? 0 : path.back();
    path.push_back(i);
  }
  // In reverse order, so that all children of a frame come first. The smaller map goes into the
  // larger.
  std::vector<std::unordered_map<std::string, int64_t>> sums(count);
  std::vector<std::string> dominant(count);
  for (size_t i = count; i-- > 0;) {
    const std::string own = FrameKind(report, flame.frames[i]);
    if (!own.empty()) sums[i][own] = SaturatingAdd(sums[i][own], flame.frames[i].self);
    const std::string costliest_kind = CostliestKind(sums[i]);
    dominant[i] = own.empty() ? costliest_kind : own;
    if (i == 0) break;
    auto& above = sums[parent[i]];
    if (above.size() < sums[i].size()) above.swap(sums[i]);
    for (const auto& [kind, self] : sums[i]) above[kind] = SaturatingAdd(above[kind], self);
    sums[i].clear();
  }
  return dominant;
}

void AppendMarkup(std::string_view text, std::string* out) {
  constexpr std::string_view kForbidden = "\xef\xbf";  // U+FFFE: EF BF BE, U+FFFF: EF BF BF
  for (size_t at = 0; at < text.size(); ++at) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with(kForbidden) && rest.size() > 2 &&
        (rest[2] == '\xbe' || rest[2] == '\xbf')) {
      out->append(rest[2] == '\xbe' ? "\\xef\\xbf\\xbe" : "\\xef\\xbf\\xbf");
      at += 2;
      continue;
    }
    switch (rest[0]) {
      case '<': out->append("&lt;"); break;
      case '>': out->append("&gt;"); break;
      case '&': out->append("&amp;"); break;
      case '"': out->append("&quot;"); break;
      case '\'': out->append("&#39;"); break;
      default: out->push_back(rest[0]);
    }
  }
}

}  // namespace tfprof
