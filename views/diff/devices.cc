// SPDX-License-Identifier: Apache-2.0
#include "views/diff/devices.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

#include "analysis/place.h"
#include "core/base/ascii.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "core/text/wording.h"

namespace tfprof {
namespace {

struct Devices {
  std::set<std::string> names;
  size_t count = 0;  // hosts may have devices with equal names

  void Add(std::string name) {
    names.insert(std::move(name));
    ++count;
  }
};

// Returns "device:gpu:0" for an executor of any job, whatever case its release wrote.
std::string NameOf(std::string_view lane) { return LowerCase(lane.substr(lane.rfind('/') + 1)); }

Devices DevicesOf(const Store& store, const PlaceFilter& place) {
  Devices devices;
  for (const Process& process : store.processes) {
    const bool counts =
        process.device.some() && HasEvents(store, process) && MatchesPlace(store, process, place);
    if (counts) devices.Add(std::string(store.Text(process.name)));
  }
  if (store.IsTrace()) return devices;
  const std::vector<bool> in_place = LanesMatchingPlace(store, place);
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (in_place[i] && lane.role == LaneRole::executor) devices.Add(NameOf(store.Text(lane.name)));
  }
  return devices;
}

std::string OnlyIn(std::string_view where, const Devices& a, const Devices& b) {
  std::vector<std::string> only;
  std::set_difference(a.names.begin(), a.names.end(), b.names.begin(), b.names.end(),
                      std::back_inserter(only));
  return only.empty() ? std::string() : std::string(where) + " " + Listed(only);
}

std::string OtherNames(const Devices& before, const Devices& after) {
  std::string text = OnlyIn("only in the base", before, after);
  const std::string added = OnlyIn("only in this profile", after, before);
  return text + (text.empty() || added.empty() ? "" : "; ") + added;
}

std::string OtherCounts(const Devices& before, const Devices& after) {
  if (before.count == after.count) return {};
  return std::to_string(before.count) + " of the base, " + std::to_string(after.count) +
         " of this profile";
}

std::string Places(const Store& store, size_t devices) {
  std::string text = Counted(static_cast<int64_t>(store.hosts.size()), "host");
  if (devices > 0) text += " with " + Counted(static_cast<int64_t>(devices), "device");
  return text;
}

}  // namespace

std::string DescribePlaceDifference(const Store& base, const Store& store,
                                    const PlaceFilter& place) {
  if (!base.IsTrace() || !store.IsTrace() || place.FiltersPlaces()) return {};
  const size_t before = DevicesOf(base, place).count, after = DevicesOf(store, place).count;
  if (before == after && base.hosts.size() == store.hosts.size()) return {};
  return Places(base, before) + " of the base, " + Places(store, after) + " of this profile";
}

void NoteOtherDevices(const Store& base, const Store& store, const PlaceFilter& place,
                      Report* report) {
  if (base.IsTrace() != store.IsTrace()) return;  // the formats name devices differently
  const Devices before = DevicesOf(base, place), after = DevicesOf(store, place);
  const std::string over = DescribePlaceDifference(base, store, place);
  std::string text = OtherNames(before, after);
  if (text.empty() && over.empty()) text = OtherCounts(before, after);
  if (!text.empty())
    report->notes.push_back({note::With(note::other_devices, {text}), 1, "", kNoInt});
  if (over.empty()) return;
  report->notes.push_back({note::With(note::added_up_over, {over}), 1, "", kNoInt});
}

}  // namespace tfprof
