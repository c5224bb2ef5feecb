// SPDX-License-Identifier: Apache-2.0
// The ranges that a thread is in, while its records are read in order.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/model/scopes.h"

namespace tfprof::capture {

struct OpenRange {
  uint64_t start = 0;
  uint32_t name = 0;
  uint16_t domain = 0;
  PayloadType payload_type = PayloadType::none;
  uint32_t category = 0;
  uint64_t payload = 0;
  int32_t step = -1;         // index, if this range is the step
  bool is_part = false;      // of a step that began before what is kept, so that it is none
  ScopeId scope = kNoScope;  // inside this range
  uint64_t inner_ns = 0;     // of what has a scope of its own, and of calls, directly inside
};

// Instead of a step: that in which the thread is began before what is kept.
inline constexpr int32_t kPartOfStep = -2;

struct ThreadRanges {
  std::vector<OpenRange> open;  // the innermost last
  int32_t step = -1;            // index of the step that the thread is in; -1: none
  uint64_t last_time = 0;

  ScopeId scope() const { return open.empty() ? kNoScope : open.back().scope; }
};

enum class RangeRole : uint8_t {
  step,
  scope,      // a region of the program: of the default domain and of definitions.scope_domains
  operation,  // what TensorFlow or XLA runs; regions around it are part of its path
  activity,   // other work of a framework, such as compiling
  foreign,    // of another domain, on a line of its own: NCCL and others mark their inner work
};
inline bool HasScope(RangeRole role) {
  return role == RangeRole::scope || role == RangeRole::operation;
}
RangeRole RoleOf(const Definitions& definitions, const OpenRange& range);

// Returns the range that was opened.
const OpenRange& Push(const Definitions& definitions, Scopes* scopes, uint32_t thread,
                      const PushRecord& push, ThreadRanges* ranges);

// Returns false if no range of the domain is open; else `closed` is the innermost of them.
bool Pop(const Definitions& definitions, Scopes* scopes, const PopRecord& pop, ThreadRanges* ranges,
         OpenRange* closed);

// The step that an instant is in; -1: none. The latest that began, if several threads have steps.
int32_t StepAt(const Definitions& definitions, uint64_t time);

}  // namespace tfprof::capture
