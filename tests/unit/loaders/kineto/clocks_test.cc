// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/clocks.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/store/note_catalogue.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"

namespace tfprof::clocks_test {
namespace {

// Collectives of 5 us that end at these times, and an operation at 0. `group`: none if empty.
std::string TraceOfRank(int rank, std::string_view name, const std::vector<int>& ends_us,
                        std::string_view group = "") {
  std::string text = fmt::format(
      R"({{"distributedInfo":{{"rank":{},"world_size":2}},"traceEvents":[
        {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":2}})",
      rank);
  for (const int end : ends_us) {
    text += fmt::format(
        R"(,{{"ph":"X","cat":"user_annotation","name":"{}","pid":1,"tid":1,"ts":{},"dur":5,
          "args":{{{}}}}})",
        name, end - 5, group.empty() ? "" : fmt::format(R"("Process Group Ranks":"{}")", group));
  }
  return text + "]}";
}

struct Opened {
  StorePtr store;
  std::vector<int64_t> ends_us;  // of all collectives, by row
  std::string note;
};

Opened OpenTraces(std::string_view name, const std::vector<std::string>& traces) {
  const TestFolder folder;
  std::vector<Input> inputs;
  for (const std::string& trace : traces) {
    inputs.push_back({folder / fmt::format("{}.json", inputs.size())});
    WriteFile(inputs.back().path, trace);
  }
  Context context;
  Opened opened{Load(inputs, context).value(), {}, ""};
  const Store& store = *opened.store;
  for (uint32_t row = 0; row < store.EventCount(); ++row) {
    if (store.Text(store.labels[store.events.label[row].value].name) != name) continue;
    opened.ends_us.push_back(store.events.EndPs(row) / kPsPerUs);
  }
  for (const Note& note : store.notes) {
    if (note.what.row == &note::clocks_of_ranks) opened.note = note.what.Text();
  }
  return opened;
}

Opened Open(std::string_view name, const std::vector<int>& first, const std::vector<int>& second) {
  return OpenTraces(name, {TraceOfRank(0, name, first), TraceOfRank(1, name, second)});
}

}  // namespace

TEST_CASE("clocks: collectives end at the same time on all ranks") {
  const Opened opened = Open("gloo:all_reduce", {20, 40, 60, 80}, {1020, 1041, 1059, 1080});
  CHECK(opened.ends_us == std::vector<int64_t>{20, 40, 60, 80, 20, 41, 59, 80});
  CHECK(opened.note.find("by up to 1.00 ms") != std::string::npos);
}

TEST_CASE("clocks: a difference within the residual is none, and a broadcast ends at any time") {
  CHECK(Open("gloo:all_reduce", {20, 40, 60, 80}, {21, 42, 58, 83}).ends_us.back() == 83);
  CHECK(Open("gloo:broadcast", {20, 40, 60}, {1020, 1040, 1060}).ends_us.back() == 1060);
  // Ranks that ran it differently often cannot be compared.
  CHECK(Open("gloo:all_reduce", {20, 40, 60}, {1020, 1040, 1060, 1080}).ends_us.back() == 1080);
}

TEST_CASE("clocks: a rank has one, in all its files") {
  constexpr char kName[] = "gloo:all_reduce";
  const Opened opened = OpenTraces(
      kName,
      {TraceOfRank(0, kName, {20, 40, 60}), TraceOfRank(0, kName, {520, 540, 560}),
       TraceOfRank(1, kName, {1020, 1040, 1060}), TraceOfRank(1, kName, {1520, 1540, 1560})});
  CHECK(opened.ends_us ==
        std::vector<int64_t>{20, 40, 60, 520, 540, 560, 20, 40, 60, 520, 540, 560});
  CHECK(OpenTraces(kName,
                   {TraceOfRank(0, kName, {20, 40, 60}), TraceOfRank(1, kName, {1020, 1040, 1060}),
                    TraceOfRank(1, kName, {1520, 1540, 1560})})
            .ends_us.back() == 1560);
}

TEST_CASE("clocks: ranks of one group are compared, and those of a chain of groups") {
  constexpr char kName[] = "gloo:all_reduce";
  const auto ends = [&](const char* of_second) {
    return OpenTraces(kName, {TraceOfRank(0, kName, {20, 40, 60}, "[0, 1]"),
                              TraceOfRank(1, kName, {1020, 1040, 1060}, of_second),
                              TraceOfRank(2, kName, {3020, 3040, 3060}, "[2, 3]"),
                              TraceOfRank(3, kName, {3120, 3140, 3160}, "[2, 3]")})
        .ends_us;
  };
  CHECK(ends("[0, 1]") ==
        std::vector<int64_t>{20, 40, 60, 20, 40, 60, 3020, 3040, 3060, 3020, 3040, 3060});
  const auto chain = [&](const char* second, const char* third) {
    const std::string of_both = TraceOfRank(1, kName, {1020, 1040, 1060}, second);
    const std::string rest = TraceOfRank(1, kName, {1220, 1240, 1260}, third);
    return OpenTraces(kName, {TraceOfRank(0, kName, {20, 40, 60}, "[0, 1]"), of_both, rest,
                              TraceOfRank(2, kName, {5220, 5240, 5260}, "[1, 2]")})
        .ends_us.back();
  };
  CHECK(chain("[0, 1]", "[1, 2]") == 260);
  CHECK(chain("[0, 1]", "[1, 3]") == 5260);
}

TEST_CASE("clocks: without groups, ends that vary like those of other collectives prove nothing") {
  CHECK(Open("gloo:all_reduce", {20, 40, 60, 80}, {1020, 1050, 1050, 1090}).ends_us.back() == 1090);
}

}  // namespace tfprof::clocks_test
