// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/ranks.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/base/arith.h"
#include "tests/support/source_of.h"

namespace tfprof::ranks_test {
namespace {

std::string TraceOfRank(const std::string& rank) {
  const std::string info =
      rank.empty() ? "" : fmt::format(R"("distributedInfo":{{"rank":{},"world_size":4}},)", rank);
  return fmt::format(
      R"({{{}"traceEvents":[{{"ph":"X","cat":"cpu_op","name":"aten::mm","pid":1,"tid":1,"ts":{},
        "dur":2}}]}})",
      info, rank);
}

std::vector<std::string> HostsOf(const std::string& folder, std::string_view ranks) {
  Context context;
  const Result<StorePtr> store =
      Load({{.path = folder, .ranks = ParseRanks(ranks).value()}}, context);
  if (!store) return {store.error().what};
  std::vector<std::string> hosts;
  for (const Host& host : (*store)->hosts) hosts.emplace_back((*store)->Text(host.name));
  return hosts;
}

}  // namespace

TEST_CASE("ranks are numbers and ranges of them") {
  const auto ranges = ParseRanks("0,8:16").value();
  CHECK(TakesRank(ranges, 0));
  CHECK_FALSE(TakesRank(ranges, 1));
  CHECK(TakesRank(ranges, 16));
  CHECK_FALSE(TakesRank(ranges, kNoInt));
  CHECK(TakesRank({}, kNoInt));
  for (const char* wrong : {"", "x", "1,", "3:1", "-1", "1:2:3"}) CHECK_FALSE(ParseRanks(wrong));
}

TEST_CASE("ranks are written as they are read") {
  for (const char* text : {"0", "0,8:16", "1:2,4,7:9"}) {
    CHECK(RanksText(ParseRanks(text).value()) == text);
  }
}

TEST_CASE("the rank of a file is in its name") {
  CHECK(RankInName("a/rank3.json") == 3);
  CHECK(RankInName("rank5/train_Rank-12.pt.trace.json.gz") == 12);
  CHECK(RankInName("ranking.json") == kNoInt);
  CHECK(RankInName("rank7/host_123.pt.trace.json") == kNoInt);
}

TEST_CASE("a folder is read with the files of the selected ranks") {
  const TestFolder folder;
  WriteFile(folder / "a.pt.trace.json", TraceOfRank("0"));
  WriteFile(folder / "b.pt.trace.json", TraceOfRank("1"));
  WriteFile(folder / "c.pt.trace.json", TraceOfRank("2"));
  WriteFile(folder / "rank3.pt.trace.json", "not even a trace");
  CHECK(HostsOf(folder / "", "0,2") == std::vector<std::string>{"rank 0", "rank 2"});
  CHECK(HostsOf(folder / "", "1") == std::vector<std::string>{"rank 1"});
  CHECK(HostsOf(folder / "", "8:9") ==
        std::vector<std::string>{"no file is of a rank that --ranks selects"});
}

TEST_CASE("the recorded rank of a file counts, not that of its name") {
  const TestFolder folder;
  WriteFile(folder / "rank7.pt.trace.json", TraceOfRank("0"));
  WriteFile(folder / "rank0.pt.trace.json", TraceOfRank("1"));
  CHECK(HostsOf(folder / "", "0") == std::vector<std::string>{"rank 0"});
  CHECK(HostsOf(folder / "rank7.pt.trace.json", "0") == std::vector<std::string>{"rank 0"});
  CHECK(HostsOf(folder / "", "7") ==
        std::vector<std::string>{"no file is of a rank that --ranks selects"});
}

TEST_CASE("a folder without profiles has none of any rank") {
  const TestFolder folder;
  Context context;
  const auto error =
      Load({{.path = folder / "", .ranks = ParseRanks("0").value()}}, context).error();
  CHECK(error.what.find("no profiles") != std::string::npos);
  CHECK(error.kind == ErrorKind::unreadable);
}

}  // namespace tfprof::ranks_test
