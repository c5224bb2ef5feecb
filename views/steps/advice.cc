// SPDX-License-Identifier: Apache-2.0
#include "views/steps/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/intervals/span_statistics.h"
#include "analysis/steps/gaps.h"
#include "analysis/steps/lane_steps.h"
#include "analysis/steps/thresholds.h"
#include "core/base/arith.h"
#include "core/base/units.h"
#include "core/report/table_def.h"
#include "core/store/op_name.h"
#include "views/columns/fill_columns.h"
#include "views/steps/slow_host.h"
#include "views/tfdata/advice.h"

namespace tfprof {
namespace {

constexpr ColumnDef kAdviceColumns[] = {
    RealDef("share_pct", "of the steps", Unit::percent, "The step time that it is about.")
        .Was("share_percent")
        .ForMachines(),
    TextDef("finding", "finding", "What was found.").Was("reason").Below("found"),
    TextDef("fix", "fix", "What to do about it.").Was("what").Below("."),
    TextDef("command", "command", "What tells more.").Below("$"),
};
constexpr TableDef kAdviceTable{"advice", "", kAdviceColumns};

// Percent of the step time from which on something is worth doing.
constexpr double kSomeCopies = 5;
constexpr double kLittle16Bit = 10;  // of the compute
constexpr double kMuchCompute = 30;  // precision matters then

std::string Percent(double percent) { return fmt::format("{:.1f}%", percent); }

double ShareOf(const StepAnswer& steps, StepClass of) {
  double time_ps = 0, whole_ps = 0;
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = steps.hosts[i].steps[common.step[i]];
      time_ps += static_cast<double>(At(step.class_ps, of));
      whole_ps += static_cast<double>(step.duration_ps);
    }
  }
  return whole_ps > 0 ? 100 * time_ps / whole_ps : kNoReal;
}

bool HasDevice(const StepAnswer& steps) {
  return std::any_of(steps.hosts.begin(), steps.hosts.end(), [](const HostSteps& host) {
    return host.has_device() && !host.steps.empty();
  });
}

bool HasGpu(const StepAnswer& steps) {
  return std::any_of(steps.hosts.begin(), steps.hosts.end(), [](const HostSteps& host) {
    return host.device == DeviceKind::gpu && !host.steps.empty();
  });
}

void AddWaiting(const StepAnswer& steps, const InputOps& ops, std::vector<NextStep>* out) {
  if (!WaitForInput(steps)) return;
  const double wait = ShareOf(steps, StepClass::input_wait);
  NextStep next{wait, "", Percent(wait) + " of the step time is spent waiting for input", "tfdata"};
  const InputOp* costliest = ops.Costliest();
  if (costliest == nullptr) {
    next.what =
        "Make the input faster than the step: read and prepare it in a tf.data pipeline "
        "that runs ahead, dataset.prefetch(tf.data.AUTOTUNE).";
    next.reason += "; no operation of an input pipeline was recorded.";
    next.command = "pod";  // tfdata has nothing then
  } else {
    next.what = "Make " + std::string(costliest->name) + " faster. " +
                AdviceFor(LastIterator(costliest->name), ops.of_costliest);
    next.reason += "; of the operations that make it " + std::string(costliest->name) +
                   " takes the most time itself, " + Human(costliest->OwnPs(), Unit::ps) + " in " +
                   Counted(costliest->count, "call") + ".";
    const std::string said = SaidOf(ops.of_costliest);
    if (!said.empty()) next.reason += " " + said;
  }
  out->push_back(std::move(next));
}

// Whatever makes the input then is among what else the host did.
void AddUnknownInput(const StepAnswer& steps, const InputOps& ops, std::vector<NextStep>* out) {
  if (steps.tells_input) return;
  NextStep next{kNoReal,
                "See whether one of them makes the input. If so, let it work ahead on a thread of "
                "its own, or make the input with tf.data.",
                "Nothing that makes input or waits for it was recorded, so whether steps wait for "
                "it is not known.",
                "events -order_by self_us -n 10"};
  if (ops.longest_work.empty()) {
    next.what =
        "See what the program does between launches: record its threads with host_tracer_level 2 "
        "and python_tracer_level 1.";
    next.command = "info";
  } else {
    next.reason += " Of the step time, without what lies within: " + ops.longest_work + ".";
  }
  out->push_back(std::move(next));
}

void AddCopiesIn(const StepAnswer& steps, std::vector<NextStep>* out) {
  if (steps.overlap) return;
  const double copies = ShareOf(steps, StepClass::host_to_device);
  if (!(copies >= kSomeCopies)) return;
  out->push_back(
      {copies,
       "Have the next batch on the device before the step needs it: "
       "tf.data.experimental.prefetch_to_device as the last of the pipeline, "
       "jax.device_put one step ahead; send smaller types and convert them there.",
       Percent(copies) + " of the step time goes into copies to the device while nothing computes.",
       "pod"});
}

void AddOther(const StepAnswer& steps, const StepShares& shares, std::vector<NextStep>* out) {
  const double other = shares.of(StepPart::other);
  if (steps.overlap || !(other >= kSomeOther)) return;
  if (HasDevice(steps)) {
    std::string what =
        "Give the device more to do at once: larger batches, several steps in one tf.function or "
        "jit";
    // What runs on a TPU was compiled by XLA.
    what += HasGpu(steps) ? ", XLA (jit_compile=True), and no results read in between. On GPUs, "
                            "TF_GPU_THREAD_MODE=gpu_private gives launches a thread of their own."
                          : ", and no results read in between.";
    out->push_back({other, std::move(what),
                    Percent(other) + " of the step time devices do nothing: they wait for "
                                     "launches or for the host.",
                    "pod -order_by other_us"});
    return;
  }
  out->push_back({other,
                  "Look at what Python does within the steps: logging, metrics, callbacks and "
                  "arrays that are made there.",
                  Percent(other) + " of the step time no operation was recorded.",
                  "pod -order_by other_us"});
}

void AddCollectives(const StepShares& shares, std::vector<NextStep>* out) {
  const double share = shares.of(StepPart::collectives);
  if (!(share >= kSomeCollectives)) return;
  out->push_back({share,
                  "Let devices talk less, or while they compute: reduce gradients in fewer and "
                  "larger pieces, in 16 bit, every few steps (gradient accumulation).",
                  Percent(share) + " of the step time devices exchange data and compute nothing.",
                  "pod -order_by collectives_us"});
}

// Where copies that hide behind the operations take longer than these.
void AddAwaited(const StepShares& shares, std::vector<NextStep>* out) {
  const double share = shares.of(StepPart::waiting);
  if (!(share >= kSomeCopies)) return;
  out->push_back({share,
                  "Have less to await: keep what each step needs in the memory of the device "
                  "instead of the host's, copy it in fewer and larger pieces, and start copies "
                  "earlier, so that more runs beside them.",
                  Percent(share) + " of the step time devices only await copies and the like that "
                                   "run beside their operations.",
                  "hlo -where 'bound_by = waiting'"});
}

void AddCopiesOut(const StepShares& shares, std::vector<NextStep>* out) {
  const double share = shares.of(StepPart::output);
  if (!(share >= kSomeCopies)) return;
  out->push_back({share,
                  "Read results back less often: losses and metrics every few steps, and not "
                  "within the step.",
                  Percent(share) + " of the step time goes into copies from the device while "
                                   "nothing computes.",
                  "pod -order_by output_us"});
}

void AddPrecision(const StepAnswer& steps, std::vector<NextStep>* out) {
  const double bits_16 = ShareOf(steps, StepClass::compute_16);
  const double bits_32 = ShareOf(steps, StepClass::compute_32);
  const double compute = bits_16 + bits_32;
  if (!(compute >= kMuchCompute) || 100 * bits_16 / compute >= kLittle16Bit) return;
  out->push_back({bits_32,
                  "Compute in 16 bit where that is precise enough: "
                  "tf.keras.mixed_precision.set_global_policy('mixed_float16'), bfloat16 in JAX. "
                  "Tensor cores then multiply several times as fast.",
                  Percent(100 * bits_32 / compute) + " of the compute time is not told to be of "
                                                     "16 bit (bfloat16 is not told apart).",
                  "kernels"});
}

// No part of the step time, and told first: what is gained within steps is little beside it.
void AddGaps(const StepAnswer& steps, bool has_host_plane, std::vector<NextStep>* out) {
  if (!(steps.gaps.Percent() >= kSomeGaps)) return;
  NextStep next{kNoReal,
                "Find out what the program does between steps: evaluation, checkpoints, summaries, "
                "callbacks, waiting for input or for results. `timeline OUT.json` shows its "
                "threads.",
                SaidOf(steps.gaps) + ", lies between steps.", "steps"};
  if (HasDevice(steps)) {
    if (has_host_plane)
      next.what += " -device host:CPU tells the host's own steps, if it marked any.";
    next.reason = SaidOf(steps.gaps) + ", lies between steps: devices do nothing of one then.";
  }
  out->insert(out->begin(), std::move(next));
}

// Whether nothing was recorded of the slowest host before the first step of the answer: -step, or
// steps that not all hosts have, may have left out earlier ones.
bool BeginsWithRecording(const StepAnswer& steps) {
  const CommonStep& first = steps.common[0];
  return first.step[SlowestHost(steps.hosts, first)] == 0;
}

// The first step of the slowest host, when the others are alike and it is not. Where the first that
// was recorded is left out, nothing is told of another.
void AddFirstStep(const StepAnswer& steps, std::vector<NextStep>* out) {
  if (steps.is_whole || steps.common.size() < 3 || !BeginsWithRecording(steps)) return;
  std::vector<StepSpan> others;
  for (const CommonStep& common : std::span(steps.common).subspan(1)) {
    const StepTime& step = steps.Slowest(common);
    others.push_back({step.start_ps, step.EndPs()});
  }
  const int64_t median_ps = StatisticsOf(others).median_ps;
  const StepTime& first = steps.Slowest(steps.common[0]);
  if (static_cast<double>(first.duration_ps) < kSlowFirst * static_cast<double>(median_ps)) {
    return;
  }
  out->push_back({kNoReal,
                  "Begin to record some steps later: the first one traces, compiles and fills "
                  "caches. Means over all steps are too long.",
                  "Step " + first.name + " took " + Human(first.duration_ps, Unit::ps) +
                      " against a median of " + Human(median_ps, Unit::ps) + " of the others.",
                  "pod -n 3"});
}

void AddSlowHost(const StepAnswer& steps, std::vector<NextStep>* out) {
  const SlowHost slow = FindSlowHost(steps);
  if (slow.host == nullptr) return;
  out->push_back(
      {kNoReal,
       slow.in_step ? "Find out what holds up the slowest host: the others wait for it."
                    : "Find out what the slowest host does that the others do not; none waits "
                      "for it.",
       fmt::format("Steps take {:.1f} times as long on the slowest host as on {}{}", slow.Times(),
                   slow.others == 1 ? "the other one" : "the middle one of the others",
                   slow.in_step ? "." : "; hosts do not run in step."),
       "pod -order_by duration_us"});
}

NextStep SeeCheckers(std::string why) {
  return {kNoReal, "See what the checkers of devices, memory and operations find.", std::move(why),
          "advise"};
}

void ByShare(std::vector<NextStep>* items) {
  const auto key = [](const NextStep& item) {
    return std::isnan(item.share_percent) ? -1.0 : item.share_percent;
  };
  std::stable_sort(items->begin(), items->end(),
                   [&](const NextStep& a, const NextStep& b) { return key(a) > key(b); });
}

}  // namespace

bool WaitForInput(const StepAnswer& steps) {
  return !steps.overlap && ShareOf(steps, StepClass::input_wait) >= kSomeInput;
}

std::vector<NextStep> InputAdvice(const StepAnswer& steps, const InputOps& ops) {
  std::vector<NextStep> items;
  if (steps.common.empty()) return items;
  AddWaiting(steps, ops, &items);
  AddCopiesIn(steps, &items);
  const StepShares shares = SharesOf(steps);
  if (shares.of(StepPart::input) < kSomeInput) AddOther(steps, shares, &items);
  AddUnknownInput(steps, ops, &items);
  if (items.empty() && steps.overlap) {
    items.push_back({kNoReal, "See in `timeline OUT.json` what devices and threads do.",
                     "Steps overlap: what one waits for, another computes in, so whether input "
                     "holds them up is not known.",
                     "planes"});
  }
  if (items.empty()) {
    items.push_back({shares.of(StepPart::input), "Leave the input as it is.",
                     "Steps do not wait for input: " + Percent(shares.of(StepPart::input)) +
                         " of the step time is for it.",
                     "overview"});
  }
  ByShare(&items);
  return items;
}

std::vector<NextStep> StepAdvice(const StepAnswer& steps, const InputOps& ops, bool is_nvidia,
                                 bool has_host_plane) {
  std::vector<NextStep> items;
  if (steps.common.empty()) return {SeeCheckers("No step tells what it was spent on.")};
  const StepShares shares = SharesOf(steps);
  AddWaiting(steps, ops, &items);
  AddCopiesIn(steps, &items);
  if (shares.of(StepPart::other) >= kMuchOther || !(shares.of(StepPart::input) >= kSomeInput)) {
    AddOther(steps, shares, &items);
  }
  if (!steps.overlap) {
    AddCollectives(shares, &items);
    AddCopiesOut(shares, &items);
    AddAwaited(shares, &items);
  }
  if (is_nvidia) AddPrecision(steps, &items);
  ByShare(&items);
  AddUnknownInput(steps, ops, &items);
  AddGaps(steps, has_host_plane, &items);
  AddFirstStep(steps, &items);
  AddSlowHost(steps, &items);
  if (items.empty()) {
    items.push_back(SeeCheckers(steps.overlap ? "Steps overlap, so what one waits for is not known."
                                              : "Nothing stands out of how the steps are spent."));
  }
  return items;
}

Table AdviceTable(const std::vector<NextStep>& items, TextPool* pool) {
  Table table = MakeTable(kAdviceTable, items.size());
  Fill(table, "share_pct", items,
       [](const NextStep& item) { return item.share_percent; });  // the reason tells it
  const auto texts = [&](std::string_view id, std::string NextStep::*text) {
    Fill(table, id, items, [&](const NextStep& item) { return pool->Keep(item.*text); });
  };
  texts("finding", &NextStep::reason);
  texts("fix", &NextStep::what);
  texts("command", &NextStep::command);
  return table;
}

const TableDef& AdviceTableDef() { return kAdviceTable; }

}  // namespace tfprof
