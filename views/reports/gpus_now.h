// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The processes on the GPUs of this machine, one row each, and the jobs that they belong to by the
// manifests; a GPU without processes has a row.
const TableDef& GpusNowDef();
Table GpusNowTable(const std::vector<GpuNow>& gpus, const std::vector<Job>& jobs, TextPool* pool);

}  // namespace tfprof
