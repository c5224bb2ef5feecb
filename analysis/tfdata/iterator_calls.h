// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// The calls of tf.data's iterators, and which call each of them works for.

namespace tfprof {

// Numbers of iterators compare as 64 bits; a recorder may write the same one as a negative integer
// or as a natural number.
struct IteratorId {
  int64_t bits = 0;
  bool is_natural = false;  // how it is written
};

// A call of GetNext of an iterator, as one event of a host thread.
struct IteratorCall {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  EventId event;
  IteratorId iterator;
  LabelId
      label;  // its name: "Iterator::Root::Prefetch::Map", from the pipeline's end to its source
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  bool is_root = false;     // the program's own call: the name has one component
  uint32_t parent = kNone;  // of IteratorCalls::calls: the call that asked for it; none of a root
};

struct IteratorCalls {
  std::vector<IteratorCall> calls;  // by event
  // Roots of pipelines that bring elements onto a device: their work is in the runtime, and the
  // pipeline on the host is another one. Ascending.
  std::vector<int64_t> device_roots;
};

// Those of one host process. A call works for the call around it on its thread. Iterators with
// threads of their own hand elements over: what is made within an event `XProduce` works for the
// call around the event `XConsume` of the same iterator and element.
// Costs one pass over the labels, the nesting of the lanes that have iterators, and the attributes
// of their events. Errors: cancelled; corrupt (the file became shorter).
Result<IteratorCalls> FindIteratorCalls(const Store& store, ProcessId process, Context& context);

// "Iterator::Root::Prefetch::Map" -> "Map".
std::string_view LastComponent(std::string_view name);

}  // namespace tfprof
