// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/idle_shares.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "analysis/place.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/times.h"
#include "core/query/query.h"

namespace tfprof {
namespace {

IdleWithin WithinOf(const std::vector<DeviceIdle>& of_devices) {
  const auto any = [&](IdleWithin within) {
    return std::ranges::any_of(of_devices, [&](const DeviceIdle& of) {
      return of.within == within && of.idle_ps != kNoInt;
    });
  };
  if (any(IdleWithin::steps)) return IdleWithin::steps;
  return any(IdleWithin::work) ? IdleWithin::work : IdleWithin::capture;
}

Result<IdleShares> TimesOfTrace(const Store& store, const Indexes& indexes, Context& context) {
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  TFPROF_ASSIGN(const auto of_devices,
                IdleOfDevices(store, indexes, PlaceFilter::Exact(), context));
  IdleShares found;
  found.within = WithinOf(of_devices);
  double wall_sum = 0;
  for (const HostWall& wall : times->hosts) {
    if (!wall.KnowsDevices()) continue;
    found.is_accelerated |= wall.has_devices;
    for (const WallDevice& device : wall.devices) {
      const DeviceIdle& known = of_devices[device.process.value];
      const bool has = wall.has_devices && known.idle_ps != kNoInt && known.within_ps > 0;
      const std::string name = PlaceName(store, store.processes[device.process.value]);
      wall_sum += wall.Percent(device.idle_ps);
      found.devices.push_back(has ? IdleShare{name, known.within_ps, known.idle_ps}
                                  : IdleShare{name, wall.steps.WindowPs(), device.idle_ps});
    }
  }
  if (found.devices.empty()) return found;
  found.idle_pct = 0;
  for (const IdleShare& of : found.devices) {
    found.idle_pct += 100 * of.Fraction() / static_cast<double>(found.devices.size());
  }
  if (found.is_accelerated) {
    found.wall_idle_pct = wall_sum / static_cast<double>(found.devices.size());
  }
  return found;
}

Result<IdleShares> TimesOfRecords(const Store& store, const Indexes& indexes, Context& context) {
  TFPROF_ASSIGN(const StepTables tables,
                StepTablesOf(store, indexes, {}, StepPlanes::with_idle, context));
  const auto measures = [&](const DeviceStep& row) { return MeasuresOf(store, row); };
  IdleShares found;
  found.within = IdleWithin::steps;
  found.is_accelerated = std::ranges::any_of(tables.devices, [&](const DeviceStep& row) {
    return measures(row) == Measures::accelerator_time;
  });
  const Measures judged = found.is_accelerated ? Measures::accelerator_time : Measures::host_time;
  std::map<std::string_view, size_t> places;  // in found.devices
  int64_t busy_ps = 0, steps_ps = 0;
  for (const DeviceStep& row : tables.devices) {
    if (measures(row) != judged || !row.HasIdle()) continue;
    const std::string_view name = DeviceName(store, row);
    const auto [place, is_new] = places.try_emplace(name, found.devices.size());
    if (is_new) found.devices.push_back({std::string(name), 0, 0});
    IdleShare& of = found.devices[place->second];
    of.within_ps = SaturatingAdd(of.within_ps, row.step_ps);
    of.idle_ps = SaturatingAdd(of.idle_ps, row.IdlePs());
    steps_ps = SaturatingAdd(steps_ps, row.step_ps);
    busy_ps = SaturatingAdd(busy_ps, row.step_ps - row.IdlePs());
  }
  if (steps_ps > 0) found.idle_pct = 100 - 100 * Quotient(busy_ps, steps_ps);
  return found;
}

}  // namespace

int64_t IdleShares::MeanIdlePs() const {
  int64_t sum_ps = 0;
  for (const IdleShare& of : devices) sum_ps = SaturatingAdd(sum_ps, of.idle_ps);
  return devices.empty() ? kNoInt : sum_ps / static_cast<int64_t>(devices.size());
}

int64_t IdleShares::MeanBusyPs() const {
  int64_t sum_ps = 0;
  for (const IdleShare& of : devices) sum_ps = SaturatingAdd(sum_ps, of.within_ps - of.idle_ps);
  return devices.empty() ? kNoInt : sum_ps / static_cast<int64_t>(devices.size());
}

Result<IdleShares> IdleSharesOf(const Store& store, const Indexes& indexes, Context& context) {
  return store.IsTrace() ? TimesOfTrace(store, indexes, context)
                         : TimesOfRecords(store, indexes, context);
}

}  // namespace tfprof
