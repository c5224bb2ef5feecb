// SPDX-License-Identifier: Apache-2.0
#include "cli/places.h"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "analysis/place.h"
#include "cli/message.h"
#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "emitters/name_lists.h"

namespace tfprof {
namespace {

constexpr size_t kShown = 8;  // max names shown; names that differ in numbers count as one

enum class Kind : uint8_t { device, host };

std::string_view Noun(Kind kind) { return kind == Kind::device ? "device" : "host"; }

// The names that -device or -host of `query` is matched with, for messages: for a trace, its
// processes on the selected hosts, or its hosts.
std::vector<std::string> Places(const Store& store, Kind kind, const PlaceFilter& place) {
  std::vector<std::string> places;
  if (!store.IsTrace()) {
    for (const Lane& lane : store.lanes) {
      if (lane.name.some()) places.emplace_back(store.Text(lane.display));
    }
  } else if (kind == Kind::host) {
    for (size_t i = 0; i < store.hosts.size(); ++i) places.emplace_back(HostName(store, HostId(i)));
  } else {
    for (const Process& process : store.processes) {
      if (process.lanes.count == 0) continue;  // metadata only, such as the environment
      if (MatchesPlace(store, process, place.OfHosts()))
        places.push_back(PlaceName(store, process));
    }
  }
  return places;
}

bool IsAnywhere(const Store& store, Kind kind, const PlaceFilter& place) {
  if (!store.IsTrace()) {
    return std::any_of(store.lanes.begin(), store.lanes.end(), [&](const Lane& lane) {
      const std::string_view name = store.Text(lane.name);
      if (!lane.name.some()) return false;
      return kind == Kind::device ? ContainsDevice(name, place.device)
                                  : ContainsAnyCase(name, place.host);
    });
  }
  PlaceFilter selected = place.OfHosts();
  if (kind == Kind::device) selected.device = place.device;
  return std::any_of(store.processes.begin(), store.processes.end(), [&](const Process& process) {
    return MatchesPlace(store, process, selected);
  });
}

// Formats "a /device:GPU:{0..7}, b /host:CPU and 3 more".
std::string DisplayName(const std::vector<std::string>& places) {
  const std::vector<std::string_view> names(places.begin(), places.end());
  std::string list;
  size_t shown = 0, more = 0;
  for (const NamePiece& piece : NamePieces(names, true, true)) {
    if (shown++ < kShown) {
      list.append(list.empty() ? "" : ", ").append(piece.text);
    } else {
      more += piece.names;
    }
  }
  if (more > 0) list += fmt::format(" and {} more", more);
  return list.empty() ? "none" : list;
}

// The nearest name, or nearest last part of a name, within a typing slip.
std::string NearestPlace(std::string_view selected, const std::vector<std::string>& places) {
  std::vector<std::string_view> names;
  for (const std::string& place : places) {
    names.push_back(place);
    names.push_back(std::string_view(place).substr(place.rfind('/') + 1));
  }
  return Nearest(selected, names);
}

// Returns true if the other option matches it: `-device HOST`.
bool MatchesOtherPlaceKind(const Store& store, Kind kind, std::string_view selected) {
  if (!store.IsTrace()) return false;
  PlaceFilter other;
  (kind == Kind::device ? other.host : other.device) = selected;
  return IsAnywhere(store, kind == Kind::device ? Kind::host : Kind::device, other);
}

Failure NoPlace(const Store& store, Kind kind, const PlaceFilter& place) {
  const std::string& selected = kind == Kind::device ? place.device : place.host;
  const std::vector<std::string> places = Places(store, kind, place);
  const bool of_hosts = kind == Kind::device && !place.host.empty();
  const std::string near = NearestPlace(selected, places);
  std::string hint;
  if (MatchesOtherPlaceKind(store, kind, selected)) {
    hint = kind == Kind::device ? "-host selects hosts; " : "-device selects devices; ";
  } else if (!near.empty()) {
    hint = "did you mean '" + near + "'? ";
  }
  const bool are_hosts = kind == Kind::host && store.IsTrace();
  hint += (are_hosts ? "hosts: " : "devices: ") + DisplayName(places);
  // Without hosts, -host matches the names of devices, which may contain a job or a task.
  const std::string noun = kind == Kind::host && !are_hosts ? "no device was recorded, only hosts"
                                                            : std::string(Noun(kind));
  return UsageError(fmt::format("-{}: no {}{} contains '{}'", Noun(kind), noun,
                                of_hosts ? " of host '" + place.host + "'" : "", selected),
                    hint);
}

}  // namespace

Result<void> CheckPlaces(const Session& session, const Query& query, bool hosts_only) {
  const Store& store = *session.profile.store;
  const auto is_anywhere = [&](Kind kind) {
    return IsAnywhere(store, kind, query.place) ||
           (query.diff.base != nullptr && IsAnywhere(*query.diff.base, kind, query.place));
  };
  if (!query.place.host.empty() && !is_anywhere(Kind::host))
    return NoPlace(store, Kind::host, query.place);
  if (!hosts_only && !query.place.device.empty() && !is_anywhere(Kind::device)) {
    return NoPlace(store, Kind::device, query.place);
  }
  return {};
}

Error WithSearchedPlaces(Error error, const PlaceFilter& place) {
  if (error.kind != ErrorKind::usage || !place.FiltersPlaces()) return error;
  std::string places;
  if (!place.host.empty()) places += " -host " + place.host;
  if (!place.device.empty()) places += " -device " + place.device;
  error.hint = "searched for with" + places + " only; " + error.hint;
  return error;
}

// Hosts whose events were not read are unknown.
std::string DevicesWithoutEvents(const Store& store, const PlaceFilter& place) {
  std::vector<std::string> with_events;
  std::string first;
  for (const Process& process : store.processes) {
    const bool is_read = process.kind != ProcessKind::host || store.events_read.hosts;
    const bool has_events = HasEvents(store, process);
    std::string name = PlaceName(store, process);
    if (has_events) with_events.push_back(name);
    if (!MatchesPlace(store, process, place)) continue;
    if (has_events || !is_read) return {};
    if (first.empty()) first = std::move(name);
  }
  if (first.empty()) return {};
  return fmt::format("{} has no events; devices with events: {}", Printable(first),
                     DisplayName(with_events));
}

}  // namespace tfprof
