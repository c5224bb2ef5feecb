// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/intervals/interval_set.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/place.h"
#include "analysis/steps/device_idle.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/properties.h"
#include "views/columns/rates.h"

namespace tfprof {
namespace {

constexpr ColumnDef kUtilizationColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("device", "device", "Device name."),
    TimeDef("start_us", "start", "Start, from the first start of the profile."),
    TimeDef("duration_us", "duration", "Length of the bucket; the last one ends with the capture."),
    TimeDef("busy_us", "busy", "Time in which at least one kernel, operation or copy ran."),
    ShareDef("busy_pct", "busy %", "Busy time over duration."),
};
constexpr TableDef kUtilizationTable{"utilization", "", kUtilizationColumns};

constexpr ColumnDef kDevicesUtilizationColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("device", "device", "Device name."),
    TimeDef("duration_us", "capture",
            "From the first start to the last end of all recorded events."),
    TimeDef("busy_us", "busy", "Time in which at least one kernel, operation or copy ran."),
    ShareDef("busy_pct", "busy %", "Busy time over the capture."),
    ShareDef("min_busy_pct", "min %", "Busy share of its least busy bucket."),
    ShareDef("max_busy_pct", "max %", "Busy share of its busiest bucket."),
    TimeDef("idle_us", "idle",
            "Idle time within the steps of its host; where steps are inferred, between its first "
            "and last "
            "work; without steps, within that host's capture."),
    RealDef("mfu_pct", "MFU %", Unit::percent,
            "Model flops as a share of what the device can compute at its 16-bit peak during the "
            "capture."),
};
constexpr TableDef kDevicesUtilizationTable{"devices", "", kDevicesUtilizationColumns};

constexpr int64_t kMaxBuckets = 60;
constexpr size_t kMaxCurves = 8;

// The buckets of all devices: the capture in parts of equal length, the last one cut.
struct Buckets {
  int64_t first_ps = 0;
  int64_t span_ps = 0;
  int64_t width_ps = 1;

  size_t count() const { return static_cast<size_t>((span_ps - 1) / width_ps + 1); }
  int64_t Start(size_t i) const { return static_cast<int64_t>(i) * width_ps; }
  int64_t Length(size_t i) const { return std::min(width_ps, span_ps - Start(i)); }
};

struct BusyDevice {
  ProcessId process;
  std::vector<int64_t> busy_ps;  // by bucket
  int64_t sum_ps = 0;
  int64_t idle_ps = kNoInt;
  double mfu = kNoReal;  // 0 to 1
};

// A row of `utilization`.
struct BucketRow {
  const BusyDevice* device;
  size_t bucket;

  int64_t BusyPs() const { return device->busy_ps[bucket]; }
};

// The least of 1, 2 and 5 times a power of ten that needs no more than kMaxBuckets.
int64_t WidthFor(int64_t span_ps) {
  const int64_t min_ps = (span_ps - 1) / kMaxBuckets + 1;
  int64_t power = 1;
  while (power <= min_ps / 10) power *= 10;
  for (const int64_t digit : {1, 2, 5}) {
    if (power * digit >= min_ps) return power * digit;
  }
  return min_ps > kMaxPs / 10 ? min_ps : power * 10;
}

// No span: nothing was placed in time.
Buckets BucketsOf(const Store& store, const LaneTimes& times) {
  Buckets buckets{FirstStart(store)};
  for (const EventTimes& lane : times.lanes) {
    if (lane.start_ps == kNoTime) continue;
    buckets.span_ps = std::max(buckets.span_ps, SpanOf(buckets.first_ps, lane.end_ps));
  }
  if (buckets.span_ps > 0) buckets.width_ps = WidthFor(buckets.span_ps);
  return buckets;
}

// Adds each part of an interval to the bucket that it lies in.
void AddBusy(const Buckets& buckets, const Interval& part, BusyDevice* device) {
  const int64_t end_ps = SpanOf(buckets.first_ps, part.end_ps);
  for (int64_t at_ps = SpanOf(buckets.first_ps, part.start_ps); at_ps < end_ps;) {
    const auto i = static_cast<size_t>(at_ps / buckets.width_ps);
    const int64_t to_ps = std::min(end_ps, buckets.Start(i) + buckets.Length(i));
    device->busy_ps[i] += to_ps - at_ps;
    at_ps = to_ps;
  }
}

Result<BusyDevice> BusyOf(const Store& store, ProcessId id, const Buckets& buckets,
                          Context& context) {
  const Process& process = store.processes[id.value];
  IntervalSet busy;
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.measures != Measures::accelerator_time) continue;
    const uint32_t end = lane.rows.first + lane.rows.count;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const int64_t start_ps = store.events.start_ps[row];
      const int64_t ps = store.events.duration_ps[row];
      if (ps > 0) busy.Add(start_ps, SaturatingAdd(start_ps, ps));
    }
  }
  BusyDevice device{id, {}};
  if (busy.Parts().empty()) return device;
  device.busy_ps.resize(buckets.count());
  for (const Interval& part : busy.Parts()) AddBusy(buckets, part, &device);
  device.sum_ps = busy.CoveredPs();
  return device;
}

// The devices that the query selects and that ran something.
Result<std::vector<BusyDevice>> BusyDevices(const Store& store, const Indexes& indexes,
                                            const PlaceFilter& place, const Buckets& buckets,
                                            Context& context) {
  std::vector<BusyDevice> devices;
  if (buckets.span_ps == 0) return devices;
  TFPROF_ASSIGN(const auto idle, IdleOfDevices(store, indexes, place, context));
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::device || !MatchesPlace(store, process, place)) continue;
    TFPROF_ASSIGN(BusyDevice device, BusyOf(store, ProcessId(i), buckets, context));
    device.idle_ps = idle[i].idle_ps;
    if (!device.busy_ps.empty()) devices.push_back(std::move(device));
  }
  return devices;
}

// Only devices whose programs have known flops have it.
Result<void> AddMfu(const Store& store, const Indexes& indexes, const Query& query,
                    const Buckets& buckets, std::vector<BusyDevice>* devices, Context& context) {
  const OpAccounting accounting = AccountingOf(query.display);
  TFPROF_ASSIGN(const auto times, OpsOf(store, indexes, query.place, accounting, context));
  for (const ProcessOps* of : ChooseOps(store, *times, query.place, true)) {
    const DevicePeaks peaks = PeaksOfAny(store, accounting, {of});
    for (BusyDevice& device : *devices) {
      if (device.process != of->process) continue;
      device.mfu = UseOf(peaks, of->ops).Mfu(peaks, buckets.span_ps);
    }
  }
  return {};
}

Table BucketsTable(const Store& store, const Buckets& buckets,
                   const std::vector<BusyDevice>& devices) {
  std::vector<BucketRow> rows;
  for (const BusyDevice& device : devices) {
    for (size_t i = 0; i < buckets.count(); ++i) rows.push_back({&device, i});
  }
  Table table = MakeTable(kUtilizationTable, rows.size());
  FillProcess(
      store, "device", rows, [](const BucketRow& r) { return r.device->process; }, &table);
  Fill(table, "start_us", rows, [&](const BucketRow& r) { return buckets.Start(r.bucket); });
  Fill(table, "duration_us", rows, [&](const BucketRow& r) { return buckets.Length(r.bucket); });
  Fill(table, "busy_us", rows, [](const BucketRow& r) { return r.BusyPs(); });
  Fill(table, "busy_pct", rows,
       [&](const BucketRow& r) { return Quotient(r.BusyPs(), buckets.Length(r.bucket)); });
  return table;
}

std::vector<double> SharesOf(const Buckets& buckets, const BusyDevice& device) {
  std::vector<double> shares;
  for (size_t i = 0; i < device.busy_ps.size(); ++i) {
    shares.push_back(Quotient(device.busy_ps[i], buckets.Length(i)));
  }
  return shares;
}

Table DevicesTable(const Store& store, const Buckets& buckets,
                   const std::vector<BusyDevice>& devices) {
  Table table = MakeTable(kDevicesUtilizationTable, devices.size());
  FillProcess(
      store, "device", devices, [](const BusyDevice& d) { return d.process; }, &table);
  Fill(table, "duration_us", devices, [&](const BusyDevice&) { return buckets.span_ps; });
  Fill(table, "busy_us", devices, [](const BusyDevice& d) { return d.sum_ps; });
  Fill(table, "busy_pct", devices,
       [&](const BusyDevice& d) { return Quotient(d.sum_ps, buckets.span_ps); });
  Fill(table, "min_busy_pct", devices,
       [&](const BusyDevice& d) { return std::ranges::min(SharesOf(buckets, d)); });
  Fill(table, "max_busy_pct", devices,
       [&](const BusyDevice& d) { return std::ranges::max(SharesOf(buckets, d)); });
  Fill(table, "idle_us", devices, [](const BusyDevice& d) { return d.idle_ps; });
  FillMfu(
      devices, [](const BusyDevice& d) { return d.mfu; }, &table);
  return table;
}

// Titles are plain ASCII.
std::string TitleOf(const Store& store, const BusyDevice& device) {
  std::string title = PlaceName(store, store.processes[device.process.value]);
  std::replace_if(
      title.begin(), title.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
  return title;
}

void AddCurves(const Store& store, const Buckets& buckets, const std::vector<BusyDevice>& devices,
               Report* report) {
  for (size_t i = 0; i < std::min(kMaxCurves, devices.size()); ++i) {
    Chart curve;
    curve.kind = Chart::Kind::curve;
    curve.title = TitleOf(store, devices[i]);
    curve.unit = Unit::percent;
    curve.parts = {"busy"};
    for (const double share : SharesOf(buckets, devices[i])) {
      curve.values.push_back(static_cast<int64_t>(share * 100 + 0.5));
    }
    report->charts.push_back(std::move(curve));
  }
}

}  // namespace

Result<Report> Utilization(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  TFPROF_ASSIGN(const auto times, indexes.Get<LaneTimes>(context));
  const Buckets buckets = BucketsOf(*store, *times);
  TFPROF_ASSIGN(std::vector<BusyDevice> devices,
                BusyDevices(*store, indexes, query.place, buckets, context));
  if (!devices.empty()) {
    TFPROF_TRY(AddMfu(*store, indexes, query, buckets, &devices, context));
  }
  Report report = NewReport("utilization", store);
  if (devices.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_device_work, Utilization, indexes, query, context, &report));
  } else {
    AddIntegerProperty({"bucket_us", "bucket"}, buckets.width_ps, Unit::ps_as_us, &report);
  }
  AddCurves(*store, buckets, devices, &report);
  report.tables.push_back(BucketsTable(*store, buckets, devices));
  report.tables.push_back(DevicesTable(*store, buckets, devices));
  return report;
}

TableDefs UtilizationTables() { return {&kUtilizationTable, &kDevicesUtilizationTable}; }

}  // namespace tfprof
