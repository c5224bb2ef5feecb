// SPDX-License-Identifier: Apache-2.0
#include "cli/export/commands.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/report/keep_rows.h"
#include "core/report/table_def.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/pprof/file.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr uint32_t kDeepest = 2000;

Property* FindByOriginalId(Report& report, std::string_view id) {
  const auto at = std::find_if(report.properties.begin(), report.properties.end(),
                               [&](const Property& property) { return property.original == id; });
  return at == report.properties.end() ? nullptr : &*at;
}

// The measure that gives frames their width: the first recorded measure of the answer.
struct FirstMeasure {
  std::string_view name;
  Unit unit = Unit::none;
  int64_t divisor = 1;
  int64_t total = kNoInt;
  int64_t untraced = 0;
};

FirstMeasure FirstOf(const Report& report) {
  const std::vector<PprofType> types = PprofTypesOf(report);
  if (types.empty()) return {};
  const Measure measure = types[0].measure;
  const std::string_view id = Info(measure).id;
  return {types[0].name, report.scale.UnitOf(measure), report.scale.DivisorOf(measure),
          TotalOf(report, id), Untraced(report, id)};
}

void AddUntracedTime(Report& report) {
  const FirstMeasure first = FirstOf(report);
  if (first.total <= 0 || first.untraced <= 0) return;
  const double share = 100 * static_cast<double>(first.untraced) / static_cast<double>(first.total);
  report.notes.push_back(
      {note::With(note::untraced_share, {PercentText(share), first.name,
                                         Human(first.untraced, first.unit, first.divisor)}),
       1, "", kNoInt});
}

// For each row, the bytes of the path to it.
std::vector<int64_t> PathBytes(const Report& report) {
  const Table& table = report.tables[0];
  const ReportColumn* names = table.Find("name");
  std::vector<int64_t> bytes(table.rows);
  if (names == nullptr) return bytes;
  for (size_t row = 0; row < table.rows; ++row) {
    bytes[row] = static_cast<int64_t>(names->texts[row].size()) + 1;
    const uint32_t parent = table.parent[row];
    // A scope's name is already a path.
    if (RowNamesOf(report) == RowNames::scopes || parent == Table::kNoRow) continue;
    bytes[row] = SaturatingAdd(bytes[row], bytes[parent]);
  }
  return bytes;
}

// The deepest level, at most `deepest`, up to which all rows have no more than `max` bytes.
uint32_t DeepestToKeep(const Table& table, const std::vector<int64_t>& bytes, uint32_t deepest,
                       int64_t max) {
  std::vector<int64_t> of_level(size_t{deepest} + 1);
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.depth[row] > deepest) continue;
    int64_t& sum = of_level[table.depth[row]];
    sum = SaturatingAdd(sum, bytes[row]);
  }
  int64_t sum = 0;
  for (uint32_t level = 0; level <= deepest; ++level) {
    sum = SaturatingAdd(sum, of_level[level]);
    if (sum > max) return std::max<uint32_t>(level, 2) - 1;
  }
  return deepest;
}

void KeepLevels(uint32_t deepest, Report& report) {
  Table& table = report.tables[0];
  std::vector<uint32_t> kept;
  for (uint32_t row = 0; row < table.rows; ++row) {
    if (table.depth[row] <= deepest) kept.push_back(row);
  }
  const size_t before = table.rows;
  if (kept.size() == before) return;
  KeepRows(kept, &table);
  FollowFirst(kept, {}, before, &report);
  report.notes.push_back({note::With(note::deep_rows, {std::to_string(deepest)}),
                          static_cast<int64_t>(before - kept.size()), "", kNoInt});
}

}  // namespace

Result<void> AddUntraced(const Profile& profile, const Query& query, Report& report,
                         Context& context) {
  Query unlimited;
  unlimited.place = query.place;
  unlimited.nodes = query.nodes;
  TFPROF_ASSIGN(const Report all, Make(profile, OpView(), unlimited, context));
  for (const MeasureInfo& info : AllMeasures()) {
    const int64_t total = TotalOf(all, info.id);
    Property* traced = FindByOriginalId(report, "total_" + std::string(info.id));
    if (total == kNoInt || traced == nullptr) continue;
    Property untraced = *traced;
    untraced.id = "untraced_" + std::string(info.column);
    untraced.original = "untraced_" + std::string(info.id);
    untraced.integer = WrapAdd(total, traced->integer == kNoInt ? 0 : -traced->integer);
    traced->integer = total;
    report.properties.push_back(std::move(untraced));
  }
  AddUntracedTime(report);
  return {};
}

void ShowOccurrence(Report& report) {
  for (ReportColumn& column : report.tables[0].columns) {
    const std::string_view id = MeasureId(column);
    const bool counts =
        id == Info(Measure::run_count).id || id == Info(Measure::definition_count).id;
    if (counts) column.spec.shown = true;
  }
}

void LimitDepth(Report& report) {
  const Table& table = report.tables[0];
  if (!table.tree) return;
  KeepLevels(DeepestToKeep(table, PathBytes(report), kDeepest, kMaxPathBytes), report);
}

void LimitNames(const Display& display, Report& report, int64_t max) {
  if (report.tables.empty() || !report.tables[0].tree || report.tables[0].rows == 0) return;
  const Table& table = report.tables[0];
  const ReportColumn* names = table.Find("name");
  if (names == nullptr) return;
  const bool indents =
      display.format == "table" || display.format == "md" || display.format == "classic";
  std::vector<int64_t> bytes(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    bytes[row] = static_cast<int64_t>(names->texts[row].size());
    if (indents) bytes[row] += 2 * int64_t{table.depth[row]};
  }
  const uint32_t deepest = *std::max_element(table.depth.begin(), table.depth.end());
  KeepLevels(DeepestToKeep(table, bytes, deepest, max), report);
}

void NoteEmptyMeasures(Report& report) {
  const FirstMeasure first = FirstOf(report);
  if (first.name.empty() || (first.total != kNoInt && first.total != 0)) return;
  const std::string_view why = first.total == kNoInt ? "none was recorded" : "they are 0";
  report.notes.push_back({note::With(note::nothing_to_show, {first.name, why}), 1, "", kNoInt});
}

}  // namespace tfprof
