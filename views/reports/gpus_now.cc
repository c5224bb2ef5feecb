// SPDX-License-Identifier: Apache-2.0
#include "views/reports/gpus_now.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "core/store/store.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kGpusColumns[] = {
    IntegerDef("gpu", "GPU", Unit::none, "Number of a GPU of this machine, as the driver counts."),
    TextDef("gpu_name", "model", "Its model."),
    RealDef("utilization_pct", "busy %", Unit::percent,
            "Share of the last second in which a kernel ran on the GPU, of all processes."),
    BytesDef("gpu_used_bytes", "used", "Memory of the GPU that is in use by all processes."),
    BytesDef("gpu_total_bytes", "of", "Memory of the GPU."),
    IntegerDef("gpu_process", "process", Unit::none, "ID of a process that uses the GPU now."),
    TextDef("process_program", "program", "Its program."),
    TextDef("user", "user", "Its user."),
    TextDef("process_began", "since", "When it began, in UTC."),
    BytesDef("process_bytes", "its memory", "Memory of the GPU that it uses."),
    TextDef("job_of_process", "job", "The job that it belongs to, by the manifests."),
};
constexpr TableDef kGpusTable{"gpus", "GPUs of this machine now", kGpusColumns};

struct GpuRow {
  const GpuNow* gpu;
  const GpuProcess* process;  // null: none
};

// The job with a process of this ID that still ran when its trace was made.
std::string_view JobOf(const GpuProcess& process, const std::vector<Job>& jobs) {
  for (const Job& job : jobs) {
    if (job.store == nullptr || !job.store->capture) continue;
    for (const CapturedProcess& captured : job.store->capture->processes) {
      if (captured.is_running && captured.pid == process.pid) return job.name;
    }
  }
  return {};
}

}  // namespace

const TableDef& GpusNowDef() { return kGpusTable; }

Table GpusNowTable(const std::vector<GpuNow>& gpus, const std::vector<Job>& jobs, TextPool* pool) {
  std::vector<GpuRow> rows;
  for (const GpuNow& gpu : gpus) {
    if (gpu.processes.empty()) rows.push_back({&gpu, nullptr});
    for (const GpuProcess& process : gpu.processes) rows.push_back({&gpu, &process});
  }
  const auto keep = [&](std::string_view text) {
    return text.empty() ? std::string_view() : pool->Keep(std::string(text));
  };
  const auto of_process = [&](std::string GpuProcess::*text) {
    return [&keep, text](const GpuRow& row) {
      return row.process == nullptr ? std::string_view() : keep(row.process->*text);
    };
  };
  const auto number = [](int64_t GpuProcess::*field) {
    return [field](const GpuRow& row) {
      return row.process == nullptr ? kNoInt : row.process->*field;
    };
  };
  Table table = MakeTable(kGpusTable, rows.size());
  Fill(table, "gpu", rows, [](const GpuRow& row) { return row.gpu->index; });
  Fill(table, "gpu_name", rows, [&](const GpuRow& row) { return keep(row.gpu->name); });
  Fill(table, "utilization_pct", rows, [](const GpuRow& row) { return row.gpu->busy_pct; });
  Fill(table, "gpu_used_bytes", rows, [](const GpuRow& row) { return row.gpu->used_bytes; });
  Fill(table, "gpu_total_bytes", rows, [](const GpuRow& row) { return row.gpu->total_bytes; });
  Fill(table, "gpu_process", rows, number(&GpuProcess::pid));
  Fill(table, "process_program", rows, of_process(&GpuProcess::program));
  Fill(table, "user", rows, of_process(&GpuProcess::user));
  Fill(table, "process_began", rows, of_process(&GpuProcess::began));
  Fill(table, "process_bytes", rows, number(&GpuProcess::memory_bytes));
  Fill(table, "job_of_process", rows, [&](const GpuRow& row) {
    return row.process == nullptr ? std::string_view() : keep(JobOf(*row.process, jobs));
  });
  return table;
}

}  // namespace tfprof
