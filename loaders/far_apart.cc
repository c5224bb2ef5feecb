// SPDX-License-Identifier: Apache-2.0
#include "loaders/far_apart.h"

#include <algorithm>
#include <optional>

#include "loaders/wire.h"
#include "loaders/xspace_layout.h"
#include "loaders/xspace_stats.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::Tag;

constexpr int64_t kLeastGapNs = 60'000'000'000;

// When a file was recorded, in ns.
struct Recorded {
  const Opened* file = nullptr;
  std::string_view machine;  // empty: it does not say
  int64_t begin = 0;
  int64_t end = 0;
};

std::string_view NameOf(std::string_view plane) {
  Fields fields(plane);
  while (fields.Next()) {
    if (fields.tag() == Tag(2, kBytes)) return fields.Bytes();
    fields.Skip();
  }
  return {};
}

// What the recorder writes about itself: a plane, as a space of its own, and its machine.
struct Environment {
  std::string_view plane;
  std::string_view machine;
};

Environment ReadEnvironment(std::string_view space) {
  Environment environment;
  Fields fields(space);
  while (fields.Next()) {
    const char* begin = fields.field_at();
    if (fields.tag() == Tag(4, kBytes)) {
      environment.machine = fields.Bytes();
    } else if (fields.tag() != Tag(1, kBytes)) {
      fields.Skip();
    } else if (NameOf(fields.Bytes()) == "Task Environment") {
      environment.plane = {begin, static_cast<size_t>(fields.position() - begin)};
    }
  }
  return environment;
}

std::optional<Recorded> ReadRecorded(const Opened& file) {
  const Environment environment = ReadEnvironment(file.file.bytes);
  const xspace::Layout layout = xspace::ReadLayout(environment.plane);
  if (layout.planes.empty()) return std::nullopt;
  const xspace::StatNames names(layout.planes[0].stat_metadata);
  Recorded recorded{.file = &file, .machine = environment.machine};
  for (const std::string_view message : layout.planes[0].stats) {
    const Detail detail = xspace::Resolve(xspace::ReadStat(message), names);
    const bool number = detail.kind == ValueKind::integer || detail.kind == ValueKind::natural;
    if (!number || detail.bits > static_cast<uint64_t>(kMaxPs)) continue;
    if (detail.key == "profile_start_time") recorded.begin = static_cast<int64_t>(detail.bits);
    if (detail.key == "profile_stop_time") recorded.end = static_cast<int64_t>(detail.bits);
  }
  if (recorded.begin == 0) return std::nullopt;
  recorded.end = std::max(recorded.begin, recorded.end);
  return recorded;
}

// Whether there is nothing for long between what began sooner and `later`; of one machine, which
// records once in a run, at all.
bool AreApart(const Recorded& sooner, const Recorded& later) {
  const bool known = sooner.end > sooner.begin && !sooner.machine.empty();
  if (known && sooner.machine == later.machine) return later.begin > sooner.end;
  return later.begin - sooner.end >
         std::max({sooner.end - sooner.begin, later.end - later.begin, kLeastGapNs});
}

// Those of one time together.
std::vector<std::vector<Recorded>> ByTime(std::vector<Recorded> files) {
  std::stable_sort(files.begin(), files.end(),
                   [](const Recorded& a, const Recorded& b) { return a.begin < b.begin; });
  std::vector<std::vector<Recorded>> groups;
  Recorded latest;  // of the last group
  for (const Recorded& file : files) {
    if (groups.empty() || AreApart(latest, file)) groups.emplace_back();
    if (groups.back().empty() || file.end > latest.end) latest = file;
    groups.back().push_back(file);
  }
  return groups;
}

}  // namespace

Result<void> NoteFarApart(const std::vector<Opened>& all, StoreBuilder& store) {
  std::vector<Recorded> files;
  for (const Opened& opened : all) {
    if (opened.loader->name != "xspace" || all.size() < 2) continue;
    TFPROF_TRY(Guarded(opened.file, [&]() -> Result<void> {
      if (const auto recorded = ReadRecorded(opened)) files.push_back(*recorded);
      return {};
    }));
  }
  const std::vector<std::vector<Recorded>> groups = ByTime(std::move(files));
  if (groups.size() < 2) return {};
  const auto most =
      std::max_element(groups.begin(), groups.end(),
                       [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (const std::vector<Recorded>& group : groups) {
    for (const Recorded& file : group) {
      if (&group == &*most) continue;
      store.AddNote(
          "traces recorded at another time than the others, as of another run: open them apart",
          file.file->file.path);
    }
  }
  return {};
}

}  // namespace tfprof
