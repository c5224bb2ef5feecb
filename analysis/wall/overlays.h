// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/wall/host_causes.h"

// Causes that the events around a moment do not show: part of SegmentsOf.

namespace tfprof {

// Appends a segment, or extends the last one if it is of the same cause.
void AppendSegment(const HostSegment& next, std::vector<HostSegment>* segments);

// Adds garbage collections, waits for locks, the work of input pipelines on other threads, what
// belongs to checkpoints and to single operations, and segments for the time without events.
std::vector<HostSegment> WithContext(const Store& store, const DrivingThread& thread,
                                     Intervals fetching, const std::vector<HostSegment>& segments);

}  // namespace tfprof
