// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/store.h"

// Python calls around the events of a trace that a Python tracer recorded. Its events are on the
// threads of hosts.

namespace tfprof {

class Indexes;

struct PythonFrame {
  std::string_view file;  // empty: not the name of a Python function
  std::string_view function;
  int32_t line = 0;

  bool some() const { return !file.empty(); }
};

// Functions in C, which have no line, are not frames: they belong to their caller.
PythonFrame PythonFrameOf(const Store& store, const Label& label);

// A frame and its caller.
struct PythonCall {
  uint32_t caller = 0;  // in PythonStacks::calls; 0: none
  LabelId label;        // of its events; several processes may have one of that name
  uint32_t depth = 0;   // the outermost call has 1
};

struct PythonStacks {
  static constexpr uint32_t kNone = 0;
  static constexpr uint32_t kMaxFrames = 256;  // deeper calls belong to the last frame

  std::vector<PythonCall> calls{1};
  // By EventId: the innermost enclosing call, in `calls`; kNone: none. Empty: the trace has no
  // Python calls.
  Column<uint32_t> of_event;

  bool empty() const { return of_event.empty(); }
};

// Finds the calls around an event on its thread; on a thread without calls, those around the event
// that links to it (analysis/links/event_links.h). Cost: one pass over the labels; if there are
// Python calls, one pass over the events of hosts per consecutive link, at most 16. Error:
// cancelled.
Result<PythonStacks> FindPythonStacks(const Store& store, const Indexes& indexes, Context& context);

}  // namespace tfprof
