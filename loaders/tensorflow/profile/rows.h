// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/builder.h"
#include "loaders/counts.h"
#include "loaders/tensorflow/profile/exec.h"

namespace tfprof {

// Stores the executions of ProfileProto nodes, node by node: BeginNode, then AddExec for each step.
//
// A profile has fewer facts than the run records it was made from. Non-canonical devices keep only
// their name, and a record without a start time leaves only the presence of its step. Such facts
// become unplaced events with 0 occurrences.
struct ProfileRows {
  static constexpr uint32_t kNoDevice = 0xFFFFFFFF;
  struct Device {
    std::string_view text;
    LaneId lane;
  };

  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  std::string host = {};  // LoadArguments::host

  // Texts of devices and steps seen. Consecutive executions name the same ones in the same order: a
  // text is compared once and rarely hashed.
  std::vector<Device> devices = {};
  std::unordered_map<std::string_view, uint32_t> device_of_text = {};
  std::vector<std::pair<int64_t, StepId>> steps = {};
  static constexpr size_t kExpected = 16;
  uint32_t expected_devices[kExpected] = {};
  uint32_t expected_canonical = 0;
  size_t devices_named = 0;  // by the current execution
  size_t step_hint = 0;
  // Step -1 means no step (see writers/), unless the profile lists it among its steps.
  bool has_step_minus_one = false;

  // Of the current node.
  NodeId node = {};
  LabelId label = {};
  uint32_t canonical =
      kNoDevice;             // the device whose records count; none: the device without a name
  uint64_t known_lanes = 0;  // bit i: the node is linked to lane i

  std::vector<int64_t> lane_mark = {};  // by lane: the last execution with rows on it
  int64_t executions = 0;
  Exec exec = {};  // the current one
  MemoryRecord memory = {};
  ProblemCount invalid_pairs = {}, no_time = {}, fewer_runs = {}, malformed_memory = {};
};

// Begins the next node. `canonical_device`, if present, is its first lane: the canonical device is
// the first lane with the form of a device.
void BeginNode(NodeId node, LabelId label, std::string_view canonical_device, ProfileRows* rows);

// Stores the ExecProfile `message` of a step. Returns null, or the place where the wire format is
// invalid; then nothing is stored.
const char* AddExec(int64_t step, std::string_view message, ProfileRows* rows);

void AddAllNotes(const ProfileRows& rows);

}  // namespace tfprof
