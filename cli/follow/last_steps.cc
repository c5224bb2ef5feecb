// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/last_steps.h"

#include "cli/answer/destination.h"
#include "cli/ask/command.h"
#include "core/query/query.h"
#include "core/report/refine.h"
#include "core/report/report.h"
#include "emitters/emitter.h"
#include "views/answer.h"
#include "views/view.h"

namespace tfprof {

Result<void> WriteLastSteps(Session& session, int64_t rows) {
  Work work(session);
  Query query;
  query.place = PlaceFilter::Exact();
  query.display.format = "table";
  query.display.rows = rows;
  query.display.order_column = "offset_us";
  TFPROF_ASSIGN(Report report, Make(session.profile, *FindView("steps"), query, work.context));
  report.tables.resize(1);  // without that of each device
  if (report.tables[0].rows == 0) return {};
  report.properties.clear();  // the summary has them
  report.notes.clear();
  TFPROF_TRY(Refine(report, query.display));
  const Emitter& emitter = *FindEmitter("table");
  TFPROF_TRY(PrepareFor(emitter, &report, work.context));
  return WriteReport(session, report, query, emitter, JoinWords({"steps"}), work);
}

}  // namespace tfprof
