// SPDX-License-Identifier: Apache-2.0
#include "views/diff/verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/arith.h"
#include "core/text/units.h"
#include "views/columns/properties.h"
#include "views/diff/samples.h"

namespace tfprof {
namespace {

// What the verdict is about.
struct Speed {
  std::string what;  // empty: nothing is known
  double before_us = kNoReal, after_us = kNoReal;
  double p = kNoReal;
};

Speed OfSteps(const StepMeans& steps) {
  if (steps.before_ps == kNoInt || steps.after_ps == kNoInt) return {};
  const auto us = [](int64_t ps) { return static_cast<double>(ps) / kPsPerUs; };
  return {"step", us(steps.before_ps), us(steps.after_ps), steps.p};
}

Speed OfTotal(const Report& report) {
  const Property* before = report.Find("base_total_time_us");
  const Property* after = report.Find("total_time_us");
  if (before == nullptr || after == nullptr) return {};
  if (std::isnan(before->real) || std::isnan(after->real)) return {};
  Speed speed{"total time", before->real, after->real};
  const ReportColumn* p = report.tables.front().Find("p_value");
  if (p != nullptr) speed.p = p->total;
  return speed;
}

std::string HumanUs(double us) {
  std::string text;
  AppendHumanReal(us, Unit::us, &text);
  return text;
}

// Returns "slower by 5.2%: step 1.00 ms -> 1.05 ms (p 0.029)".
std::string Sentence(const Speed& speed) {
  const double change_us = speed.after_us - speed.before_us;
  std::string text = "no change";
  if (change_us != 0) {
    const bool is_noise = speed.p >= kSignificantP;
    text = change_us > 0 ? "slower" : "faster";
    if (speed.before_us > 0) {
      text += " by " + PercentText(100 * std::abs(change_us) / speed.before_us);
    }
    if (is_noise) text = "no significant change, " + text;
  }
  text += ": " + speed.what + " " + HumanUs(speed.before_us) + " -> " + HumanUs(speed.after_us);
  if (!std::isnan(speed.p)) text += fmt::format(" (p {:.2g})", speed.p);
  return text;
}

size_t CountOf(const Report& report, std::string_view id) {
  const Property* limits = report.Find(id);
  return limits == nullptr ? 0 : limits->texts.size();
}

// Returns "failed, 1 of 3 limits exceeded"; empty: there are no limits.
std::string OfLimits(const Report& report) {
  const size_t exceeded = CountOf(report, "exceeded"), kept = CountOf(report, "kept");
  const size_t not_judged = CountOf(report, "not_judged") + CountOf(report, "not_judged_damaged") +
                            CountOf(report, "not_judged_steps");
  const size_t all = exceeded + kept + not_judged;
  if (all == 0) return {};
  const std::string of_all = Counted(static_cast<int64_t>(all), "limit");
  if (exceeded > 0) return fmt::format("failed, {} of {} exceeded", exceeded, of_all);
  if (not_judged > 0) return fmt::format("not judged, {} of {}", not_judged, of_all);
  return "passed, " + of_all + " kept";
}

}  // namespace

void AddVerdict(const StepMeans& steps, bool totals_are_comparable, Report* report) {
  Speed speed = OfSteps(steps);
  if (speed.what.empty() && totals_are_comparable) speed = OfTotal(*report);
  std::string text = OfLimits(*report);
  if (!speed.what.empty()) text += (text.empty() ? "" : "; ") + Sentence(speed);
  if (text.empty()) return;
  AddTextProperty({"verdict", "verdict"}, std::move(text), report);
  std::vector<Property>& properties = report->properties;
  std::rotate(properties.begin(), properties.end() - 1, properties.end());
}

}  // namespace tfprof
