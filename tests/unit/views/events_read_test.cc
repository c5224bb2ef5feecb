// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "emitters/emitter.h"
#include "loaders/open.h"
#include "tests/support/recorded_traces.h"
#include "views/view.h"

// What a view declares to read is all that its answer is made of: on recorded profiles, ours and
// those that lie beside the checkout.

namespace tfprof::events_read_test {
namespace {

// All columns and properties. Notes of the loader are about what it read, which may be less.
std::string AnswerOf(const View& view, const StorePtr& store) {
  Context context;
  Query query;
  query.display.format = "json";
  const Indexes indexes(store);
  Result<Report> report = view.make(store, indexes, query, context);
  if (!report) return "error: " + report.error().what;
  std::erase_if(report->notes, [&](const Note& note) {
    return std::any_of(store->notes.begin(), store->notes.end(),
                       [&](const Note& loaded) { return loaded.what == note.what; });
  });
  Sink sink;
  REQUIRE(FindEmitter("json")->emit(*report, query, {}, sink, context));
  return std::move(sink.buffer);
}

}  // namespace

TEST_CASE("an answer needs only the events that its view declares") {
  const std::vector<std::string> paths = RecordedTraces();
  REQUIRE(paths.size() >= 3);
  for (const std::string& path : paths) {
    Context context;
    const auto whole = Load({{path, ""}}, context);
    if (!whole) continue;  // a damaged one
    for (const View& view : Views()) {
      const EventsRead read = ReadBy(view, {});
      if (read.All()) continue;
      INFO(path << ": " << view.name);
      const StorePtr part = Load({{path, ""}}, context, read).value();
      CHECK(AnswerOf(view, part) == AnswerOf(view, *whole));
    }
  }
}

TEST_CASE("with steps every view reads all events") {
  Query query;
  query.place.step = 0;
  for (const View& view : Views()) CHECK(ReadBy(view, query).All());
}

}  // namespace tfprof::events_read_test
