// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The events themselves, a row each, by lane and start: nothing is added up.
//
// Columns: those of EventsTables; self_us is less what lies directly within, step is there where
// the profile has steps.
// -columns, -where and -order_by also take every attribute that some event has, by its own name or
// ours (core/store/details.h). An attribute that is a number on all events is one here; else a
// text.
//
// With -n the rows are few: the first ones that pass, or of an order the best. Without it they
// come as Report::blocks, and the profile may have any number. Errors: usage (a term of -where
// that does not fit, no such step), cancelled, corrupt (a file became shorter).
Result<Report> EventsView(const StorePtr& store, const Indexes& indexes, const Query& query,
                          Context& context);

// What it answers with, besides columns of attributes.
TableDefs EventsTables();

}  // namespace tfprof
