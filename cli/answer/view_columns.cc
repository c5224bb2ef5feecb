// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/view_columns.h"

namespace tfprof {

Result<Report> AnswerWithoutRows(const View& view, const Session& session) {
  auto nothing = std::make_shared<Store>();
  if (!session.profile.store->processes.empty()) {
    nothing->hosts.emplace_back();
    Process& process = nothing->processes.emplace_back();
    process.host = HostId(0);
    process.kind = ProcessKind::host;
  }
  const Indexes indexes(nothing);
  Query query = session.options;
  query.base = nothing;
  query.step = query.last_step = Query().step;
  Context context;
  return view.make(nothing, indexes, query, context);
}

}  // namespace tfprof
