// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/spans.h"

#include <catch2/catch.hpp>
#include <random>

namespace tfprof::spans_test {
namespace {

// The spans of some lanes, each by start: of many lanes that are busy, of few, of none but moments.
std::vector<std::vector<GroupedSpan>> RandomLanes(std::mt19937_64& random) {
  const auto below = [&](uint64_t max) { return static_cast<int64_t>(random() % max); };
  std::vector<std::vector<GroupedSpan>> lanes(static_cast<size_t>(1 + below(12)));
  const int64_t longest = 1 + below(60), pause = 1 + below(90);
  for (auto& lane : lanes) {
    int64_t at_ps = below(50);
    for (int64_t i = below(300); i > 0; --i) {
      const int64_t duration_ps = below(6) == 0 ? 0 : below(static_cast<uint64_t>(longest));
      const auto group = static_cast<uint32_t>(3 + at_ps / 4000);
      const auto of = static_cast<StepClass>(random() % kStepClasses);
      lane.push_back({at_ps, at_ps + duration_ps, group, of});
      at_ps += below(static_cast<uint64_t>(pause)) + (below(2) == 0 ? duration_ps : 0);
    }
  }
  return lanes;
}

TEST_CASE("class times are those of all spans") {
  std::mt19937_64 random(7);
  constexpr uint32_t kFirst = 3, kEnd = 12;
  for (int round = 0; round < 300; ++round) {
    GroupUnions unions;
    unions.Reset(kFirst, kEnd);
    std::vector<std::vector<ClassSpan>> all(kEnd);
    for (const auto& lane : RandomLanes(random)) {
      for (const GroupedSpan& span : lane) {
        if (span.group >= kEnd) continue;
        unions.Add(span);
        all[span.group].push_back({span.start_ps, span.end_ps, span.of});
      }
    }
    for (uint32_t group = kFirst; group < kEnd; ++group) {
      const auto start_ps = static_cast<int64_t>(4000 * (group - kFirst) + random() % 500);
      const auto end_ps =
          static_cast<int64_t>(start_ps + 1 + static_cast<int64_t>(random() % 4000));
      INFO("round " << round << ", group " << group);
      REQUIRE(unions.Of(group).size() <= all[group].size());
      REQUIRE(TimesOfClasses(unions.Of(group), start_ps, end_ps) ==
              TimesOfClasses(all[group], start_ps, end_ps));
      REQUIRE(TimesOfClasses(unions.Of(group), kMinPs / 2, kMaxPs / 2) ==
              TimesOfClasses(all[group], kMinPs / 2, kMaxPs / 2));
    }
  }
}

}  // namespace
}  // namespace tfprof::spans_test
