// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"

namespace tfprof {

// The trace export of scope and code, as the original writes it: not when something ran, but how
// the time of a row divides. Each depth is a group ("Scope:N") with one track. The root starts at
// 0. Children follow each other from their parent's start, each as long as its total time. Rows
// without time are left out with all rows below them. Groups are depths 0, 1, ..., even if nothing
// is exported.
TraceExport IcicleExport();

}  // namespace tfprof
