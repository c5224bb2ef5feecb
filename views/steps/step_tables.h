// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/table_def.h"

// The tables of `steps`, for profiles and traces.

namespace tfprof {

inline constexpr ColumnDef kStepsStepsColumns[] = {
    TextDef("host", "host", "Host of the step."),
    IntegerDef("step", "step", Unit::none, "Step number, as -step takes it."),
    TextDef("name", "name", "Step name."),
    IntegerDef("offset_us", "start", Unit::ps, "Start, from the start of the earliest step.")
        .Was("start_ps"),
    IntegerDef("duration_us", "duration", Unit::ps,
               "From the first start to the last end of its records.")
        .Was("duration_ps"),
    RealDef("of_median_pct", "% of median", Unit::percent,
            "Duration relative to the median step of the same host."),
    IntegerDef("host_us", "cpu time", Unit::ps,
               "Sum of cpu durations; concurrent executions count each.")
        .Was("cpu_ps"),
    IntegerDef("device_us", "accelerator time", Unit::ps, "Sum of accelerator durations.")
        .Was("accelerator_ps"),
    IntegerDef("count", "records", Unit::count, "Executions.").Was("records").Droppable(),
};
inline constexpr TableDef kStepsStepsTable{"steps", "", kStepsStepsColumns};

inline constexpr ColumnDef kDevicesStepsColumns[] = {
    TextDef("host", "host", "Host of the step."),
    IntegerDef("step", "step", Unit::none, "Step number, as -step takes it."),
    TextDef("device", "device", "Name, as recorded."),
    IntegerDef("step_us", "device step", Unit::ps,
               "Length of the step on the device: its event on the Steps line; else, where most of "
               "its work ran outside the host's step, from its first to its last event.")
        .Was("step_ps")
        .ForMachines(),
    IntegerDef("count", "records", Unit::count, "Executions.").Was("records").Droppable(),
    IntegerDef("time_us", "time", Unit::ps, "Sum of durations; concurrent executions count each.")
        .Was("time_ps"),
    IntegerDef("busy_us", "busy", Unit::ps, "Union of the activity.").Was("busy_ps"),
    IntegerDef("stalled_us", "stalled", Unit::ps,
               "Part of the busy time in which a TPU is stalled on async copies, collectives and "
               "the like; other devices do not record it.")
        .Was("waiting_ps"),
    IntegerDef("exposed_us", "exposed comm", Unit::ps,
               "Part of the busy time in which only collectives run: exchanging data or waiting "
               "for other devices. Absent where none ran.")
        .Was("exchange_ps"),
    IntegerDef("other_steps_us", "other steps", Unit::ps,
               "Time of the step in which the device ran only work of other steps or of none. Not "
               "computed for hosts.")
        .Was("others_ps")
        .ForMachines(),
    IntegerDef("idle_us", "idle", Unit::ps, "Time of the step in which nothing ran on the device.")
        .Was("idle_ps"),
    IntegerDef("gaps", "gaps", Unit::count, "Number of idle gaps."),
    IntegerDef("gap_us", "longest gap", Unit::ps, "Longest idle gap.").Was("longest_gap_ps"),
    TextDef("gap_before", "gap before", "Event that ended the longest gap.").Droppable(),
};
inline constexpr TableDef kDevicesStepsTable{"devices", "", kDevicesStepsColumns};

}  // namespace tfprof
