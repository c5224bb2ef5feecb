// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/python_calls.h"

#include <algorithm>

namespace tfprof::capture {

std::string PythonEventName(const Definitions& definitions, uint32_t frame, bool is_gradient) {
  const auto found = definitions.frames.find(frame);
  if (found == definitions.frames.end()) return {};
  const FrameRecord& facts = found->second;
  const auto text = [&](uint32_t name) {
    const std::string& known = definitions.Name(name).base;
    return known.empty() ? std::string("?") : known;
  };
  return "$" + text(facts.file) + ":" + std::to_string(facts.line) + " " + text(facts.function) +
         (is_gradient ? "(gradient)" : "");
}

uint64_t PythonCalls::EventOf(uint32_t frame, bool is_gradient) {
  const auto [event, is_new] = events_.try_emplace(uint64_t{is_gradient} << 32 | frame);
  if (is_new) {
    const std::string name = PythonEventName(definitions_, frame, is_gradient);
    if (!name.empty()) event->second = to_.EventName(plane_, name);
  }
  return event->second;
}

// The thread is in the functions of the last sample until then, as far as is known.
void PythonCalls::Extend(uint64_t time, Open* open) {
  if (open->is_sampled) open->last_end = std::max(open->last_end, time);
  open->is_sampled = false;
}

void PythonCalls::Take(PythonStack stack, uint64_t start, uint64_t end, XSpace::LineId line,
                       Open* open) {
  const auto found = definitions_.stacks.find(stack.id);
  if (stack.is_gradient != open->is_gradient) Close(line, open);
  open->is_gradient = stack.is_gradient;
  if (found == definitions_.stacks.end()) return Close(line, open);
  Extend(start, open);
  const std::vector<uint32_t>& frames = found->second;  // the innermost first
  auto& functions = open->functions;
  size_t same = 0;
  while (same < functions.size() && same < frames.size() &&
         functions[same].frame == frames[frames.size() - 1 - same]) {
    ++same;
  }
  CloseTo(same, line, open);
  // A call inside of another one is recorded before it.
  for (auto& function : functions) function.start = std::min(function.start, start);
  for (size_t i = same; i < frames.size(); ++i) {
    functions.push_back({frames[frames.size() - 1 - i], start});
  }
  open->last_end = std::max(end, start);
  ++open->calls;
}

void PythonCalls::TakeSample(const PythonSample& sample, uint64_t end, XSpace::LineId line,
                             Open* open) {
  const uint64_t start = std::max({sample.since, open->earliest, open->last_end});
  Take({sample.stack, false}, std::min(start, end), end, line, open);
  open->is_sampled = true;
}

void PythonCalls::CloseAt(uint64_t time, XSpace::LineId line, Open* open) {
  Extend(time, open);
  Close(line, open);
  open->earliest = time + 1;  // a range encloses what begins with it
}

void PythonCalls::CloseTo(size_t count, XSpace::LineId line, Open* open) {
  auto& functions = open->functions;
  for (size_t i = count; i < functions.size(); ++i) {
    const uint64_t event = EventOf(functions[i].frame, open->is_gradient);
    if (event == 0) continue;
    to_.Begin(line, event, functions[i].start, open->last_end, static_cast<uint32_t>(i));
    to_.End();
  }
  functions.resize(std::min(count, functions.size()));
  if (functions.empty()) open->calls = 0;
}

}  // namespace tfprof::capture
