// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/follow/observation.h"
#include "cli/shell/session.h"
#include "core/base/result.h"

namespace tfprof {

// Looks at a job again and again, and compares it with a baseline.
class Watch {
 public:
  struct Options {
    std::string title;                // what is watched
    std::vector<std::string> views;   // commands whose answers are shown below
    std::vector<std::string> limits;  // as -fail-if of diff
    bool quiet = false;               // looks are not shown
  };

  // session.base_path is the baseline; empty: the first look is.
  explicit Watch(Options options) : options_(std::move(options)) {}

  // Observes the open profile and shows it. Returns the status of an error that was reported, else
  // 0.
  Result<int> Look(Session& session);

  int64_t looks() const { return looks_; }
  // A summary in Markdown.
  std::string Summary() const;
  // The limit that the last look exceeded or could not judge; empty: it kept all.
  const std::string& Verdict() const { return exceeded_.empty() ? not_judged_ : exceeded_; }
  // Of the last look: 6 if a limit was exceeded, 2 if one could not be judged, else 0.
  int Status() const;

 private:
  Result<void> TakeBaseline(Session& session, const Observation& now);
  Result<void> Judge(Session& session, const Observation& now);
  void Remember(const Observation& now);
  void Show(Session& session, const Observation& now) const;
  void ShowLine(Session& session, const Observation& now) const;
  void ShowScreen(Session& session, const Observation& now) const;

  Options options_;
  SeenSteps seen_;
  std::optional<Observation> baseline_;
  std::optional<Observation> last_;
  std::vector<int64_t> step_curve_, busy_curve_, memory_curve_;
  int64_t shortest_ps_ = kNoInt, longest_ps_ = kNoInt;          // of all steps
  std::vector<std::pair<FindingId, std::string>> came_, gone_;  // since the look before
  std::vector<std::string> changes_;                            // of findings, with their times
  std::string exceeded_;                                        // of the last look
  std::string not_judged_;
  int64_t looks_ = 0;
  int64_t looks_judged_ = 0, times_exceeded_ = 0;
  std::string first_time_, last_time_;
};

}  // namespace tfprof
