// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The events themselves, a row each, by lane and start, without aggregation.
//
// Columns: those of EventsTables. self_us is the duration minus the direct children; step is
// present if the profile has steps.
// -columns, -where and -order_by also take every attribute that some event has, by its own name or
// ours (core/store/details.h). An attribute that is a number on all events has a numeric column,
// any other one a text column.
//
// With -n the rows are few: the first ones that pass, or the best ones by an order. Without it they
// come as Report::blocks, in any number. Errors: usage (a term of -where that does not fit, no such
// step), cancelled, corrupt (a file was truncated).
Result<Report> EventsView(const StorePtr& store, const Indexes& indexes, const Query& query,
                          Context& context);

// Declares its tables, without columns of attributes.
TableDefs EventsTables();

}  // namespace tfprof
