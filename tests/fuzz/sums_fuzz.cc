// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile: the whole is the same in all views, and the sum of its parts.
#include <fmt/core.h>

#include <optional>

#include "core/base/arith.h"
#include "core/query/options.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

// All rows: also what is negative counts.
Report AnswerOf(const Profile& profile, std::string_view view) {
  Query query;
  const bool selects =
      SetOption(*FindOption("select"), "micros,bytes,params,float_ops", query).has_value();
  Require(selects, "a measure is unknown");
  query.tree = HidesNone();
  Context context;
  Result<Report> report = Answer(profile, *FindView(view), query, context);
  Require(report.has_value(), std::string(view) + ": no answer");
  return std::move(*report);
}

// What the rows at the top have with all below them, by the original id. None: the answer has no
// such measure.
std::optional<int64_t> SumOf(const Report& report, const std::string& id) {
  const Table& table = report.tables[0];
  const ReportColumn* column = table.Find((table.tree ? "total_" : "") + id);
  if (column == nullptr) return std::nullopt;
  int64_t sum = 0;
  for (size_t row = 0; row < table.rows; ++row) {
    const bool is_top = !table.tree || table.parent[row] == Table::kNoRow;
    if (!is_top || column->Integer(row) == kNoInt) continue;
    const int64_t value = column->Integer(row);
    sum = id == "micros" ? SaturatingAdd(sum, value) : WrapAdd(sum, value);
  }
  return sum;
}

// `measures`: how many of the four have to be there.
void CompareSums(const StorePtr& store, int measures) {
  const Profile profile(store);
  const Report scope = AnswerOf(profile, "scope"), op = AnswerOf(profile, "op"),
               graph = AnswerOf(profile, "graph");
  for (const std::string id : {"micros", "bytes", "params", "float_ops"}) {
    const std::optional<int64_t> sums[] = {SumOf(scope, id), SumOf(op, id), SumOf(graph, id)};
    if (!sums[0] || !sums[1] || !sums[2]) continue;
    --measures;
    Require(sums[0] == sums[1] && sums[0] == sums[2],
            fmt::format("{} of scope, op and graph: {} {} {}", id, *sums[0], *sums[1], *sums[2]));
  }
  Require(measures <= 0, "a measure that no view has");
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static const bool all_are_there = (CompareSums(SmallProfile(), 4), true);
  (void)all_are_there;
  const StorePtr store = LoadLikeliest(BytesOf(data, size));
  if (store == nullptr) return 0;
  CompareSums(store, 0);
  return 0;
}
