// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/text/wording.h"

namespace tfprof {

// The findings. The catalogue has a row with the texts of each, in this order.
enum class FindingId : uint8_t {
  accelerator_underused,
  dominant_type,
  dominant_async_done_type,
  dominant_scope,
  nhwc_on_accelerator,
  unfused_batch_norm,
  no_run,
  no_step,
  one_step,
  input_not_recorded,
  low_coverage,
  few_shapes,
  streams_not_traced,
  device_idle,
  cpu_between_accelerator,
  copy_engine_busy,
  exposed_copies_in,
  exposed_copies_out,
  exposed_collectives,
  stalled_on_async,
  step_time_without_device_work,
  step_time_without_operations,
  time_between_steps,
  late_device,
  slow_host,
  slow_first_step,
  steps_vary,
  memory_at_peak,
  largest_peak_memory,
  input_bound,
  float32_products,
  compiles_again,
  compiles_first_step,
  traces_again,
  python_callback,
  creates_iterators,
  eager_execution,
  small_operations,
  many_programs,
  small_program,
  other_programs,
  waits_for_results,
  waits_for_devices,
  python_function,
  host_region,
  host_operation,
  device_memory,
  garbage_collector,
  checkpoint_in_steps,
  waits_for_queue,
  waits_for_lock,
  copies_in_steps,
  device_copies,
  device_communication,
  unrecorded_time,
  late_host,
  layout_changes,
  array_copies,
  steps_get_longer,
  arrays_kept,
  memory_grows,
};

enum class Severity : uint8_t { high, medium, low, info };
std::string_view NameOf(Severity severity);
// high, medium, low, info: indexed by Severity.
std::span<const std::string_view> SeverityNames();

// One finding: its id and the values in its texts.
struct Finding {
  FindingId id;
  Severity severity = Severity::info;
  // The most that a step would be shorter without it; kNoInt: unknown.
  int64_t cost_ps = kNoInt;
  std::vector<Value> values;
  // Findings about the same time: if one of them is present, this one is not shown.
  std::vector<FindingId> explained_by = {};
};

// The catalogue's texts of a finding, in the syntax of core/text/wording.h.
struct FindingText {
  FindingId id;
  std::string_view name;      // stable: used in JSON and docs
  std::string_view checker;   // the checker that reports it
  std::string_view what;      // one sentence
  std::string_view evidence;  // its first number is one that `command` prints, in the same notation
  std::string_view formula;   // of the cost; empty: no cost
  double limit;               // {limit} of the threshold; NaN: none
  std::string_view threshold;
  std::string_view recommendation;
  std::string_view command;  // a tfprof command on the same profile
};

// Indexed by FindingId.
std::span<const FindingText> FindingCatalogue();
const FindingText& TextOf(FindingId id);

std::string WhatOf(const Finding& finding);
std::string EvidenceOf(const Finding& finding);
std::string FormulaOf(const Finding& finding);  // empty if the cost is unknown
std::string ThresholdOf(const FindingText& text);
std::string RecommendationOf(const Finding& finding);
std::string CommandOf(const Finding& finding);

}  // namespace tfprof
