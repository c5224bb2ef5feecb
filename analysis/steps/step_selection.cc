// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/step_selection.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/wall/inferred_steps.h"
#include "core/text/wording.h"

namespace tfprof {
namespace {

constexpr size_t kMaxPieces = 8;  // ranges of consecutive numbers

// "0 to 2", "5".
std::vector<std::string> PiecesOf(const std::vector<int64_t>& numbers) {
  std::vector<std::string> pieces;
  for (size_t from = 0, to = 0; from < numbers.size(); from = to + 1) {
    for (to = from; to + 1 < numbers.size() && numbers[to + 1] - 1 == numbers[to];) ++to;
    pieces.push_back(from == to ? std::to_string(numbers[from])
                                : fmt::format("{} to {}", numbers[from], numbers[to]));
  }
  return pieces;
}

// "; the nearest are 4 and 8". REQUIRES: !numbers.empty().
std::string NearestTo(const PlaceFilter& place, const std::vector<int64_t>& numbers) {
  const auto above = std::lower_bound(numbers.begin(), numbers.end(), place.step);
  if (above == numbers.begin()) return fmt::format("; the nearest is {}", *above);
  if (above == numbers.end()) return fmt::format("; the nearest is {}", above[-1]);
  return fmt::format("; the nearest are {} and {}", above[-1], *above);
}

std::vector<int64_t> StepsOfProfile(const Store& store) {
  std::vector<int64_t> numbers;
  for (const Step& step : store.steps) numbers.push_back(step.number);
  return numbers;
}

}  // namespace

std::vector<int64_t> NumbersOf(const EventGroups& groups) {
  std::set<int64_t> numbers;
  for (const EventGroup& group : groups.groups) numbers.insert(group.number);
  return {numbers.begin(), numbers.end()};
}

std::string DescribeSteps(const std::vector<int64_t>& numbers) {
  if (numbers.empty()) return "no step was recorded";
  if (numbers.size() == 1) return fmt::format("only step {} was recorded", numbers[0]);
  const std::vector<std::string> pieces = PiecesOf(numbers);
  if (pieces.size() <= kMaxPieces) {
    return fmt::format("only steps {} were recorded", Listed(pieces, kMaxPieces));
  }
  return fmt::format("{} steps from {} to {} were recorded", numbers.size(), numbers.front(),
                     numbers.back());
}

Failure NoSuchStep(const PlaceFilter& place, const std::vector<int64_t>& numbers,
                   std::string_view where) {
  std::string what =
      fmt::format("no step {}{}{}", place.StepText(), where.empty() ? "" : " ", where);
  if (numbers.empty() && place.FiltersPlaces()) {
    return UsageError(std::move(what), Remedy::other_place);
  }
  std::string hint = DescribeSteps(numbers);
  if (PiecesOf(numbers).size() > kMaxPieces) hint += NearestTo(place, numbers);
  return UsageError(std::move(what), std::move(hint));
}

Result<void> CheckStepOfProfile(const Store& store, const PlaceFilter& place) {
  if (HasSelectedStep(store, place)) return {};
  return NoSuchStep(place, StepsOfProfile(store));
}

Result<void> CheckStep(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       std::string_view where, Context& context) {
  if (!place.SelectsSteps()) return {};
  TFPROF_ASSIGN(std::vector<int64_t> numbers, StepNumbers(store, indexes, place, context));
  if (numbers.empty() && store.IsTrace()) {
    TFPROF_ASSIGN(const auto groups, GroupsOfSteps(indexes, place, context));
    numbers = NumbersOf(*groups);
  }
  const bool takes = std::any_of(numbers.begin(), numbers.end(),
                                 [&](int64_t number) { return place.TakesStep(number); });
  if (takes) return {};
  return NoSuchStep(place, numbers, where);
}

}  // namespace tfprof
