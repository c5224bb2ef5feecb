// SPDX-License-Identifier: Apache-2.0
#include "views/explore/idle_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "analysis/place.h"
#include "analysis/steps/device_idle.h"
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

struct IdleShare {
  std::string device;
  int64_t within_ps = 0;
  int64_t idle_ps = 0;

  double Fraction() const { return Quotient(idle_ps, within_ps); }
};

std::vector<IdleShare> SharesOfDevices(const Store& store, const WallTimes& times,
                                       const std::vector<DeviceIdle>& of_devices) {
  std::vector<IdleShare> idle;
  for (const HostWall& wall : times.hosts) {
    for (const WallDevice& device : wall.devices) {
      const DeviceIdle& known = of_devices[device.process.value];
      const bool has = wall.has_devices && known.idle_ps != kNoInt && known.within_ps > 0;
      const std::string name = PlaceName(store, store.processes[device.process.value]);
      idle.push_back(has ? IdleShare{name, known.within_ps, known.idle_ps}
                         : IdleShare{name, wall.steps.WindowPs(), device.idle_ps});
    }
  }
  return idle;
}

// What the idle time is a share of.
std::string_view WithinText(const std::vector<DeviceIdle>& of_devices, bool one) {
  const auto any = [&](IdleWithin within) {
    return std::ranges::any_of(of_devices, [&](const DeviceIdle& of) {
      return of.within == within && of.idle_ps != kNoInt;
    });
  };
  if (any(IdleWithin::steps)) return one ? "of its steps" : "of their steps";
  if (!any(IdleWithin::work)) return "of the time";
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

Result<void> AddIdle(const Store& store, const Indexes& indexes, const WallTimes& times,
                     WallForm form, Context& context, Report* report) {
  TFPROF_ASSIGN(const auto of_devices,
                IdleOfDevices(store, indexes, PlaceFilter::Exact(), context));
  const std::vector<IdleShare> idle = SharesOfDevices(store, times, of_devices);
  if (idle.empty()) return {};
  double mean = 0;
  for (const IdleShare& of : idle) mean += 100 * of.Fraction() / static_cast<double>(idle.size());
  // Where a view has lines for the parts, xprof's tool has an idle_pct of its own.
  const std::string_view id = form == WallForm::lines ? "device_idle_pct" : "idle_pct";
  AddRealProperty({id, "idle"}, mean, Unit::percent, report);
  const std::string_view within = WithinText(of_devices, idle.size() == 1);
  const auto most = std::ranges::max_element(idle, {}, &IdleShare::Fraction);
  report->properties.back().display_text =
      idle.size() == 1
          ? fmt::format("{} {:.1f}% {}", idle[0].device, mean, within)
          : fmt::format("mean of {} devices {:.1f}% {}, most on {}: {:.1f}%", idle.size(), mean,
                        within, most->device, 100 * most->Fraction());
  report->tables.push_back(IdleTable(idle, report->pool.get()));
  return {};
}

}  // namespace tfprof
