// SPDX-License-Identifier: Apache-2.0
#include "analysis/read_ahead.h"

#include "analysis/place.h"

namespace tfprof {

Result<void> ReadAhead(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       const EventKeys& keys, Context& context) {
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    const bool is_host = process.kind == ProcessKind::host;
    if ((!is_host && !process.device.some()) || !MatchesPlace(store, process, place)) continue;
    const DetailKeys wanted = process.device.some() ? keys.of_devices : keys.of_hosts;
    if (!wanted.empty()) TFPROF_TRY(indexes.Details(ProcessId(i), wanted, context));
  }
  return {};
}

}  // namespace tfprof
