// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// The parts of a model in which the events of a trace run, where their calls were recorded
// (PythonForm::module): "Net_0/Sequential_0/Linear_1".
struct ModuleScopes {
  static constexpr uint32_t kNone = 0;

  std::vector<std::string> paths{1};  // path 0 is empty
  // By EventId: in `paths`; kNone: in no part. Empty: no calls were recorded.
  Column<uint32_t> of_event;

  bool empty() const { return of_event.empty(); }

  // An index. An operation that computes gradients is in the part of the one that it belongs to, by
  // their common sequence number; an operation of a device in that of the call that launched it.
  // Error: cancelled.
  static Result<ModuleScopes> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
