// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// The calls of tf.data iterators, and the call that each of them works for.

namespace tfprof {

// Iterator numbers compare as 64 bits; a recorder may write a number as a negative integer or as a
// natural number.
struct IteratorId {
  int64_t bits = 0;
  bool is_natural = false;  // the kind as recorded
};

// A call of GetNext of an iterator: one event of a host thread.
struct IteratorCall {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  EventId event;
  IteratorId iterator;
  LabelId label;  // its name: "Iterator::Root::Prefetch::Map", from the end of the pipeline to its
                  // source
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  bool is_root = false;     // called by the program: the name has one component
  uint32_t parent = kNone;  // in IteratorCalls::calls: the call that requested it; none for a root
};

struct IteratorCalls {
  std::vector<IteratorCall> calls;  // by event
  // Root iterators of pipelines that copy elements to a device: they run in the runtime, and the
  // host's pipeline is a separate one. Ascending.
  std::vector<int64_t> device_roots;
};

// Finds the calls in one host process. A call works for the call that encloses it on its thread.
// Iterators with own threads pass elements on: a call within an event `XProduce` works for the call
// around the event `XConsume` of the same iterator and element. Cost: one pass over the labels, the
// nesting of the lanes that have iterators, and the attributes of their events. Errors: cancelled;
// corrupt (the file was truncated).
Result<IteratorCalls> FindIteratorCalls(const Store& store, ProcessId process, Context& context);

// "Iterator::Root::Prefetch::Map" -> "Map".
std::string_view LastComponent(std::string_view name);

}  // namespace tfprof
