// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/merge.h"

#include <fmt/core.h>

#include "core/store/op_name.h"
#include "loaders/merge/overlap.h"

namespace tfprof {
namespace {

uint64_t PlaceOf(const ArrivalRun& rows) {
  return uint64_t{rows.lane.value} << 32 | rows.step.value;
}

// Returns the row runs of this profile. A first row with the lane and step of the last earlier row
// begins no run of its own, so that run is included.
std::span<const ArrivalRun> OwnRows(const EarlierProfiles& earlier, const StoreBuilder& store) {
  const std::span<const ArrivalRun> all = store.rows_begun();
  const bool any = store.next_event() != earlier.rows_end;
  const bool first_begun =
      all.size() > earlier.rows_begun && all[earlier.rows_begun].first == earlier.rows_end.value;
  const bool continues_list = any && !first_begun && earlier.rows_begun > 0;
  return all.subspan(earlier.rows_begun - (continues_list ? 1 : 0));
}

}  // namespace

EarlierProfiles FindEarlier(const StoreBuilder& store) {
  EarlierProfiles earlier{store.node_count(), store.rows_begun().size(), store.next_event(), {}};
  for (const ArrivalRun& rows : store.rows_begun()) earlier.places.insert(PlaceOf(rows));
  return earlier;
}

Result<void> CheckOneRun(const EarlierProfiles& earlier, size_t own_nodes, size_t shared_nodes,
                         StoreBuilder& store, const SourceFile& file) {
  if (!IsOneGraph(shared_nodes, own_nodes, earlier.nodes)) {
    return Fail(
        ErrorKind::usage,
        fmt::format(
            "the profiles are of different graphs: only {} of {} nodes are in earlier files",
            shared_nodes, own_nodes),
        file.path, "open one at a time");
  }
  for (const ArrivalRun& rows : OwnRows(earlier, store)) {
    const std::string_view device = store.Text(store.lane(rows.lane).name);
    if (earlier.places.count(PlaceOf(rows)) == 0 || !HasDeviceForm(device)) continue;
    const std::string step =
        rows.step.some() ? std::to_string(store.step(rows.step).number) : "none";
    return Fail(ErrorKind::usage,
                fmt::format("the profiles are of different runs, or of one run twice: an earlier "
                            "file also has step {} of {}",
                            step, device),
                file.path,
                "open one at a time; run metadata of several steps, opened together, are steps 0, "
                "1, 2 ...");
  }
  return {};
}

}  // namespace tfprof
