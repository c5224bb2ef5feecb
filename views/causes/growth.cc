// SPDX-License-Identifier: Apache-2.0
// GrowthChecker: steps that take longer and longer, and memory that grows in every step.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "analysis/memory/events.h"
#include "analysis/memory/peak.h"
#include "analysis/steps/spans.h"
#include "core/base/sorting.h"
#include "views/causes/kept_arrays.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

constexpr size_t kMinSteps = 5;
constexpr int64_t kStepsToDouble = 1000;  // a peak that takes more to double is no concern
constexpr double kMuchLonger = 1.5;       // the last step over the first one
constexpr double kRising = 0.8;           // Kendall's rank correlation with the number of the step
constexpr double kSteady = 0.9;           // share of the variance that a constant growth explains
constexpr double kTwoLevels = 0.8;        // share of the variance that a single change explains

// Kendall's rank correlation of the values with their order: 1 if each is larger than those before.
double Rise(const std::vector<int64_t>& values) {
  std::vector<int64_t> levels = values;
  std::ranges::sort(levels);
  std::vector<int64_t> tree(levels.size() + 1);  // Fenwick's: how many of each level were before
  const auto count_to = [&](size_t at) {
    int64_t count = 0;
    for (; at > 0; at &= at - 1) count += tree[at];
    return count;
  };
  int64_t rising = 0, before = 0, pairs = 0;
  for (const int64_t value : values) {
    const auto [first, last] = std::equal_range(levels.begin(), levels.end(), value);
    const auto below = static_cast<size_t>(first - levels.begin());
    const auto to = static_cast<size_t>(last - levels.begin());
    rising += count_to(below) - (before - count_to(to));
    for (size_t at = to; at < tree.size(); at += at & -at) ++tree[at];
    pairs += before++;
  }
  return pairs == 0 ? 0 : static_cast<double>(rising) / static_cast<double>(pairs);
}

// Mean growth from one step to the next, by least squares.
int64_t GrowthPerStep(const std::vector<int64_t>& values) {
  const auto count = static_cast<double>(values.size());
  const double mean_at = (count - 1) / 2;
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0,
                      [](double sum, int64_t v) { return sum + static_cast<double>(v); }) /
      count;
  double both = 0, square = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    const double at = static_cast<double>(i) - mean_at;
    both += at * (static_cast<double>(values[i]) - mean);
    square += at * at;
  }
  return square == 0 ? 0 : static_cast<int64_t>(both / square);
}

// The share of the variance that the mean growth explains; 1: each grows by the same amount.
double Steadiness(const std::vector<int64_t>& values) {
  const auto growth = static_cast<double>(GrowthPerStep(values));
  const auto count = static_cast<double>(values.size());
  double mean = 0, square = 0, rest = 0;
  for (const int64_t value : values) mean += static_cast<double>(value) / count;
  for (size_t i = 0; i < values.size(); ++i) {
    const double off = static_cast<double>(values[i]) - mean;
    const double fit = growth * (static_cast<double>(i) - (count - 1) / 2);
    square += off * off;
    rest += (off - fit) * (off - fit);
  }
  return square == 0 ? 0 : 1 - rest / square;
}

// The largest share of the variance that two levels explain, one after the other.
double ShareOfTwoLevels(const std::vector<int64_t>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, square = 0, below = 0, best = 0;
  for (const int64_t value : values) sum += static_cast<double>(value);
  for (const int64_t value : values) {
    const double off = static_cast<double>(value) - sum / count;
    square += off * off;
  }
  for (size_t i = 0; i + 1 < values.size(); ++i) {
    below += static_cast<double>(values[i]);
    const auto first = static_cast<double>(i + 1);
    const double apart = below / first - (sum - below) / (count - first);
    best = std::max(best, apart * apart * first * (count - first) / count);
  }
  return square == 0 ? 0 : best / square;
}

// True for what changes once: waiting for a buffer that was full at first.
bool AreTwoLevels(const std::vector<int64_t>& values) {
  const double share = ShareOfTwoLevels(values);
  return share > kTwoLevels && share > Steadiness(values);
}

// The steps but the first, which may warm up.
std::vector<int64_t> DurationsOf(const HostWall& wall) {
  std::vector<int64_t> spans;
  for (const Interval& step : wall.steps.steps) {
    spans.push_back(SpanOf(step.start_ps, step.end_ps));
  }
  if (!spans.empty()) spans.erase(spans.begin());
  return spans;
}

// The time of each part in each step but the first.
std::vector<std::vector<int64_t>> TimesAfterFirst(const HostWall& wall) {
  const size_t steps = std::max<size_t>(wall.steps.steps.size(), 1) - 1;
  std::vector<std::vector<int64_t>> times(wall.parts.size(), std::vector<int64_t>(steps, 0));
  EachInStep(wall, [&](size_t part, size_t step, int64_t ps) {
    if (step > 0) times[part][step - 1] += ps;
  });
  return times;
}

// True if an order of values that rises as much is no chance: the Mann-Kendall test, one-sided.
// H. B. Mann, Econometrica 13 (1945), 245-259.
bool RisesSignificantly(const std::vector<int64_t>& values) {
  constexpr double kOnePercent = 2.326;  // of a normal distribution is beyond this
  const auto n = static_cast<double>(values.size());
  const double score = Rise(values) * n * (n - 1) / 2;
  return (score - 1) / std::sqrt(n * (n - 1) * (2 * n + 5) / 18) > kOnePercent;
}

// Work whose duration the program determines, or that was not recorded. The time of operations, and
// of waiting for them, varies with what else the machine does.
bool IsOfProgram(WallKind kind) {
  return kind == WallKind::python || kind == WallKind::region || kind == WallKind::callback ||
         kind == WallKind::collector || kind == WallKind::checkpoint || kind == WallKind::input ||
         kind == WallKind::unrecorded;
}

// A part of the wall time that grows, or the steps. `beyond_ps`: the time beyond `first_ps`.
struct Growing {
  const WallPart* part = nullptr;
  int64_t growth_ps = 0, first_ps = 0, last_ps = 0, beyond_ps = 0;
};

Growing Describe(const WallPart* part, const std::vector<int64_t>& times, int64_t first_ps,
                 int64_t last_ps) {
  Growing growing{part, GrowthPerStep(times), first_ps, last_ps};
  for (const int64_t ps : times) growing.beyond_ps += std::max<int64_t>(ps - first_ps, 0);
  return growing;
}

bool IsMuchLonger(int64_t last_ps, int64_t first_ps) {
  return static_cast<double>(last_ps) > kMuchLonger * static_cast<double>(first_ps);
}

int64_t MedianWithin(const std::vector<int64_t>& times, size_t begin, size_t end) {
  const auto at = [&](size_t i) { return times.begin() + static_cast<ptrdiff_t>(i); };
  return Median(std::vector<int64_t>(at(begin), at(end)));
}

// The part that grows most from step to step, whatever the rest of the steps does. Where it starts
// and ends are medians of a third of the steps: single ones may be disturbed.
Growing GrowingWork(const HostWall& wall) {
  const std::vector<std::vector<int64_t>> times = TimesAfterFirst(wall);
  Growing most;
  for (size_t i = 0; i < wall.parts.size(); ++i) {
    const size_t steps = times[i].size(), third = steps / 3;
    if (third == 0 || !IsOfProgram(wall.parts[i].kind) || !RisesSignificantly(times[i])) continue;
    // It may be anything, also waiting for a processor.
    const bool unknown = wall.parts[i].kind == WallKind::unrecorded;
    if (AreTwoLevels(times[i])) continue;
    if (unknown && Rise(times[i]) < kRising) continue;
    const int64_t first_ps = MedianWithin(times[i], 0, third);
    const int64_t last_ps = MedianWithin(times[i], steps - third, steps);
    const Growing growing = Describe(&wall.parts[i], times[i], first_ps, last_ps);
    const bool matters = wall.Percent(growing.beyond_ps) >= kWallThreshold;
    if (!matters || !IsMuchLonger(last_ps, first_ps)) continue;
    if (growing.growth_ps > most.growth_ps) most = growing;
  }
  return most;
}

// The part that grows most in steps that all get longer.
const WallPart* GrowingPart(const HostWall& wall) {
  const std::vector<std::vector<int64_t>> times = TimesAfterFirst(wall);
  const WallPart* part = nullptr;
  int64_t most_ps = 0;
  for (size_t i = 0; i < wall.parts.size(); ++i) {
    const int64_t growth_ps = GrowthPerStep(times[i]);
    if (growth_ps <= most_ps || Rise(times[i]) < kRising) continue;
    part = &wall.parts[i];
    most_ps = growth_ps;
  }
  return part;
}

// Steps that do not get longer by half of that wait less elsewhere: nothing is lost.
bool GrowsSteps(const Growing& growing, const std::vector<int64_t>& spans) {
  return growing.part != nullptr && GrowthPerStep(spans) >= growing.growth_ps / 2;
}

void AddGrowingSteps(const StepFacts& facts, const HostWall& wall, std::vector<Finding>* findings) {
  if (wall.steps.steps.size() < kMinSteps) return;
  const std::vector<int64_t> spans = DurationsOf(wall);
  const bool steps_grow = IsMuchLonger(spans.back(), spans.front()) && Rise(spans) >= kRising &&
                          Steadiness(spans) >= kSteady;
  const Growing growing = steps_grow
                              ? Describe(GrowingPart(wall), spans, spans.front(), spans.back())
                              : GrowingWork(wall);
  if (!steps_grow && !GrowsSteps(growing, spans)) return;
  Finding finding = DescribeCause(facts, FindingId::steps_get_longer, wall, growing.beyond_ps);
  std::string_view name = growing.part == nullptr ? "" : std::string_view(growing.part->name);
  if (!steps_grow && name.empty()) name = "unrecorded time";
  std::vector<Value>& values = finding.values;
  values.push_back(Time("growth", growing.growth_ps));
  values.push_back(Time("first", growing.first_ps));
  values.push_back(Time("last", growing.last_ps));
  values.push_back(When("steps", steps_grow));
  values.push_back(TextIfAny("part", steps_grow ? name : ""));
  values.push_back(TextIfAny("function", steps_grow ? "" : name));
  values.push_back(When("of_part", !steps_grow));
  findings->push_back(std::move(finding));
}

// The memory that an allocator has in use, by step, and what is never freed.
struct MemoryOfSteps {
  std::vector<int64_t> at_end;  // bytes, where they are known
  int64_t peak = 0;
  std::map<std::string_view, int64_t> kept;  // bytes, by operation
};

MemoryOfSteps MemoryAfterSteps(const MemoryEvents& memory, std::span<const MemoryEvent> events,
                               const HostWall& wall) {
  MemoryOfSteps found;
  size_t next = 0;
  int64_t in_use = kNoInt;
  for (const Interval& step : wall.steps.steps) {
    for (; next < events.size() && events[next].time_ps < step.end_ps; ++next) {
      const MemoryEvent& event = events[next];
      in_use = event.InUseBytes();
      found.peak = std::max(found.peak, in_use);
      if (event.frees || event.partner != kNoMemoryEvent || event.bytes == kNoInt) continue;
      found.kept[memory.Text(event.op)] += event.bytes;
    }
    if (in_use != kNoInt) found.at_end.push_back(in_use);
  }
  return found;
}

// Growth is no concern if many steps add less than the peak, or a long training needs little of the
// memory.
bool GrowthMatters(int64_t growth, int64_t peak, int64_t capacity) {
  bool clamped = false;
  const int64_t ahead = SaturatingAdd(peak, SaturatingMul(growth, kStepsOfTraining, &clamped));
  const bool fits = capacity != kNoInt && Percent(ahead, capacity) < kLittleMemory;
  return growth >= peak / kStepsToDouble && !fits;
}

Result<void> AddGrowingMemory(const StepFacts& facts, const HostWall& wall,
                              std::vector<Finding>* findings) {
  if (wall.steps.steps.size() < kMinStepsOfMemory) return {};
  TFPROF_ASSIGN(const auto memory, facts.indexes.Get<MemoryEvents>(facts.context));
  for (const Allocator& allocator : memory->allocators) {
    if (allocator.host != wall.host) continue;
    const auto events = memory->Of(allocator);
    MemoryOfSteps used = MemoryAfterSteps(*memory, events, wall);
    std::vector<int64_t>& at_end = used.at_end;
    if (at_end.size() < kMinStepsOfMemory) continue;
    at_end.erase(at_end.begin());
    if (Rise(at_end) < 1 || Steadiness(at_end) < kSteady) continue;
    const int64_t growth = GrowthPerStep(at_end);
    const int64_t capacity = CapacityOf(facts.trace, allocator, events.back());
    if (!GrowthMatters(growth, used.peak, capacity)) continue;
    const auto largest =
        std::ranges::max_element(used.kept, {}, [](const auto& k) { return k.second; });
    findings->push_back(
        {.id = FindingId::memory_grows,
         .severity = Severity::high,
         .values = {Bytes("growth", growth), Bytes("first", at_end.front()),
                    Bytes("last", at_end.back()), Text("allocator", memory->Text(allocator.name)),
                    TextIfAny("operation", largest == used.kept.end() ? "" : largest->first)}});
    return {};
  }
  return {};
}

}  // namespace

Result<void> CheckGrowth(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  for (const HostWall* wall : WallsOf(facts, *times)) {
    AddGrowingSteps(facts, *wall, findings);
    TFPROF_TRY(AddKeptArrays(facts, *wall, findings));
    TFPROF_TRY(AddGrowingMemory(facts, *wall, findings));
  }
  return {};
}

}  // namespace tfprof
