// SPDX-License-Identifier: Apache-2.0
#include "views/explore/idle_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "analysis/wall/idle_shares.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr ColumnDef kIdleColumns[] = {
    TextDef("device", "device", "Device name, after its host's if there are several."),
    TimeDef("duration_us", "time",
            "The steps of its host; where steps are inferred, from its first to its last work; "
            "without steps, the capture."),
    TimeDef("idle_us", "idle", "Time of that in which nothing ran on the device."),
    ShareDef("idle_pct", "idle %", "Idle time over that time."),
};
constexpr TableDef kIdleTable{"idle", "", kIdleColumns};

// Percentage points from which on the idle share of the wall time is another fact.
constexpr double kApart = 5;

// What the idle time is a share of.
std::string_view WithinText(IdleWithin within, bool one) {
  if (within == IdleWithin::steps) return one ? "of its steps" : "of their steps";
  if (within == IdleWithin::capture) return "of the time";
  return one ? "between its first and last work" : "between their first and last work";
}

Table IdleTable(const std::vector<IdleShare>& idle, TextPool* pool) {
  Table table = MakeTable(kIdleTable, idle.size());
  Fill(table, "device", idle, [&](const IdleShare& of) { return pool->Keep(of.device); });
  Fill(table, "duration_us", idle, [](const IdleShare& of) { return of.within_ps; });
  Fill(table, "idle_us", idle, [](const IdleShare& of) { return of.idle_ps; });
  Fill(table, "idle_pct", idle, [](const IdleShare& of) { return of.Fraction(); });
  table.human_readable = false;
  return table;
}

}  // namespace

const TableDef& IdleTableDef() { return kIdleTable; }

Result<void> AddIdle(const Store& store, const Indexes& indexes, WallForm form, Context& context,
                     Report* report) {
  TFPROF_ASSIGN(const IdleShares times, IdleSharesOf(store, indexes, context));
  const std::vector<IdleShare>& idle = times.devices;
  if (idle.empty()) return {};
  // Where a view has lines for the parts, xprof's tool has an idle_pct of its own.
  const std::string_view id = form == WallForm::lines ? "device_idle_pct" : "idle_pct";
  AddRealProperty({id, "idle"}, times.idle_pct, Unit::percent, report);
  const std::string_view within = WithinText(times.within, idle.size() == 1);
  const auto most = std::ranges::max_element(idle, {}, &IdleShare::Fraction);
  std::string& text = report->properties.back().display_text;
  text = idle.size() == 1
             ? fmt::format("{} {} {}", idle[0].device, PercentText(times.idle_pct), within)
             : fmt::format("mean of {} devices {} {}, most on {}: {}", idle.size(),
                           PercentText(times.idle_pct), within, most->device,
                           PercentText(100 * most->Fraction()));
  if (std::abs(times.wall_idle_pct - times.idle_pct) >= kApart) {
    text += fmt::format(", {} of wall time", PercentText(times.wall_idle_pct));
  }
  report->tables.push_back(IdleTable(idle, report->pool.get()));
  return {};
}

}  // namespace tfprof
