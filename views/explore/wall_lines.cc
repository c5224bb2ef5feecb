// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/base/units.h"
#include "views/columns/properties.h"
#include "views/explore/wall_screen.h"

namespace tfprof {
namespace {

// "compute 11.1 ms, idle, host recorded nothing 8.40 ms": the rows of the table.
std::string PartsText(const Table& table) {
  const ReportColumn& names = *table.Find("part");
  const ReportColumn& times = *table.Find("wall_us");
  std::string text;
  for (size_t row = 0; row < table.rows; ++row) {
    text += fmt::format("{}{} {}", row == 0 ? "" : "; ", names.texts[row],
                        Human(times.Integer(row), Unit::ps));
  }
  return text;
}

}  // namespace

Result<void> AddWallLines(const Store& store, const Indexes& indexes, Context& context,
                          Report* report) {
  Report screen;
  screen.pool = report->pool;
  TFPROF_ASSIGN(const bool has_wall, AddWallTime(store, indexes, context, &screen));
  if (!has_wall) return {};
  const auto wall = std::ranges::find(screen.tables, WallTableDef().name, &Table::name);
  for (Property& property : screen.properties) {
    if (property.id == "idle_pct") property.id = "device_idle_pct";  // another one is of xprof
    report->properties.push_back(std::move(property));
    if (report->properties.back().id != "wall_us") continue;
    AddTextProperty({"wall_parts", "goes into"}, PartsText(*wall), report);
  }
  wall->human_readable = false;  // the line shows it
  report->tables.push_back(std::move(*wall));
  return {};
}

}  // namespace tfprof
