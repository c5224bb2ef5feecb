// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/chrono.h>

#include <algorithm>
#include <ctime>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/intervals/span_statistics.h"
#include "analysis/place.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/contention.h"
#include "analysis/wall/idle_shares.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "core/text/wording.h"
#include "views/advice/checker.h"
#include "views/columns/fill_columns.h"
#include "views/explore/wall_screen.h"
#include "views/reports/gpus_now.h"

namespace tfprof {
namespace {

constexpr ColumnDef kJobsColumns[] = {
    TextDef("job", "job", "Folder or file of the job, as it was opened."),
    TextDef("host", "host", "Hosts of the job."),
    CountDef("processes", "processes",
             "Processes whose traces were read; absent where no manifest says so."),
    TextDef("job_state", "state",
            "running: a process was still running when its trace was made; truncated: a process "
            "was killed or called _exit, and its last second may be missing; complete: all ended. "
            "Absent where no manifest says so."),
    CountDef("steps", "steps", "Steps, of the host or process with most of them."),
    TimeDef(
        "step_median_us", "step",
        "Median step, from its start to that of the next, of the host whose steps take longest."),
    CountDef("devices", "devices", "Devices that ran anything; hosts, if there are none."),
    TimeDef("busy_us", "busy", "Busy time of a device, mean of the devices."),
    TimeDef("idle_us", "idle", "Idle time of a device, mean of the devices."),
    RealDef("idle_pct", "idle %", Unit::percent,
            "Idle time over the time in which devices are judged, as in `summary`."),
    TimeDef("contended_us", "contended",
            "Time, from the first step to the last, in which the device is idle for this job and "
            "another one of these jobs keeps it busy, mean of the devices. Devices are the same "
            "if their hosts and names are. Absent where the wall time is not recorded."),
    TextDef("contended_by", "by", "Jobs that use the same devices at the same time."),
    TextDef("began", "began", "Wall time of the first event, in UTC.").Droppable(),
    CountDef("notes", "notes", "Notes about the data of the job; `summary` of it lists them.")
        .Droppable(),
    TextDef("finding", "finding", "Its first finding, as in `summary`.").Below("finding"),
};
constexpr TableDef kJobsTable{"jobs", "", kJobsColumns};

struct JobRow {
  std::string name;
  std::string hosts = {};
  std::string_view state = {};
  int64_t processes = kNoInt;
  int64_t steps = kNoInt;
  int64_t step_ps = kNoInt;
  int64_t devices = kNoInt;
  int64_t busy_ps = kNoInt;
  int64_t idle_ps = kNoInt;
  double idle_pct = kNoReal;
  int64_t contended_ps = kNoInt;
  std::string contended_by = {};
  std::string began = {};
  int64_t notes = kNoInt;
  std::string finding = {};
};

std::string_view StateOf(const Capture& capture) {
  if (capture.IsRunning()) return "running";
  return std::ranges::all_of(capture.processes, &CapturedProcess::is_complete) ? "complete"
                                                                               : "truncated";
}

// The hosts by the manifest, else those of the trace.
std::string HostsOf(const Store& store) {
  std::set<std::string> names;
  if (store.capture) {
    for (const CapturedProcess& process : store.capture->processes) {
      if (!process.host.empty()) names.insert(process.host);
    }
  } else {
    for (size_t i = 0; i < store.hosts.size(); ++i) {
      names.emplace(HostName(store, HostId(i)));
    }
  }
  return Listed(std::vector<std::string>(names.begin(), names.end()));
}

// The steps of the host with most of them: hosts run the same steps.
int64_t MostSteps(const Store& store, const std::vector<StepRow>& steps) {
  std::vector<int64_t> counts(store.hosts.size() + 1);
  for (const StepRow& step : steps) {
    ++counts[step.host.some() ? step.host.value : store.hosts.size()];
  }
  return std::ranges::max(counts);
}

Result<void> AddTimes(const StorePtr& store, const Indexes& indexes, Context& context,
                      JobRow* row) {
  TFPROF_ASSIGN(std::vector<StepRow> steps,
                StepsOf(*store, indexes, PlaceFilter::Exact(), context));
  LastUntilNext(&steps);
  row->steps = MostSteps(*store, steps);
  row->step_ps = StepTimeOf(steps);
  TFPROF_ASSIGN(const IdleShares times, IdleSharesOf(*store, indexes, context));
  if (times.devices.empty()) return {};
  row->devices = static_cast<int64_t>(times.devices.size());
  row->busy_ps = times.MeanBusyPs();
  row->idle_ps = times.MeanIdlePs();
  row->idle_pct = times.idle_pct;
  return {};
}

// Of several hosts, the first one's clock.
int64_t WallTimeOf(const Store& store) {
  return WallTimeOf(store, store.sources.empty() ? SourceId() : SourceId(0));
}

// "2026-11-26 14:03:22"; empty: the wall time is unknown.
std::string BeganAt(const Store& store) {
  const int64_t wall_ns = WallTimeOf(store);
  const int64_t first_ps = EarliestStart(store);
  if (wall_ns == kNoInt || first_ps == kNoTime) return {};
  const auto seconds = static_cast<std::time_t>((wall_ns + first_ps / kPsPerNs) / kNsPerSecond);
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(seconds));
}

Result<JobRow> RowOf(const std::string& name, const StorePtr& store, const Indexes& indexes,
                     Context& context) {
  JobRow row{name};
  row.hosts = HostsOf(*store);
  row.notes = static_cast<int64_t>(store->notes.size());
  if (store->capture) {
    row.state = StateOf(*store->capture);
    row.processes = std::ranges::count_if(
        store->capture->processes, [](const CapturedProcess& of) { return !of.trace.empty(); });
  }
  row.began = BeganAt(*store);
  TFPROF_TRY(ReadFacts(*store, indexes, {}, context));
  TFPROF_TRY(AddTimes(store, indexes, context, &row));
  TFPROF_ASSIGN(const std::vector<Finding> findings, AllFindings(store, indexes, context));
  const std::vector<Finding> shown = ShownFindings(findings);
  if (!shown.empty()) row.finding = WhatOf(shown.front());
  return row;
}

// A wall time near those of all jobs; kNoInt: there are no two to compare, or none is known.
int64_t BaseTimeOf(const std::vector<Job>& jobs) {
  if (jobs.size() < 2) return kNoInt;
  for (const Job& job : jobs) {
    const int64_t wall_ns = job.store == nullptr ? kNoInt : WallTimeOf(*job.store);
    if (wall_ns != kNoInt) return wall_ns;
  }
  return kNoInt;
}

// Compares when the devices of several jobs are busy.
void AddContention(const std::vector<Job>& jobs, std::span<const std::vector<UsedDevice>> uses,
                   std::vector<JobRow>* rows) {
  const std::vector<Contention> found = ContentionOf(uses);
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (uses[i].empty()) continue;
    JobRow& row = (*rows)[i];
    row.contended_ps = found[i].waits_ps / static_cast<int64_t>(uses[i].size());
    std::vector<std::string> names;
    for (const size_t other : found[i].other) names.push_back(jobs[other].name);
    if (!names.empty()) row.contended_by = Listed(names);
  }
}

// The name of a profile that was opened alone.
std::string NameOf(const Store& store) {
  if (store.capture) return store.capture->folder;
  return store.sources.empty() ? std::string() : store.sources[0].path;
}

Result<std::vector<JobRow>> RowsOf(const StorePtr& store, const Indexes& indexes,
                                   const std::vector<Job>& jobs, Context& context) {
  std::vector<JobRow> rows;
  if (jobs.empty()) {
    TFPROF_ASSIGN(rows.emplace_back(), RowOf(NameOf(*store), store, indexes, context));
  }
  const int64_t base_ns = BaseTimeOf(jobs);
  std::vector<std::vector<UsedDevice>> uses(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    const Job& job = jobs[i];
    if (job.store == nullptr) {
      rows.push_back({job.name});
      continue;
    }
    // The indexes of another job live until its row is made: they may be larger than it.
    const Indexes own(job.store);
    const Indexes& of_job = job.store == store ? indexes : own;
    TFPROF_ASSIGN(rows.emplace_back(), RowOf(job.name, job.store, of_job, context));
    if (base_ns == kNoInt) continue;
    TFPROF_ASSIGN(uses[i], UseOf(*job.store, of_job, base_ns, context));
  }
  AddContention(jobs, uses, &rows);
  return rows;
}

bool AnyIs(const std::vector<JobRow>& rows, int64_t JobRow::*count) {
  return std::ranges::any_of(rows, [&](const JobRow& row) { return row.*count != kNoInt; });
}

Table JobsTable(const std::vector<JobRow>& rows, TextPool* pool) {
  Table table = MakeTable(kJobsTable, rows.size());
  Fill(table, "job", rows, [&](const JobRow& row) { return pool->Keep(row.name); });
  Fill(table, "host", rows, [&](const JobRow& row) { return pool->Keep(row.hosts); });
  const bool are_known = AnyIs(rows, &JobRow::processes);
  Fill(table, "processes", rows, [](const JobRow& row) {
    return row.processes;
  }).spec.human_readable = are_known;
  Fill(table, "job_state", rows, [](const JobRow& row) { return row.state; }).spec.human_readable =
      are_known;
  Fill(table, "steps", rows, [](const JobRow& row) { return row.steps; });
  Fill(table, "step_median_us", rows, [](const JobRow& row) { return row.step_ps; });
  Fill(table, "devices", rows, [](const JobRow& row) { return row.devices; });
  Fill(table, "busy_us", rows, [](const JobRow& row) { return row.busy_ps; });
  Fill(table, "idle_us", rows, [](const JobRow& row) { return row.idle_ps; });
  Fill(table, "idle_pct", rows, [](const JobRow& row) { return row.idle_pct; });
  Fill(table, "contended_us", rows, [](const JobRow& row) {
    return row.contended_ps;
  }).spec.human_readable = std::ranges::any_of(rows, [](const JobRow& row) {
    return row.contended_ps > 0;
  });
  const auto text_or_none = [&](const std::string& text) {
    return text.empty() ? std::string_view() : pool->Keep(text);
  };
  Fill(table, "contended_by", rows, [&](const JobRow& row) {
    return text_or_none(row.contended_by);
  }).spec.human_readable = std::ranges::any_of(rows, [](const JobRow& row) {
    return !row.contended_by.empty();
  });
  Fill(table, "began", rows, [&](const JobRow& row) {
    return text_or_none(row.began);
  }).spec.human_readable = std::ranges::any_of(rows, [](const JobRow& row) {
    return !row.began.empty();
  });
  Fill(table, "notes", rows, [](const JobRow& row) { return row.notes; });
  Fill(table, "finding", rows, [&](const JobRow& row) { return pool->Keep(row.finding); });
  return table;
}

}  // namespace

Result<Report> Jobs(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context) {
  TFPROF_ASSIGN(const std::vector<JobRow> rows, RowsOf(store, indexes, query.jobs, context));
  Report report = NewReport("jobs", store);
  if (query.jobs.size() > 1) report.notes.clear();  // of one job of several
  for (const Job& job : query.jobs) {
    if (job.store != nullptr) continue;
    report.notes.push_back({note::With(note::job_not_opened, {job.error}), 1, job.name, kNoInt});
  }
  report.tables.push_back(JobsTable(rows, report.pool.get()));
  if (!query.gpus.empty()) {
    report.tables.push_back(GpusNowTable(query.gpus, query.jobs, report.pool.get()));
  }
  return report;
}

TableDefs JobsTables() { return {&kJobsTable, &GpusNowDef()}; }

}  // namespace tfprof
