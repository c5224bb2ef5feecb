// SPDX-License-Identifier: Apache-2.0
#pragma once

// Profiles of machine-learning programs: open, answer, emit.
//
//   tfprof::Result<tfprof::Profile> profile = tfprof::Open({"profile.pb"});
//   if (!profile) return Complain(profile.error().Text());
//   tfprof::Result<tfprof::Report> report =
//       tfprof::Answer(*profile, {.view = "op", .options = {{"order_by", "time_us"}, {"n",
//       "10"}}});
//   for (const tfprof::Column& column : report->tables()[0].columns) ...
//   std::string csv = *tfprof::Emit(*report, "csv");
//
// docs/api/cpp.md has the interface in words; docs/columns.md has every column and its unit.

#include <tfprof/profile.h>
#include <tfprof/profiler.h>
#include <tfprof/report.h>
#include <tfprof/result.h>
