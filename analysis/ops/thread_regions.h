// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/store.h"

// A thread pool marks the work that it runs by two events without duration: the region from the
// first to the second encloses what the thread does in between.

namespace tfprof {

// The labels in one process; none: it has no such regions.
struct RegionLabels {
  LabelId start;
  LabelId stop;
};

inline RegionLabels RegionLabelsOf(const Store& store, const Process& process) {
  RegionLabels labels;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const LabelId label(process.labels.first + i);
    const EventRole role = store.labels[label.value].role;
    if (role == EventRole::region_start) labels.start = label;
    if (role == EventRole::region_stop) labels.stop = label;
  }
  return labels;
}

// Returns the one of two enclosing rows that started later; `region` and `parent` may be kNoRow.
inline uint32_t InnerOf(const Store& store, uint32_t parent, uint32_t region) {
  if (parent == kNoRow || region == kNoRow) return region == kNoRow ? parent : region;
  return store.events.start_ps[parent] < store.events.start_ps[region] ? region : parent;
}

}  // namespace tfprof
