// SPDX-License-Identifier: Apache-2.0
#include "emitters/trace/trace.h"

#include <catch2/catch.hpp>
#include <vector>

#include "emitters/cells.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::trace_trace_test {
namespace {

template <class T>
Cursor<T> CursorOf(std::vector<T> rows) {
  return [rows = std::move(rows), next = size_t{0}](std::span<T> out) mutable {
    size_t filled = 0;
    while (filled < out.size() && next < rows.size()) out[filled++] = rows[next++];
    return filled;
  };
}

std::string Json(const Trace& trace) {
  const StorePtr store = StoreOf({});
  Sink sink;
  Context context;
  REQUIRE(EmitTrace(*store, trace, sink, context));
  return sink.buffer;
}

std::string Micros(uint64_t ps) {
  std::string text;
  AppendDecimal(ps, 6, &text);
  return text;
}

}  // namespace

TEST_CASE("trace: picoseconds are exact decimals of microseconds") {
  CHECK(Micros(0) == "0");
  CHECK(Micros(1) == "0.000001");
  CHECK(Micros(1'500'000) == "1.5");
  CHECK(Micros(26'705'999'000) == "26705.999");
  CHECK(Micros(18'446'744'073'709'551'615u) == "18446744073709.551615");
}

TEST_CASE("trace: each level is a thread, named at its first use") {
  Trace trace;
  trace.groups = {{"gpu"}};
  trace.tracks = {{0, "stream"}};
  trace.spans = CursorOf<TraceSpan>({{1'000'000, 500, "k", 0, 0}, {1'000'000, 500, "k", 0, 1}});
  trace.flows = CursorOf<TraceFlow>({{1'000'400, 1'000'500, "launch", 0, 0, 0, 1}});
  const std::string json = Json(trace);
  for (const char* event : {
           R"("M","pid":1,"tid":0,"name":"process_name","args":{"name":"gpu"}})",
           R"("M","pid":1,"tid":1,"name":"thread_name","args":{"name":"stream"}})",
           R"("X","pid":1,"tid":1,"ts":1,"dur":0.0005,"name":"k"})",
           R"x("M","pid":1,"tid":2,"name":"thread_name","args":{"name":"stream (2)"}})x",
           R"("X","pid":1,"tid":2,"ts":1,"dur":0.0005,"name":"k"})",
           R"("s","pid":1,"tid":1,"ts":1.0004,"id":1,"cat":"flow","name":"launch"})",
           R"("f","pid":1,"tid":2,"ts":1.0005,"id":1,"cat":"flow","name":"launch","bp":"e"})",
       }) {
    CHECK_THAT(json, Catch::Contains(std::string("\n{\"ph\":") + event));
  }
}

TEST_CASE("trace: names of any bytes become valid JSON") {
  Trace trace;
  trace.groups = {{std::string("\"\\\n\xff\x00", 5)}};
  trace.counters = {{0, "\xc3\xa9"}};
  trace.samples = CursorOf<TraceSample>({{0, -3, 0, {}}});
  const std::string json = Json(trace);
  CHECK_THAT(json, Catch::Contains(R"("name":"\"\\\n\ufffdFF\u0000")"));
  CHECK_THAT(json, Catch::Contains("\"name\":\"\xc3\xa9\",\"args\":{\"bytes\":-3}"));
}

TEST_CASE("trace: counters are in their groups, with their values over time") {
  Trace trace;
  trace.groups = {{"host"}, {"gpu"}};
  trace.counters = {{1, "in use"}, {0, "allocated"}};
  trace.samples = CursorOf<TraceSample>({{2'000'000, 7, 0, {}}, {3'000'000, -7, 1, {}}});
  const std::string json = Json(trace);
  CHECK_THAT(json, Catch::Contains("{\"ph\":\"C\",\"pid\":2,\"tid\":0,\"ts\":2,"
                                   "\"name\":\"in use\",\"args\":{\"bytes\":7}}"));
  CHECK_THAT(json, Catch::Contains("{\"ph\":\"C\",\"pid\":1,\"tid\":0,\"ts\":3,"
                                   "\"name\":\"allocated\",\"args\":{\"bytes\":-7}}"));
}

TEST_CASE("trace: times count from the first start, even for events 200 days apart") {
  Trace trace;
  trace.earliest_ps = -9'000'000'000'000'000'000;
  trace.groups = {{"g"}};
  trace.tracks = {{0, "t"}};
  trace.spans = CursorOf<TraceSpan>({{9'000'000'000'000'000'000, 1, "late", 0, 0}});
  CHECK_THAT(Json(trace), Catch::Contains("\"ts\":18000000000000,\"dur\":0.000001"));
}

TEST_CASE("trace: details are exact, those of the event before those of its label") {
  TestProcess process;
  const TestDetails details = {{"small", int64_t{-7}},
                               {"id", ~uint64_t{0}},
                               {"id of the other sign", int64_t{-(int64_t{1} << 62)}},
                               {"real", 0.25},
                               {"endless", std::numeric_limits<double>::infinity()},
                               {"text", "a \"b\""}};
  process.lanes = {{.name = "t", .events = {{"e", 0, 1, details}}}};
  process.of_label = {{"e", {{"small", int64_t{5}}, {"flops", int64_t{9}}}}};
  const StorePtr store = TraceOf({process});
  Trace trace;
  trace.details = true;
  trace.groups = {{"g"}};
  trace.tracks = {{0, "t"}};
  trace.spans = CursorOf<TraceSpan>({{0, 1, "e", 0, 0, EventId(0)}});
  Sink sink;
  Context context;
  REQUIRE(EmitTrace(*store, trace, sink, context));
  CHECK_THAT(sink.buffer, Catch::Contains(R"("args":{"flops":9,"small":5,"endless":"inf",)"
                                          R"("id":"18446744073709551615",)"
                                          R"("id of the other sign":"-4611686018427387904",)"
                                          R"("real":0.25,"small":-7,"text":"a \"b\""})"));
}

TEST_CASE("trace: writing can be cancelled") {
  Trace trace;
  trace.groups = {{"g"}};
  trace.tracks = {{0, "t"}};
  trace.spans = CursorOf<TraceSpan>(std::vector<TraceSpan>(10'000, {0, 1, "x", 0, 0}));
  Sink sink;
  Context context;
  context.polls_until_cancel = 3;
  const auto done = EmitTrace(*StoreOf({}), trace, sink, context);
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::cancelled);
}

}  // namespace tfprof::trace_trace_test
