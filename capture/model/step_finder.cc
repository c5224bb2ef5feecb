// SPDX-License-Identifier: Apache-2.0
#include "capture/model/step_finder.h"

namespace tfprof::capture {

// The recorder counted the steps that it did not record, too.
int64_t StepFinder::NumberOf(const NameFacts& name, uint64_t start) {
  if (name.step.has_value()) return *name.step;
  const WindowRecord* window = definitions_->WindowAt(start);
  if (window != nullptr && window->step >= 0 && window->start != counted_from_) {
    counted_from_ = window->start;
    next_number_ = window->step;
  }
  return next_number_++;
}

void StepFinder::Push(uint32_t thread, const PushRecord& push) {
  Thread& in = threads_[thread];
  if (in.resumption.IsLost(*definitions_)) return;
  const NameFacts& name = definitions_->Name(push.head.id);
  const bool is_step = name.is_step && !in.is_in_step;
  if (is_step) {
    in.is_in_step = has_steps_ = true;
    in.step = {push.time, 0, NumberOf(name, push.time), thread};
  }
  in.is_step[push.domain].push_back(is_step);
}

void StepFinder::Pop(uint32_t thread, const PopRecord& pop) {
  Thread& in = threads_[thread];
  std::vector<bool>& open = in.is_step[pop.head.id];
  if (open.empty()) return;
  if (open.back()) {
    in.step.end = pop.time;
    ended_.push_back(in.step);
    in.is_in_step = false;
  }
  open.pop_back();
}

void StepFinder::Resume(uint32_t thread, const ResumeRecord& resume) {
  Thread& in = threads_[thread];
  if (!in.resumption.Begin(*definitions_, resume)) return;
  in.is_step.clear();
  if (in.is_in_step) ended_.push_back(in.step);
  in.is_in_step = false;
}

void StepFinder::Reopen(uint32_t thread, const PushRecord& push) {
  PushPayloadRecord reopened;
  if (threads_[thread].resumption.Take(push, &reopened)) Push(thread, reopened.push);
}

std::vector<StepSpan> StepFinder::Steps() const {
  std::vector<StepSpan> steps = ended_;
  for (const auto& [id, thread] : threads_) {
    if (thread.is_in_step) steps.push_back(thread.step);
  }
  return steps;
}

void StepFinder::DropBefore(uint64_t time) {
  std::erase_if(ended_, [&](const StepSpan& step) { return step.start < time; });
}

}  // namespace tfprof::capture
