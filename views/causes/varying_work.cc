// SPDX-License-Identifier: Apache-2.0
#include "views/causes/varying_work.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <vector>

#include "analysis/wall/times.h"

namespace tfprof {
namespace {

// Starting programs and waiting for them varies with the load of the machine, as their time does.
bool IsOwnWork(WallKind kind) {
  switch (kind) {
    case WallKind::python:
    case WallKind::region:
    case WallKind::callback:
    case WallKind::iterator:
    case WallKind::input:
    case WallKind::queue:
    case WallKind::lock:
    case WallKind::compile:
    case WallKind::tracing:
    case WallKind::collector:
    case WallKind::checkpoint: return true;
    default: return false;
  }
}

// A value per step.
using BySteps = std::vector<int64_t>;

// Returns the mean of the values minus their lower quartile, at least 0.
double ExcessOf(BySteps values) {
  const double mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto quartile = values.begin() + static_cast<ptrdiff_t>(values.size() / 4);
  std::nth_element(values.begin(), quartile, values.end());
  return std::max(mean - static_cast<double>(*quartile), 0.0);
}

class Comparing {
 public:
  explicit Comparing(std::span<const StepRow> steps) : steps_(steps) {}

  void AddParts(const HostWall& wall) {
    std::vector<BySteps> times(wall.parts.size(), BySteps(steps_.size(), 0));
    for (const WallSegment& segment : wall.segments) {
      if (segment.part >= wall.parts.size()) continue;
      for (size_t i = FirstAfter(segment.start_ps); i < steps_.size(); ++i) {
        if (steps_[i].start_ps >= segment.end_ps) break;
        const int64_t from_ps = std::max(segment.start_ps, steps_[i].start_ps);
        const int64_t to_ps = std::min(segment.end_ps, steps_[i].end_ps);
        if (to_ps > from_ps) times[segment.part][i] += to_ps - from_ps;
      }
    }
    for (size_t i = 0; i < wall.parts.size(); ++i) {
      if (IsOwnWork(wall.parts[i].kind)) Add(wall.parts[i].name, ExcessOf(times[i]));
    }
  }

  // `but`: the step's own program. It may run later than the step that starts it.
  void AddPrograms(const HostExecutions& executions, std::string_view but) {
    struct Runs {
      BySteps counts;
      int64_t ps = 0, all = 0;
    };
    std::map<std::string_view, Runs> programs;
    for (const HostExecution& run : executions.executions) {
      const size_t i = FirstAfter(run.start_ps);
      if (run.program == but || i == steps_.size() || run.start_ps < steps_[i].start_ps) continue;
      Runs& runs = programs[run.program];
      runs.counts.resize(steps_.size(), 0);
      ++runs.counts[i];
      ++runs.all;
      runs.ps = SaturatingAdd(runs.ps, SpanOf(run.start_ps, run.end_ps));
    }
    for (const auto& [name, runs] : programs) {
      const double each_ps = static_cast<double>(runs.ps) / static_cast<double>(runs.all);
      Add(std::string(name), ExcessOf(runs.counts) * each_ps);
    }
  }

  VaryingWork Finish() const {
    VaryingWork work;
    double most_ps = 0;
    for (const auto& [name, ps] : excess_) {
      work.excess_ps = SaturatingAdd(work.excess_ps, static_cast<int64_t>(ps));
      if (ps <= most_ps) continue;
      work.most = name;
      most_ps = ps;
    }
    return work;
  }

 private:
  // Returns the first step that ends after that time.
  size_t FirstAfter(int64_t time_ps) const {
    const auto step = std::ranges::upper_bound(steps_, time_ps, {}, &StepRow::end_ps);
    return static_cast<size_t>(step - steps_.begin());
  }
  void Add(const std::string& name, double ps) { excess_[name] += ps; }

  std::span<const StepRow> steps_;
  std::map<std::string, double> excess_;
};

}  // namespace

Result<VaryingWork> WorkThatVaries(const StepFacts& facts, std::span<const StepRow> steps) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  Comparing comparing(steps);
  for (const HostWall& wall : times->hosts) {
    if (steps.empty() || wall.host != steps[0].host) continue;
    comparing.AddParts(wall);
    comparing.AddPrograms(wall.executions, wall.thread.main_program);
  }
  return comparing.Finish();
}

}  // namespace tfprof
