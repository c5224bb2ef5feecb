// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"
#include "loaders/id_index.h"
#include "loaders/io/source.h"
#include "loaders/xspace/layout.h"

// Loads the time columns of an XSpace in two passes over the lines, on several threads. The first
// pass counts the events by jumping from one to the next. The second decodes every piece of a line
// directly to its rows in the store; it is fast because it skips stats. Both passes process some
// megabytes of lines at a time, so that the second pass finds them in the caches; the next lines
// are counted meanwhile.

namespace tfprof::xspace {

// The labels of a plane: the label of an event is `first` + the position of its metadata id.
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

// Detail of an event beyond 4 GiB of its line: it is not kept.
constexpr uint32_t kNoDetail = 0xFFFFFFFFu;

// Adds the events of all lines and completes `line` with the fields after its events. The detail of
// an event is the offset of its length from the start of the line. *bad: place where the wire
// format of a line is invalid; the part before it is loaded. Adds unknown fields of lines to
// *unknown. REQUIRES: the lanes of the lines ascend.
//
// Errors: cancelled; corrupt if there are more events than a store holds.
Result<void> LoadEvents(const SourceFile& file, std::vector<LaneLine>* lines, StoreBuilder& store,
                        Context& context, const char** bad, UnknownFields* unknown);

}  // namespace tfprof::xspace
