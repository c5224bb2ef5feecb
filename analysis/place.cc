// SPDX-License-Identifier: Apache-2.0
#include "analysis/place.h"

#include <algorithm>
#include <unordered_map>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

bool IsPartOfDevice(const Lane& lane) {
  return lane.role == LaneRole::stream || lane.role == LaneRole::sum_of_streams ||
         lane.role == LaneRole::copies;
}

std::string_view LastPart(std::string_view device) {
  const size_t slash = device.rfind('/');
  return slash == device.npos ? device : device.substr(slash + 1);
}

bool NameMatchesPlace(const Store& store, const Lane& lane, const PlaceFilter& place) {
  const std::string_view name = store.Text(lane.name);
  return ContainsDevice(name, place.device) && ContainsAnyCase(name, place.host);
}

// A full name selects that host alone: w-1 does not select w-10 if w-1 exists.
bool HostMatchesPlace(const Store& store, HostId host, std::string_view selected) {
  if (selected.empty() || EqualAnyCase(HostName(store, host), selected)) return true;
  const bool is_whole = std::ranges::any_of(
      store.hosts, [&](const Host& one) { return EqualAnyCase(store.Text(one.name), selected); });
  if (is_whole) return EqualAnyCase(OwnName(store, host), selected);
  return ContainsAnyCase(HostName(store, host), selected) ||
         ContainsAnyCase(OwnName(store, host), selected);
}

}  // namespace

bool ContainsDevice(std::string_view name, std::string_view part) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (part.empty()) return true;
  for (; name.size() >= part.size(); name.remove_prefix(1)) {
    const bool goes_on =
        is_digit(part.back()) && name.size() > part.size() && is_digit(name[part.size()]);
    if (!goes_on && BeginsWithAnyCase(name, part)) return true;
  }
  return false;
}

bool MatchesPlace(const Store& store, const Process& process, const PlaceFilter& place) {
  if (!HostMatchesPlace(store, process.host, place.host)) return false;
  const bool of_host = place.device.find(' ') != place.device.npos;  // "HOST NAME"
  const std::string name =
      of_host ? PlaceName(store, process) : std::string(store.Text(process.name));
  if (ContainsDevice(name, place.device)) return true;
  if (!process.device.some()) return false;
  return ContainsAnyCase(store.Text(store.devices[process.device.value].model), place.device);
}

std::vector<ProcessId> SelectedProcesses(const Store& store, const PlaceFilter& place,
                                         ProcessKind kind) {
  std::vector<ProcessId> selected;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind == kind && MatchesPlace(store, process, place)) selected.emplace_back(i);
  }
  return selected;
}

// /device:gpu:0/stream:all is `stream:all` of /device:gpu:0.
std::string_view DevicePart(const Lane& lane, std::string_view name) {
  const size_t slash = name.rfind('/');
  return IsPartOfDevice(lane) && slash != name.npos ? name.substr(0, slash) : name;
}

std::vector<uint32_t> DeviceLanes(const Store& store) {
  std::unordered_map<std::string_view, uint32_t> of_name;
  std::unordered_map<std::string_view, std::vector<uint32_t>> executors;
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.role != LaneRole::executor) continue;
    of_name.emplace(store.Text(lane.name), i);
    executors[LastPart(store.Text(lane.name))].push_back(i);
  }
  std::vector<uint32_t> device(store.lanes.size());
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    const std::string_view part = DevicePart(lane, store.Text(lane.name));
    const auto [at, is_new] = of_name.try_emplace(part, i);
    const auto same = executors.find(LastPart(part));
    const bool one = same != executors.end() && same->second.size() == 1;
    if (is_new && IsPartOfDevice(lane) && one) at->second = same->second[0];
    device[i] = at->second;
  }
  return device;
}

std::vector<bool> LanesMatchingPlace(const Store& store, const PlaceFilter& place) {
  std::vector<bool> in_place(store.lanes.size(), true);
  if (place.device.empty() && place.host.empty()) return in_place;
  const std::vector<uint32_t> device = DeviceLanes(store);
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    in_place[i] = NameMatchesPlace(store, store.lanes[i], place) ||
                  NameMatchesPlace(store, store.lanes[device[i]], place);
  }
  for (const Process& process : store.processes) {
    const auto first = in_place.begin() + process.lanes.first;
    std::fill_n(first, process.lanes.count, MatchesPlace(store, process, place));
  }
  return in_place;
}

bool HasEvents(const Store& store, const Process& process) {
  return std::ranges::any_of(store.LanesOf(process),
                             [](const Lane& lane) { return lane.rows.count > 0; });
}

std::vector<const Lane*> LanesThatMeasure(const Store& store, ProcessId process, Measures what) {
  std::vector<const Lane*> found;
  for (const Lane& lane : store.LanesOf(store.processes[process.value])) {
    if (lane.measures == what && lane.rows.count > 0) found.push_back(&lane);
  }
  return found;
}

DeviceKind DeviceKindOf(const Store& store, const Process& process) {
  return process.device.some() ? store.devices[process.device.value].kind : DeviceKind::other;
}

std::string PlaceName(const Store& store, const Process& process) {
  std::string name(store.hosts.size() > 1 ? HostName(store, process.host) : "");
  if (!name.empty()) name += ' ';
  return name += store.Text(process.name);
}

std::string_view HostName(const Store& store, HostId host) {
  return host.some() ? store.Text(store.hosts[host.value].name) : std::string_view();
}

std::string OwnName(const Store& store, HostId host) {
  if (!host.some()) return {};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (store.processes[i].host != host) continue;
    const auto details = DetailsOf(store, ProcessId(i));
    if (!details) break;  // the file is no longer readable
    for (const Detail& detail : *details) {
      if (detail.key == "hostname" && !detail.text.empty()) return std::string(detail.text);
    }
  }
  return std::string(HostName(store, host));
}

}  // namespace tfprof
