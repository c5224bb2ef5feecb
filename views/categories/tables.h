// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "core/base/arith.h"
#include "core/report/table_def.h"
#include "core/store/store.h"
#include "views/view.h"

// Answers by the categories that a recorder gives to its events, with -ids original: by rank,
// category and name, as the tools for such traces count. docs/formats/kineto.md defines each
// number. REQUIRES: HasCategories.

namespace tfprof {

AddTables AddThreadTables;  // planes
AddTables AddKernelTable;   // kernels
AddTables AddOpTable;       // op_stats
AddTables AddDeviceTable;   // overview
AddTables AddStepTable;     // steps
AddTables AddMemoryTables;  // memory
AddTables AddLaunchTables;  // launch

// ---- columns that several of them have

namespace category {

constexpr ColumnDef kRank =
    IntegerDef("global_rank", "rank", Unit::none, "Rank of the process in its job.").ForOriginal();
constexpr ColumnDef kDevice =
    IntegerDef("device_number", "device", Unit::none, "Number of the device.")
        .Was("device")
        .ForOriginal();
constexpr ColumnDef kKernel =
    TextDef("kernel_name", "kernel", "Name of the kernel, copy or fill.").ForOriginal();
constexpr ColumnDef kType =
    TextDef("recorded_category", "category", "Category, as recorded.").Was("type").ForOriginal();
constexpr ColumnDef kOccurrences =
    CountDef("occurrences", "occurrences", "Number of events.").ForOriginal();
constexpr ColumnDef kTotal =
    TimeDef("total_duration_us", "total", "Sum of the durations.").ForOriginal();
constexpr ColumnDef kAverage =
    RealDef("avg_duration_us", "mean", Unit::us, "Mean duration.").ForOriginal();
constexpr ColumnDef kMin = TimeDef("min_duration_us", "min", "Shortest duration.").ForOriginal();
constexpr ColumnDef kMax = TimeDef("max_duration_us", "max", "Longest duration.").ForOriginal();

}  // namespace category

// The rank of a source's process; kNoInt: not recorded.
inline int64_t RankOf(const Store& store, SourceId source) {
  return source.some() ? store.sources[source.value].rank : kNoInt;
}

// The number of the device of a process; kNoInt: not recorded.
inline int64_t DeviceNumber(const Store& store, ProcessId process) {
  const DeviceId device = store.processes[process.value].device;
  const int32_t number = device.some() ? store.devices[device.value].ordinal : -1;
  return number < 0 ? kNoInt : number;
}

// The text, null where there is none.
inline std::string_view TextOrNull(const Store& store, NameId name) {
  return name.some() ? store.Text(name) : std::string_view();
}

inline const Label& LabelOf(const Store& store, EventId event) {
  return store.labels[store.events.label[event.value].value];
}

inline double AverageUs(int64_t ps, int64_t count) {
  return count > 0 ? static_cast<double>(ps) / static_cast<double>(count) / 1e6 : kNoReal;
}

// The durations of the events of a row.
struct Durations {
  int64_t count = 0;
  int64_t total_ps = 0;
  int64_t min_ps = kNoInt;
  int64_t max_ps = kNoInt;

  void Add(int64_t ps) {
    min_ps = count == 0 || ps < min_ps ? ps : min_ps;
    max_ps = count == 0 || ps > max_ps ? ps : max_ps;
    total_ps = SaturatingAdd(total_ps, ps);
    ++count;
  }
};

}  // namespace tfprof
