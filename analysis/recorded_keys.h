// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "core/base/context.h"
#include "core/store/details.h"
#include "core/store/store.h"

namespace tfprof {

// Returns true if records of the process can have the key; reads one record. False if the process
// has no records. Error: those of ReadColumns.
inline Result<bool> IsKeyRecorded(const Store& store, ProcessId id, DetailKey key,
                                  Context& context) {
  const Process& process = store.processes[id.value];
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.rows.count == 0) continue;
    const EventId any(lane.rows.first);
    TFPROF_ASSIGN(const auto columns,
                  ReadColumns(store, id, std::span(&any, 1), DetailKeys(&key, 1), context));
    return columns[0].rows.count > 0;
  }
  return false;
}

}  // namespace tfprof
