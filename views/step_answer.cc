// SPDX-License-Identifier: Apache-2.0
#include "views/step_answer.h"

#include <algorithm>
#include <cmath>

#include "views/device_type.h"
#include "views/fill_columns.h"
#include "views/place.h"
#include "views/step_notes.h"

namespace tfprof {
namespace {

constexpr double kPsPerMs = 1e9;
constexpr double kMuchInput = 20, kSomeInput = 5, kMuchOther = 3;  // percent

struct MsColumn {
  std::string_view id;
  std::string_view title;
  StepPart part;
  std::string_view meaning;
};
constexpr MsColumn kColumns[] = {
    {"deviceComputeTimeMs", "compute", StepPart::device_compute, "Kernels of devices."},
    {"deviceToDeviceTimeMs", "d2d", StepPart::device_to_device, "Copies between devices."},
    {"deviceCollectivesTimeMs", "collectives", StepPart::collectives,
     "Collective communication of devices."},
    {"hostComputeTimeMs", "host", StepPart::host_compute,
     "Work of the host's threads; not measured where a device tells the step."},
    {"infeedTimeMs", "input", StepPart::input, "Waiting for input, and copies to devices."},
    {"outfeedTimeMs", "output", StepPart::output, "Copies from devices."},
    {"otherTimeMs", "other", StepPart::other, "The rest of the step."},
};

struct StepTimes {
  double mean_ms = kUnknown, least_ms = kUnknown, most_ms = kUnknown, deviation_ms = kUnknown;
};

// The deviation is that of a sample, so one step has none.
StepTimes Statistics(const StepAnswer& steps) {
  StepTimes times;
  const size_t count = steps.common.size();
  if (count == 0) return times;
  double sum_ms = 0;
  for (const CommonStep& step : steps.common) {
    const double ms = static_cast<double>(steps.Slowest(step).duration_ps) / kPsPerMs;
    sum_ms += ms;
    times.least_ms = std::fmin(times.least_ms, ms);  // ignore NaN
    times.most_ms = std::fmax(times.most_ms, ms);
  }
  times.mean_ms = sum_ms / static_cast<double>(count);
  if (count == 1) return times;
  double squares = 0;
  for (const CommonStep& step : steps.common) {
    const double ms = static_cast<double>(steps.Slowest(step).duration_ps) / kPsPerMs;
    squares += (ms - times.mean_ms) * (ms - times.mean_ms);
  }
  times.deviation_ms = std::sqrt(squares / static_cast<double>(count - 1));
  return times;
}

Property MakeProperty(std::string_view id, CellType type, Unit unit) {
  Property property;
  property.id = id;
  property.type = type;
  property.unit = unit;
  return property;
}

}  // namespace

Result<StepAnswer> AskSteps(const Store& store, const Indexes& indexes, const Query& query,
                            Context& context) {
  StepAnswer answer;
  TFPROF_ASSIGN(answer.hosts, MeasureSteps(store, indexes, query, context));
  for (const HostSteps& host : answer.hosts) {
    answer.recorded = std::max(answer.recorded, host.steps.size());
  }
  answer.is_whole = query.step < 0 && DropIncomplete(&answer.hosts);
  TFPROF_ASSIGN(auto common, AlignSteps(answer.hosts, context));
  TFPROF_ASSIGN(answer.common, StepsAsked(answer.hosts, std::move(common), query));
  return answer;
}

StepShares SharesOf(const StepAnswer& steps) {
  double sums[kStepParts], whole = 0;
  std::fill(std::begin(sums), std::end(sums), kUnknown);
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = steps.hosts[i].steps[common.step[i]];
      const PartTimes parts = PartsOf(steps.hosts[i], step);
      whole += static_cast<double>(step.duration_ps);
      for (size_t k = 0; k < kStepParts; ++k) {
        if (parts[k] == kNoInt) continue;
        sums[k] = (std::isnan(sums[k]) ? 0 : sums[k]) + static_cast<double>(parts[k]);
      }
    }
  }
  StepShares shares;
  for (size_t k = 0; k < kStepParts; ++k) shares.part[k] = 100 * sums[k] / whole;
  double on_duty = 0;
  for (const StepPart part :
       {StepPart::input, StepPart::output, StepPart::device_compute, StepPart::collectives}) {
    on_duty += shares.of(part);  // NaN without devices
  }
  if (!std::isnan(on_duty)) shares.idle = std::max(0.0, 100 - on_duty);
  return shares;
}

std::string_view InputClass(const StepShares& shares) {
  const double input = shares.of(StepPart::input);
  if (std::isnan(input)) return "unknown";
  if (input >= kMuchInput) return "host";
  return input >= kSomeInput || shares.of(StepPart::other) >= kMuchOther ? "both" : "device";
}

Table StepsTable(const Store& store, const StepAnswer& steps, TextPool* pool) {
  Table table;
  table.name = "steps";
  table.rows = steps.common.size();
  const auto number = [&](std::string_view id, std::string_view title, std::string_view meaning,
                          auto cell) -> ReportColumn& {
    ReportColumn& column =
        Numbers(table, std::string(id), std::string(title), Unit::ps_as_ms, std::string(meaning));
    FillNumbers(column, steps.common, cell);
    column.spec.people = std::any_of(column.integers.begin(), column.integers.end(),
                                     [](int64_t cell_ps) { return cell_ps != kNoInt; });
    return column;
  };
  FillTexts(Texts(table, "stepnum", "step", "Its name where it has one, else its number."),
            steps.common, [&](const CommonStep& s) { return pool->Keep(steps.Slowest(s).name); });
  ReportColumn& host = Texts(table, "host", "slowest host", "Where it took longest.");
  std::vector<std::string_view> names;
  for (const HostSteps& of : steps.hosts) names.push_back(pool->Keep(OwnName(store, of.host)));
  FillTexts(host, steps.common,
            [&](const CommonStep& s) { return names[SlowestHost(steps.hosts, s)]; });
  host.spec.people = steps.hosts.size() > 1;
  number("stepTimeMs", "duration", "How long it took.",
         [&](const CommonStep& s) { return steps.Slowest(s).duration_ps; });
  for (const MsColumn& of : kColumns) {
    number(of.id, of.title, of.meaning, [&](const CommonStep& s) {
      return At(PartsOf(steps.HostOf(s), steps.Slowest(s)), of.part);
    });
  }
  for (const auto& [id, title] :
       {std::pair{"kernelLaunchTimeMs", "launch"}, std::pair{"compileTimeMs", "compile"}}) {
    number(id, title, "Not measured.", [](const CommonStep&) { return kNoInt; });
  }
  return table;
}

void TellSteps(const Store& store, const StepAnswer& steps, const Query& query, Report* report) {
  const StepTimes times = Statistics(steps);
  const StepShares shares = SharesOf(steps);
  NoteSteps(store, steps.hosts, query.step < 0 ? steps.common.size() : steps.recorded, true,
            report);
  if (store.processes.empty()) return;
  if (steps.is_whole) {
    report->notes.push_back(
        {"the first and the last step are left out: recording began and ended "
         "in them; pod has all",
         1, "", kNoInt});
  }
  TellText("hardware_type", std::string(HardwareName(HardwareOf(store, query).kind)), report);
  TellCount("steps", static_cast<int64_t>(steps.common.size()), report);
  TellReal("steptime_ms_average", times.mean_ms, Unit::ms, report);
  TellReal("steptime_ms_minimum", times.least_ms, Unit::ms, report);
  TellReal("steptime_ms_maximum", times.most_ms, Unit::ms, report);
  TellReal("steptime_ms_standard_deviation", times.deviation_ms, Unit::ms, report);
  TellReal("input_percent", shares.of(StepPart::input), Unit::percent, report);
  TellReal("output_percent", shares.of(StepPart::output), Unit::percent, report);
  TellReal("compute_percent", shares.of(StepPart::device_compute), Unit::percent, report);
  TellReal("collectives_percent", shares.of(StepPart::collectives), Unit::percent, report);
  TellReal("host_compute_percent", shares.of(StepPart::host_compute), Unit::percent, report);
  TellReal("other_percent", shares.of(StepPart::other), Unit::percent, report);
  TellReal("idle_percent", shares.idle, Unit::percent, report);
  TellText("input_classification", std::string(InputClass(shares)), report);
}

void TellText(std::string_view id, std::string text, Report* report) {
  report->properties.push_back(MakeProperty(id, CellType::text, Unit::none));
  report->properties.back().text = std::move(text);
}

void TellCount(std::string_view id, int64_t count, Report* report) {
  report->properties.push_back(MakeProperty(id, CellType::integer, Unit::count));
  report->properties.back().integer = count;
}

void TellReal(std::string_view id, double value, Unit unit, Report* report) {
  report->properties.push_back(MakeProperty(id, CellType::real, unit));
  report->properties.back().real = value;
}

}  // namespace tfprof
