// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/clocks.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/store/note_catalogue.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"

namespace tfprof::clocks_test {
namespace {

// Collectives of 5 us that end at these times, and an operation at 0.
std::string TraceOfRank(int rank, std::string_view name, const std::vector<int>& ends_us) {
  std::string text = fmt::format(
      R"({{"distributedInfo":{{"rank":{},"world_size":2}},"traceEvents":[
        {{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":0,"dur":2}})",
      rank);
  for (const int end : ends_us) {
    text += fmt::format(
        R"(,{{"ph":"X","cat":"user_annotation","name":"{}","pid":1,"tid":1,"ts":{},"dur":5}})",
        name, end - 5);
  }
  return text + "]}";
}

struct Opened {
  StorePtr store;
  std::vector<int64_t> ends_us;  // of all collectives, by row
  std::string note;
};

Opened Open(std::string_view name, const std::vector<int>& first, const std::vector<int>& second) {
  const TestFolder folder;
  WriteFile(folder / "a.json", TraceOfRank(0, name, first));
  WriteFile(folder / "b.json", TraceOfRank(1, name, second));
  Context context;
  Opened opened{Load({{folder / "a.json"}, {folder / "b.json"}}, context).value(), {}, ""};
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

}  // namespace tfprof::clocks_test
