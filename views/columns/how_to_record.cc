// SPDX-License-Identifier: Apache-2.0
#include "views/columns/how_to_record.h"

#include <algorithm>

#include "analysis/indexes.h"

namespace tfprof {

Result<void> AddHowToRecord(const NoteRow& how, MakeReport* make, const Indexes& indexes,
                            const Query& query, Context& context, Report* report) {
  const StorePtr& store = report->store;
  if ((query.place.FiltersPlaces() || query.place.SelectsSteps()) && store->IsTrace()) {
    Query all = query;
    all.place = {};
    TFPROF_ASSIGN(const Report of_all, make(store, indexes, all, context));
    const bool none_at_all = std::any_of(of_all.notes.begin(), of_all.notes.end(),
                                         [&](const Note& note) { return note.what == how; });
    if (!none_at_all) return {};
  }
  report->notes.push_back(HowToRecord(how, *store));
  return {};
}

}  // namespace tfprof
