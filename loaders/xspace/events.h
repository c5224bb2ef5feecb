// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"
#include "loaders/id_index.h"
#include "loaders/io/source.h"
#include "loaders/xspace/layout.h"

// The time columns of an XSpace. Two passes over the lines, on several threads: one counts the
// events, jumping from one to the next; then every piece of a line is decoded straight to its place
// in the store. The second pass does not look at stats: that is what makes it fast. Lines of some
// megabytes are done at a time, so that the second pass finds them in the caches, and the next ones
// are counted meanwhile.

namespace tfprof::xspace {

// The labels of a plane: that of an event is `first` + the place of its metadata id.
struct PlaneLabels {
  IdIndex index;
  LabelId first;
  LabelId unknown;  // of events whose metadata is missing
};

struct LaneLine {
  Line line;
  LaneId lane;
  const PlaneLabels* labels = nullptr;
};

// Where the detail of an event is not kept: it lies beyond 4 GiB of its line.
constexpr uint32_t kNoDetail = 0xFFFFFFFFu;

// Adds the events of all lines, which must be of lanes in ascending order, and completes `line` by
// what stands behind its events. The detail of an event is where its length stands, counted from
// the start of the line. *bad: where a line stops to be wire format; what comes before is loaded.
// Unknown fields of lines are added to *unknown.
// Errors: cancelled; corrupt, when there are more events than a store holds.
Result<void> LoadEvents(const SourceFile& file, std::vector<LaneLine>* lines, StoreBuilder& store,
                        Context& context, const char** bad, UnknownFields* unknown);

}  // namespace tfprof::xspace
