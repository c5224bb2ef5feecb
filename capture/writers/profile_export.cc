// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/profile_export.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "capture/writers/wire.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof::capture {
namespace {

namespace field = tfprof::field;

bool IsAccelerator(std::string_view device) { return device.find("stream:all") != device.npos; }

// ".../device:gpu:0" and ".../device:cpu:0"
bool CountsRuns(std::string_view device) {
  const size_t slash = device.rfind('/');
  return slash != device.npos && device.substr(slash + 1).starts_with("device:") &&
         device.find("stream") == device.npos;
}

std::string HostOf(std::string_view device) {
  const size_t gpu = device.rfind("gpu:");
  if (gpu == device.npos) return std::string(device);
  return std::string(device.substr(0, gpu)) + "cpu:0";
}

template <class Field>
void Entry(Field field, uint64_t key, std::string_view value, std::string* to) {
  std::string entry;
  wire::Number(wire::MapEntry::key, key, &entry);
  wire::Bytes(wire::MapEntry::value, value, &entry);
  wire::Bytes(field, entry, to);
}

template <class Field>
void NumberEntry(Field field, uint64_t key, uint64_t value, std::string* to) {
  std::string entry;
  wire::Number(wire::MapEntry::key, key, &entry);
  wire::Number(wire::MapEntry::value, value, &entry);
  wire::Bytes(field, entry, to);
}

template <class Times>
std::string TimesBytes(const Times& times) {
  std::string bytes;
  for (const auto& [start_us, duration_us] : times) {
    std::string packed;
    wire::Varint(start_us, &packed);
    wire::Varint(duration_us, &packed);
    std::string tuple;
    wire::Bytes(field::Tuple::int64_values, packed, &tuple);
    wire::Bytes(field::ExecTime::times, tuple, &bytes);
  }
  return bytes;
}

template <class Execs>
std::string ExecBytes(const Execs& execs, const std::string& counting) {
  uint64_t runs = 0;
  uint64_t first_us = UINT64_MAX;
  uint64_t last_us = 0;
  std::string devices;
  for (const auto& [device, times] : execs.of_device) {
    if (device == counting) runs += times.size();
    for (const auto& [start_us, duration_us] : times) {
      first_us = std::min(first_us, start_us);
      last_us = std::max(last_us, start_us + duration_us);
    }
    wire::Bytes(field::ExecProfile::devices, device, &devices);
    const bool is_accelerator = IsAccelerator(device);
    if (!is_accelerator && !CountsRuns(device)) continue;
    std::string entry;
    wire::Bytes(field::ExecTimeEntry::key, device, &entry);
    wire::Bytes(field::ExecTimeEntry::value, TimesBytes(times), &entry);
    wire::Bytes(
        is_accelerator ? field::ExecProfile::accelerator_execs : field::ExecProfile::cpu_execs,
        entry, &devices);
  }
  std::string bytes;
  wire::Number(field::ExecProfile::run_count, runs, &bytes);
  wire::Number(field::ExecProfile::all_start_micros, first_us, &bytes);
  wire::Number(field::ExecProfile::latest_end_micros, last_us, &bytes);
  return bytes + devices;
}

}  // namespace

ProfileExport::NodeId ProfileExport::AddNode(std::string_view name, std::string_view op,
                                             std::string_view type, std::string_view code,
                                             NodeId after) {
  nodes_.push_back({.name = std::string(name),
                    .op = std::string(op),
                    .type = std::string(type),
                    .code = std::string(code),
                    .device = {},
                    .after = after,
                    .steps = {}});
  return static_cast<NodeId>(nodes_.size() - 1);
}

void ProfileExport::AddExecution(NodeId id, int64_t step, std::string_view device,
                                 uint64_t start_us, uint64_t duration_us) {
  Node& node = nodes_[id];
  std::string lower(device);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (node.device.empty() && CountsRuns(lower)) node.device = lower;
  // The original counts a duration of 0 as 1.
  node.steps[step].of_device[lower].emplace_back(start_us, std::max<uint64_t>(duration_us, 1));
}

std::string ProfileExport::NodeBytes(NodeId id) const {
  using Field = field::ProfileNode;
  const Node& node = nodes_[id];
  std::string bytes;
  wire::Bytes(Field::name, node.name, &bytes);
  wire::Bytes(Field::op, node.op, &bytes);
  wire::Number(Field::id, id, &bytes);
  if (node.after != kNone) {
    NumberEntry(Field::inputs, 0, node.after, &bytes);
    NumberEntry(Field::src_output_index, node.after, 0, &bytes);
  }
  for (const std::string& type : std::set<std::string>{node.op, node.type, node.device}) {
    if (!type.empty()) wire::Bytes(Field::op_types, type, &bytes);
  }
  if (!node.device.empty()) {
    wire::Bytes(Field::canonical_device, node.device, &bytes);
    wire::Bytes(Field::host_device, HostOf(node.device), &bytes);
  }
  if (!node.code.empty()) wire::Bytes(Field::trace, node.code, &bytes);
  for (const auto& [step, execs] : node.steps) {
    Entry(Field::execs, static_cast<uint64_t>(step), ExecBytes(execs, node.device), &bytes);
  }
  return bytes;
}

std::string ProfileExport::Finish(const std::vector<int64_t>& steps,
                                  const std::unordered_map<std::string, int64_t>& texts) const {
  using Field = field::ProfileProto;
  std::string bytes;
  // Also where it is false: it tells a profile from other files.
  wire::Number(Field::has_trace, texts.empty() ? 0 : 1, &bytes);
  std::string packed;
  for (const int64_t step : steps) wire::Varint(static_cast<uint64_t>(step), &packed);
  wire::Bytes(Field::steps, packed, &bytes);
  for (NodeId id = 0; id < nodes_.size(); ++id) Entry(Field::nodes, id, NodeBytes(id), &bytes);
  for (const auto& [text, id] : texts) {
    Entry(Field::id_to_string, static_cast<uint64_t>(id), text, &bytes);
  }
  return bytes;
}

}  // namespace tfprof::capture
