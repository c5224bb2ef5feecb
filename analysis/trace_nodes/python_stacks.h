// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/store.h"

// The Python calls around the events of a trace, where a tracer of Python took part. Its events lie
// on the threads of hosts and are named $FILE:LINE FUNCTION, LINE being where the function begins.

namespace tfprof {

class Indexes;

struct PythonFrame {
  std::string_view file;  // empty: the name is none of a Python function
  std::string_view function;
  int32_t line = 0;

  bool some() const { return !file.empty(); }
};

// Functions in C, which have no line ($builtins len), are no frames: they belong to their caller.
PythonFrame ParsePythonFrame(std::string_view event_name);

// One frame below its caller.
struct PythonCall {
  uint32_t caller = 0;  // of PythonStacks::calls; 0: none
  NameId name;          // of Store::names: that of the event
  uint32_t depth = 0;   // the outermost has 1
};

struct PythonStacks {
  static constexpr uint32_t kNone = 0;
  static constexpr uint32_t kMostFrames = 256;  // what is deeper belongs to the last of them

  std::vector<PythonCall> calls{1};
  // By EventId: the innermost call around it, of `calls`; kNone: there is none. Empty: the trace
  // has no Python calls.
  Column<uint32_t> of_event;

  bool empty() const { return of_event.empty(); }
};

// The call around an event on its thread; on a thread without calls those around what handed the
// work on to it (analysis/links/event_links.h). Cost: one pass over the labels; where there are
// Python calls a pass over the events of the hosts for each time that work was handed on in a row,
// 16 at most. Error: cancelled.
Result<PythonStacks> FindPythonStacks(const Store& store, const Indexes& indexes, Context& context);

}  // namespace tfprof
