// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/classes.h"

#include <algorithm>

#include "analysis/intervals/start_order.h"
#include "analysis/ops/async_done.h"
#include "analysis/ops/links.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Ends of spans without duration, by start: each extends to the start of the next span of its rank
// or above or, without one, to the last end of all spans. Empty: all spans have a duration.
std::vector<int64_t> ExtendedEnds(std::span<const ClassSpan> spans) {
  std::vector<int64_t> until_ps;
  const auto is_moment = [](const ClassSpan& span) { return span.end_ps <= span.start_ps; };
  if (std::none_of(spans.begin(), spans.end(), is_moment)) return until_ps;
  ClassTimes next_ps;
  next_ps.fill(kMinPs);
  for (const ClassSpan& span : spans) next_ps.fill(std::max(next_ps[0], span.end_ps));
  until_ps.resize(spans.size());
  for (size_t k = spans.size(); k-- > 0;) {
    const auto rank = static_cast<size_t>(spans[k].of);
    until_ps[k] = next_ps[rank];
    for (size_t i = 0; i <= rank; ++i) next_ps[i] = spans[k].start_ps;
  }
  return until_ps;
}

}  // namespace

HostText HostTextOf(EventRole role, std::string_view name) {
  switch (role) {
    case EventRole::step_marker:
    case EventRole::root_step_marker: return HostText::marker;
    case EventRole::function_run:
    case EventRole::eager_executor:
    case EventRole::wrapper: return HostText::wrapper;
    case EventRole::input_fetch: return HostText::input_wait;
    default: break;
  }
  const OpName op = ParseOpName(name);
  // Threads name the launch of a copy "MemcpyH2D": it is work of the host.
  const CopyKind copy = op.family == OpFamily::copy ? CopyKindOf(name) : CopyKind::none;
  if (copy == CopyKind::host_to_device) return HostText::host_to_device;
  if (copy == CopyKind::host_to_host) return HostText::host_to_host;
  return IsInfeed(op) ? HostText::host_to_device : HostText::compute;
}

StepClass GpuTextOf(std::string_view name) {
  switch (CopyKindOf(name)) {
    case CopyKind::host_to_device: return StepClass::host_to_device;
    case CopyKind::device_to_host: return StepClass::device_to_host;
    case CopyKind::device_to_device: return StepClass::device_to_device;
    default: break;
  }
  if (LinkOf(name) == Link::devices) return StepClass::collectives;
  return Has(name, "half") || Has(name, "fp16") ? StepClass::compute_16 : StepClass::compute_32;
}

StepClass GpuShapeOf(std::string_view shape) {
  return Has(shape, "half") ? StepClass::compute_16 : StepClass::compute_32;
}

StepClass TpuTextOf(std::string_view category, std::string_view name) {
  switch (LinkOf(category.empty() ? name : category)) {
    case Link::from_host: return StepClass::host_to_device;
    case Link::to_host: return StepClass::device_to_host;
    case Link::devices: return StepClass::collectives;
    case Link::none: break;
  }
  if (!IsAsyncDone(category, name)) return StepClass::compute_32;
  // The category of any asynchronous instruction may be async-done.
  return LinkOf(name) == Link::devices ? StepClass::collectives : StepClass::stalled;
}

ClassTimes TimesOfClasses(std::span<ClassSpan> spans, int64_t start_ps, int64_t end_ps) {
  StartOrder().Sort(spans);
  const std::vector<int64_t> extended_end_ps = ExtendedEnds(spans);
  // The union of the spans of this class and those above it: its length and its end.
  ClassTimes length{}, end{};
  end.fill(kMinPs);
  for (size_t k = 0; k < spans.size(); ++k) {
    const ClassSpan& span = spans[k];
    const auto rank = static_cast<size_t>(span.of);
    int64_t span_end_ps = span.end_ps;
    if (span_end_ps <= span.start_ps) {
      if (end[rank] > span.start_ps) continue;
      span_end_ps = extended_end_ps[k];
    }
    span_end_ps = std::min(span_end_ps, end_ps);
    // The union of a class contains the unions of the classes above it, so it ends no earlier.
    for (size_t i = rank + 1; i-- > 0 && end[i] < span_end_ps;) {
      const int64_t from_ps = std::max({span.start_ps, end[i], start_ps});
      if (span_end_ps > from_ps) length[i] += span_end_ps - from_ps;
      end[i] = span_end_ps;
    }
  }
  for (size_t i = 0; i + 1 < kStepClasses; ++i) length[i] -= length[i + 1];
  return length;
}

}  // namespace tfprof
