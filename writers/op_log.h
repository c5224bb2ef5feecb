// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/context.h"
#include "core/sink.h"
#include "core/store.h"

namespace tfprof {

// An OpLogProto (proto/tfprof_log.proto): types, float operations and code traces of all nodes that
// have any. With the graph and the run records it says what the profile said; the checkpoint's
// type _checkpoint_variables is among the types. Returns the number of
// entries. Errors: those of the sink; cancelled.
Result<size_t> WriteOpLog(const Store& store, Sink& sink, Context& context);

}  // namespace tfprof
