// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <string>

#include "core/store/note_catalogue.h"
#include "loaders/formats.h"
#include "loaders/open.h"

namespace tfprof::execution_trace_test {
namespace {

const std::string kExecution =
    R"({"schema": "1.1.1-chakra.0.0.4", "pid": 7, "time": "2026-01-01 00:00:00", "start_ts": 5,
        "nodes": [{"id": 2, "name": "aten::mm", "ctrl_deps": 1, "inputs": {"values": []}}]})";
const std::string kTimes =
    R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 7, "tid": 7,
        "ts": 1, "dur": 2}]})";

Input InputOf(const std::string& path, const std::string& bytes) {
  Input input;
  input.path = path;
  input.bytes = std::make_shared<const std::string>(bytes);
  return input;
}

}  // namespace

TEST_CASE("an execution trace is recognized by what is before its nodes") {
  const auto score = [](std::string text) {
    const size_t size = text.size();
    text.append(SourceFile::kPadding, '\0');
    return kExecutionTraceLoader.score(std::string_view(text).substr(0, size));
  };
  CHECK(score(kExecution) == 100);
  CHECK(score(kExecution.substr(0, 140)) == 100);  // truncated
  CHECK(score(R"({"schema": "1.0.1", "nodes": []})") == 100);
  CHECK(score(R"({"nodes": []})") == 0);
  CHECK(score(R"({"schema": 1, "nodes": []})") == 0);
  CHECK(score(R"({"schema": "1", "nodes": {}})") == 0);
  CHECK(score(kTimes) == 0);
  CHECK(score("[1]") == 0);
}

TEST_CASE("an execution trace has no times: an error says which file to open instead") {
  Context context;
  const auto loaded = Load({InputOf("et.json", kExecution)}, context);
  REQUIRE_FALSE(loaded.has_value());
  CHECK(loaded.error().what.find("execution trace") != std::string::npos);
  CHECK(loaded.error().hint.find("NAME.pt.trace.json") != std::string::npos);
}

TEST_CASE("beside the trace of its run, an execution trace is skipped with a note") {
  Context context;
  const auto loaded = Load({InputOf("et.json", kExecution), InputOf("t.json", kTimes)}, context);
  REQUIRE(loaded.has_value());
  CHECK((*loaded)->EventCount() == 1);
  CHECK((*loaded)->sources.size() == 1);
  REQUIRE((*loaded)->notes.size() == 1);
  CHECK((*loaded)->notes[0].what == note::execution_traces);
}

}  // namespace tfprof::execution_trace_test
