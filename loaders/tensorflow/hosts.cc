// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/hosts.h"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "core/base/ascii.h"
#include "loaders/wire/wire.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;

// Calls `each` with the value at `path`, a list of field numbers, in `message`. In the innermost
// message only the first matching field is visited. Recursion is as deep as `path`, which is as
// long as the format nests.
template <class Each>
void EachField(std::string_view message, std::span<const FieldNumber> path, Each each) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.type() != kBytes || !fields.Is(path.front())) {
      fields.Skip();
      continue;
    }
    const std::string_view value = fields.BytesOrRest();
    if (path.size() == 1) return each(value);
    EachField(value, path.subspan(1), each);
  }
}

std::set<std::string> HostsAt(std::string_view message, std::initializer_list<FieldNumber> path) {
  std::set<std::string> hosts;
  std::string_view last;  // devices repeat
  EachField(message, std::span(path.begin(), path.size()), [&](std::string_view device) {
    if (device == last) return;
    last = device;
    std::string host = HostOf(device);
    if (!host.empty()) hosts.insert(std::move(host));
  });
  return hosts;
}

}  // namespace

std::string HostOf(std::string_view device) {
  std::string lower = LowerCase(device);
  size_t end = 0;
  for (const std::string_view part : {"/job:", "/replica:", "/task:"}) {
    if (lower.compare(end, part.size(), part) != 0) continue;
    end = std::min(lower.find('/', end + 1), lower.size());
  }
  lower.resize(end);
  return lower;
}

std::string WithHost(std::string_view device, const std::string& host) {
  return (host.empty() || !HostOf(device).empty() ? "" : host) + std::string(device);
}

std::set<std::string> HostsOfRun(std::string_view run_metadata) {
  return HostsAt(run_metadata, {field::RunMetadata::step_stats, field::StepStats::dev_stats,
                                field::DeviceStepStats::device});
}

std::set<std::string> HostsOfProfile(std::string_view profile) {
  return HostsAt(profile, {field::ProfileProto::nodes, MapEntryField::value,
                           field::ProfileNode::canonical_device});
}

}  // namespace tfprof
