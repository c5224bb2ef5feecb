// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/store/store.h"

namespace tfprof {

// Writes a ProfileProto (proto/tfprof_log.proto): graph, log and all steps in one file, which gives
// the same answers in the original. Written node by node: memory beyond the store is the longest
// node, the call stacks, and 4 bytes per event. Returns notes on facts that the format cannot hold,
// and on code that could not be read. Errors: those of the sink; cancelled.
Result<std::vector<Note>> WriteProfile(const Store& store, Sink& sink, Context& context);

// Writes an OpLogProto (proto/tfprof_log.proto): types, float operations and code traces of all
// nodes that have any. Together with the graph and the run records it has the facts of the profile;
// the checkpoint's type _checkpoint_variables is among the types. Errors: those of the sink;
// cancelled.
struct WrittenLog {
  size_t entries = 0;
  std::vector<Note> notes;  // on code that could not be read
};
Result<WrittenLog> WriteOpLog(const Store& store, Sink& sink, Context& context);

}  // namespace tfprof
