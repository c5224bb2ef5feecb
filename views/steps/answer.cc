// SPDX-License-Identifier: Apache-2.0
#include "views/steps/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "analysis/flops/device_type.h"
#include "analysis/indexes.h"
#include "analysis/ops/input_ops.h"
#include "analysis/place.h"
#include "analysis/steps/thresholds.h"
#include "core/store/note_catalogue.h"
#include "core/store/same_run.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/steps/notes.h"

namespace tfprof {
namespace {

constexpr ColumnDef PartDef(std::string_view id, std::string_view title, std::string_view meaning,
                            std::string_view id_of_original) {
  return IntegerDef(id, title, Unit::ps_as_ms, meaning).Was(id_of_original).Droppable();
}

constexpr ColumnDef kStepsOverviewColumns[] = {
    TextDef("step_name", "step",
            "Step name, else its number; with several hosts, that of the slowest.")
        .Was("stepnum"),
    IntegerDef("index", "#", Unit::none,
               "Number among the steps that all hosts have, from 0, as in `pod`.")
        .Was("step_num")
        .Droppable(),
    TextDef("host", "slowest host", "Host on which the step took longest.").Droppable(),
    IntegerDef("duration_us", "duration", Unit::ps_as_ms, "Duration.").Was("stepTimeMs"),
    PartDef("compute_us", "compute", "Time in which kernels ran.", "deviceComputeTimeMs"),
    PartDef("stalled_us", "stalled", "TPU stalled on async copies and the like.",
            "deviceWaitingTimeMs"),
    PartDef("device_to_device_us", "device to device", "Copies between devices.",
            "deviceToDeviceTimeMs"),
    PartDef("collectives_us", "collectives", "Collective communication of devices.",
            "deviceCollectivesTimeMs"),
    PartDef("host_us", "host", "Work of host threads; not measured where a device marks the step.",
            "hostComputeTimeMs"),
    PartDef("input_us", "input", "Waiting for input, and host-to-device copies.", "infeedTimeMs"),
    PartDef("output_us", "output", "Device-to-host copies.", "outfeedTimeMs"),
    PartDef("other_us", "other", "Rest of the step.", "otherTimeMs"),
    IntegerDef("kernelLaunchTimeMs", "launch", Unit::ps_as_ms, "Not measured.").ForOriginal(),
    IntegerDef("compileTimeMs", "compile", Unit::ps_as_ms, "Not measured.").ForOriginal(),
};
constexpr TableDef kStepsOverviewTable{"steps", "", kStepsOverviewColumns};

constexpr double kPsPerMs = 1e9;

struct StepTimes {
  double mean_ms = kNoReal, min_ms = kNoReal, max_ms = kNoReal, deviation_ms = kNoReal;
};

// The sample standard deviation, so one step has none.
StepTimes Statistics(const StepAnswer& steps) {
  std::vector<double> times_ms;
  for (const CommonStep& step : steps.common) {
    times_ms.push_back(static_cast<double>(steps.Slowest(step).duration_ps) / kPsPerMs);
  }
  if (times_ms.empty()) return {};
  const auto count = static_cast<double>(times_ms.size());
  const auto [min, max] = std::ranges::minmax(times_ms);
  StepTimes times{std::accumulate(times_ms.begin(), times_ms.end(), 0.0) / count, min, max};
  if (times_ms.size() == 1) return times;
  double squares = 0;
  for (const double ms : times_ms) squares += (ms - times.mean_ms) * (ms - times.mean_ms);
  times.deviation_ms = std::sqrt(squares / (count - 1));
  return times;
}

// Of one step, readers see one number.
void AddStepTimes(const StepTimes& times, bool several, Report* report) {
  const std::string_view head = "step time", spread = several ? head : "";
  const auto add = [&](const PropertyName& name, double ms) {
    AddRealProperty(name, ms, Unit::ms, report);
  };
  add({"step_mean_us", head, "mean", "steptime_ms_average"}, times.mean_ms);
  add({"step_min_us", spread, "min", "steptime_ms_minimum"}, times.min_ms);
  add({"step_max_us", spread, "max", "steptime_ms_maximum"}, times.max_ms);
  add({"step_stddev_us", spread, "std dev", "steptime_ms_standard_deviation"}, times.deviation_ms);
}

// Shown on the terminal only if large.
void AddGapShare(const StepGaps& gaps, Report* report) {
  const double percent = gaps.Percent();
  Property& property = AddRealProperty({"between_steps_pct", "", "", "between_steps_percent"},
                                       percent, Unit::percent, report);
  if (percent >= kModerateGaps) {
    property.head = "between steps";
    property.display_text = DisplayTextOf(gaps);
  }
  AddRealProperty({"between_steps_mean_us", "", "", "between_steps_ms_average"},
                  gaps.count == 0 ? kNoReal : static_cast<double>(gaps.MeanPs()) / kPsPerMs,
                  Unit::ms, report);
}

// `records_input`: false: the input share of 0 is machine-readable only, where xprof has it as
// well.
void AddStepShares(const StepShares& shares, bool records_input, Report* report) {
  const std::string_view head = "spent on";
  const auto add = [&](const PropertyName& name, double percent) {
    AddRealProperty(name, percent, Unit::percent, report);
  };
  add({"input_pct", records_input ? head : "", "input", "input_percent"},
      shares.of(StepPart::input));
  add({"output_pct", head, "output", "output_percent"}, shares.of(StepPart::output));
  add({"compute_pct", head, "compute", "compute_percent"}, shares.of(StepPart::device_compute));
  add({"stalled_pct", head, "stalled", "waiting_percent"}, shares.of(StepPart::stalled));
  add({"collectives_pct", head, "collectives", "collectives_percent"},
      shares.of(StepPart::collectives));
  add({"device_to_device_pct", head, "device to device", "device_to_device_percent"},
      shares.of(StepPart::device_to_device));
  add({"host_pct", head, "host", "host_compute_percent"}, shares.of(StepPart::host_compute));
  add({"other_pct", head, "other", "other_percent"}, shares.of(StepPart::other));
  // Tables for readers show its components instead: copies between devices, and other.
  add({"idle_pct", "", "", "idle_percent"}, shares.idle);
}

// Returns whether steps wait for input, with the supporting number.
std::string DisplayText(std::string_view verdict, const StepShares& shares, bool of_hosts) {
  const std::string whole = of_hosts ? " of the step time of all hosts" : " of the step time";
  const auto percent = [&](StepPart part) { return PercentText(shares.of(part)); };
  const std::string input = percent(StepPart::input);
  if (verdict == "host") return "yes: input takes " + input + whole;
  if (verdict == "device") return "no: input takes " + input + whole;
  if (verdict != "both") return {};
  if (shares.of(StepPart::input) >= kModerateInput) {
    return "partly: input takes " + input + whole;
  }
  return "perhaps: input takes " + input + whole + ", but " + percent(StepPart::other) +
         " is unattributed, which may be waiting as well";
}

std::string_view ReasonUnknown(const StepAnswer& steps) {
  if (!steps.records_input) {
    return "unknown: no input pipeline work or waiting was recorded";
  }
  return steps.overlap ? "unknown: steps overlap" : "";
}

void AddVerdict(const StepShares& shares, const StepAnswer& steps, Report* report) {
  const std::string_view verdict = InputClass(shares), why = ReasonUnknown(steps);
  Property& property =
      AddTextProperty({"input_classification", "input bound"}, std::string(verdict), report);
  const bool of_hosts = report->Find("shares_of") != nullptr;
  property.display_text = why.empty() || verdict == "unknown"
                              ? DisplayText(verdict, shares, of_hosts)
                              : std::string(why);
  if (property.display_text.empty()) property.head.clear();
  Property recorded{.id = "input_recorded", .type = CellType::boolean};
  recorded.integer = steps.records_input ? 1 : 0;
  report->properties.push_back(std::move(recorded));
}

// Numbers common steps as pod does, which includes the steps in which recording started and
// stopped. `all`: the hosts with those steps.
Result<void> NumberAsAll(const std::vector<HostSteps>& all, const std::vector<HostSteps>& hosts,
                         std::vector<CommonStep>* common, Context& context) {
  TFPROF_ASSIGN(const auto of_all, AlignSteps(all, context));
  std::map<std::pair<size_t, int64_t>, int64_t> number_of;  // by host and group
  for (const CommonStep& step : of_all) {
    for (size_t host = 0; host < all.size(); ++host) {
      const uint32_t at = step.step[host];
      if (at == CommonStep::kNotThere) continue;
      number_of.try_emplace({host, all[host].steps[at].group_id}, step.number);
    }
  }
  for (CommonStep& step : *common) {
    const size_t host = SlowestHost(hosts, step);
    const auto same = number_of.find({host, hosts[host].steps[step.step[host]].group_id});
    if (same != number_of.end()) step.number = same->second;
  }
  return {};
}

}  // namespace

bool RecordsInput(const Store& store, const std::vector<HostSteps>& hosts,
                  const PlaceFilter& place) {
  const bool takes_time = std::any_of(hosts.begin(), hosts.end(), [](const HostSteps& host) {
    return At(host.all_ps, StepClass::input_wait) > 0 ||
           At(host.all_ps, StepClass::host_to_device) > 0;
  });
  return takes_time || HasInputOps(store, place);
}

Result<StepAnswer> AnswerSteps(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                               Context& context) {
  StepAnswer answer;
  TFPROF_ASSIGN(answer.hosts, MeasureSteps(store, indexes, place, context));
  for (const HostSteps& host : answer.hosts) {
    answer.recorded = std::max(answer.recorded, host.steps.size());
  }
  const std::vector<HostSteps> all = answer.hosts;
  answer.is_whole = place.step < 0 && DropIncomplete(&answer.hosts);
  if (place.step < 0) answer.gaps = GapsOf(answer.hosts);
  answer.is_one_run = IsOneRun(store);
  answer.overlap = StepsOverlap(answer.hosts);
  answer.records_input = RecordsInput(store, answer.hosts, place);
  TFPROF_ASSIGN(auto common, AlignSteps(answer.hosts, context));
  if (answer.is_whole) TFPROF_TRY(NumberAsAll(all, answer.hosts, &common, context));
  TFPROF_ASSIGN(answer.common, SelectedSteps(store, answer.hosts, std::move(common), place));
  return answer;
}

StepShares SharesOf(const StepAnswer& steps) {
  double sums[kStepParts], whole = 0;
  std::fill(std::begin(sums), std::end(sums), kNoReal);
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
  if (!std::isnan(shares.of(StepPart::stalled))) on_duty += shares.of(StepPart::stalled);
  if (!std::isnan(on_duty)) shares.idle = std::max(0.0, 100 - on_duty);
  return shares;
}

std::string_view InputClass(const StepShares& shares) {
  const double input = shares.of(StepPart::input);
  if (std::isnan(input)) return "unknown";
  if (input >= kHighInput) return "host";
  return input >= kModerateInput || shares.of(StepPart::other) >= kModerateOther ? "both"
                                                                                 : "device";
}

Table StepsTable(const Store& store, const StepAnswer& steps, TextPool* pool) {
  Table table = MakeTable(kStepsOverviewTable, steps.common.size());
  const auto number = [&](std::string_view id, auto cell) -> ReportColumn& {
    ReportColumn& column = Fill(table, id, steps.common, cell);
    column.spec.human_readable = std::any_of(column.integers.begin(), column.integers.end(),
                                             [](int64_t cell_ps) { return cell_ps != kNoInt; });
    return column;
  };
  // Each host numbers its steps independently.
  Fill(table, "step_name", steps.common,
       [&](const CommonStep& s) { return pool->Keep(steps.Slowest(s).name); });
  ReportColumn& common =
      Fill(table, "index", steps.common, [](const CommonStep& s) { return s.number; });
  common.spec.human_readable = steps.hosts.size() > 1;
  ReportColumn& host = Fill(table, "host", steps.common, [&](const CommonStep& s) {
    return HostName(store, steps.HostOf(s).host);
  });
  host.spec.human_readable = steps.hosts.size() > 1;
  number("duration_us", [&](const CommonStep& s) { return steps.Slowest(s).duration_ps; });
  for (const auto& [of, id] : kPartColumns) {
    ReportColumn& part = number(id, [&, of = of](const CommonStep& s) {
      return At(PartsOf(steps.HostOf(s), steps.Slowest(s)), of);
    });
    part.spec.droppable = AddsNothing(part);
    if (of == StepPart::input && !steps.records_input) part.spec.human_readable = false;
  }
  for (const std::string_view id : {"kernelLaunchTimeMs", "compileTimeMs"}) {  // not measured
    number(id, [](const CommonStep&) { return kNoInt; });
  }
  return table;
}

void AddStepProperties(const Store& store, const StepAnswer& steps, const PlaceFilter& place,
                       Report* report) {
  const StepTimes times = Statistics(steps);
  const StepShares shares = SharesOf(steps);
  NoteSteps(store, steps.hosts, place, place.step < 0 ? steps.common.size() : steps.recorded, true,
            report);
  if (!store.IsTrace()) return;
  if (steps.is_whole) {
    report->notes.push_back({note::first_and_last_step_left_out, 1, "", kNoInt});
  }
  const Hardware hardware = HardwareOf(store, place);
  const std::string_view head = report->Find("device_type") == nullptr ? "ran on" : "";
  if (!hardware.type.empty()) {
    AddTextProperty({"hardware_type", head}, std::string(HardwareName(hardware.kind)), report)
        .display_text = hardware.type;
  }
  const std::string_view of_times = steps.common.empty() ? "" : "step time";
  AddIntegerProperty({"steps", of_times, "step"}, static_cast<int64_t>(steps.common.size()),
                     Unit::count, report);
  AddStepTimes(times, steps.common.size() != 1, report);
  if (!steps.common.empty()) {
    AddTimesOf("step_times_of", TimesOf::slowest_host, steps.hosts, of_times, report);
  }
  AddGapShare(steps.gaps, report);
  AddStepShares(shares, steps.records_input, report);
  if (!steps.common.empty()) {
    AddTimesOf("shares_of", TimesOf::all_hosts, steps.hosts, "spent on", report);
  }
  AddVerdict(shares, steps, report);
}

void HideStepShares(Report* report) {
  for (Property& property : report->properties) {
    if (property.head == "spent on") property.head.clear();
  }
}

const TableDef& StepsTableDef() { return kStepsOverviewTable; }

}  // namespace tfprof
