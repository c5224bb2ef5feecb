// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/table_def.h"

// The tables of `steps`, for profiles and traces.

namespace tfprof {

inline constexpr ColumnDef kStepsStepsColumns[] = {
    TextDef("host", "host", "Whose step it is."),
    IntegerDef("step", "step", Unit::none, "What -step asks for."),
    TextDef("name", "name", "What the program calls it."),
    IntegerDef("offset_us", "start", Unit::ps, "From the start of the earliest step.")
        .Was("start_ps"),
    IntegerDef("duration_us", "duration", Unit::ps,
               "From the first start to the last end of its records.")
        .Was("duration_ps"),
    RealDef("of_median_pct", "% of median", Unit::percent,
            "Duration over that of the middle step, of several hosts that of the same."),
    IntegerDef("host_us", "cpu time", Unit::ps,
               "Durations of what measures cpu time, added up; what overlaps counts each.")
        .Was("cpu_ps"),
    IntegerDef("device_us", "accelerator time", Unit::ps,
               "Durations of what measures accelerator time, added up.")
        .Was("accelerator_ps"),
    IntegerDef("count", "records", Unit::count, "Executions.").Was("records").Droppable(),
};
inline constexpr TableDef kStepsStepsTable{"steps", "", kStepsStepsColumns};

inline constexpr ColumnDef kDevicesStepsColumns[] = {
    TextDef("host", "host", "Whose step it is."),
    IntegerDef("step", "step", Unit::none, "What -step asks for."),
    TextDef("device", "device", "As the file names it."),
    IntegerDef(
        "step_us", "its step", Unit::ps,
        "How long the step lasts on it: its event of the line Steps, or, where it did most of its "
        "work at another time than the step of the table above, from its first to its last event.")
        .Was("step_ps")
        .ForMachines(),
    IntegerDef("count", "records", Unit::count, "Executions.").Was("records").Droppable(),
    IntegerDef("time_us", "time", Unit::ps,
               "Durations added up; executions that overlap count each.")
        .Was("time_ps"),
    IntegerDef("busy_us", "busy", Unit::ps, "Time in which something ran.").Was("busy_ps"),
    IntegerDef("stalled_us", "of it waiting", Unit::ps,
               "Of the busy time, that in which a TPU only awaits copies, collectives and the like "
               "that run beside its operations; other devices and hosts do not tell.")
        .Was("waiting_ps"),
    IntegerDef(
        "exposed_us", "of it collectives", Unit::ps,
        "Of the busy time, that in which nothing but collectives runs: a device exchanges data or "
        "waits for others to come, the last one the shortest. Absent where none ran.")
        .Was("exchange_ps"),
    IntegerDef("other_steps_us", "for others", Unit::ps,
               "Time of its step in which a device ran only what is of other steps, or of none; "
               "where steps overlap there is some. Not looked for on hosts.")
        .Was("others_ps")
        .ForMachines(),
    IntegerDef("idle_us", "idle", Unit::ps, "The rest of its step, in which nothing ran on it.")
        .Was("idle_ps"),
    IntegerDef("gaps", "gaps", Unit::count, "Into how many pieces the idle time falls."),
    IntegerDef("gap_us", "longest gap", Unit::ps, "The longest of them.").Was("longest_gap_ps"),
    TextDef("gap_before", "gap before", "What ended the longest gap.").Droppable(),
};
inline constexpr TableDef kDevicesStepsTable{"devices", "", kDevicesStepsColumns};

}  // namespace tfprof
