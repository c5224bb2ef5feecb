// SPDX-License-Identifier: Apache-2.0
#include "loaders/merge/unrelated_runs.h"

#include <algorithm>
#include <string>

#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "core/store/same_run.h"

namespace tfprof {
namespace {

constexpr int64_t kMinGapNs = 60'000'000'000;

struct RecordedFile {
  const Opened* file = nullptr;
  Recorded at;
};

// Returns true if the gap between the earlier recording and `later` is long. On one machine any gap
// is enough: it records once per run.
bool AreUnrelated(const Recorded& sooner, const Recorded& later) {
  const bool known = sooner.end_ns > sooner.begin_ns && !sooner.machine.empty();
  if (known && sooner.machine == later.machine) return later.begin_ns > sooner.end_ns;
  return later.begin_ns - sooner.end_ns >
         std::max({sooner.end_ns - sooner.begin_ns, later.end_ns - later.begin_ns, kMinGapNs});
}

// Groups files that were recorded at the same time.
std::vector<std::vector<RecordedFile>> ByTime(std::vector<RecordedFile> files) {
  StableSort(files, [](const RecordedFile& a, const RecordedFile& b) {
    return a.at.begin_ns < b.at.begin_ns;
  });
  std::vector<std::vector<RecordedFile>> groups;
  Recorded latest;  // of the last group
  for (const RecordedFile& file : files) {
    if (groups.empty() || AreUnrelated(latest, file.at)) groups.emplace_back();
    if (groups.back().empty() || file.at.end_ns > latest.end_ns) latest = file.at;
    groups.back().push_back(file);
  }
  return groups;
}

}  // namespace

Result<void> NoteUnrelatedRuns(const std::vector<Opened>& all, StoreBuilder& store) {
  std::vector<RecordedFile> files;
  for (const Opened& opened : all) {
    if (opened.loader->recorded == nullptr || all.size() < 2) continue;
    TFPROF_TRY(Guarded(opened.file, [&]() -> Result<void> {
      const auto recorded = opened.loader->recorded(opened.file.bytes);
      if (recorded) files.push_back({&opened, *recorded});
      return {};
    }));
  }
  const std::vector<std::vector<RecordedFile>> groups = ByTime(std::move(files));
  if (groups.size() < 2) return {};
  const auto max = std::ranges::max_element(
      groups, [](const auto& a, const auto& b) { return a.size() < b.size(); });
  for (const std::vector<RecordedFile>& group : groups) {
    for (const RecordedFile& file : group) {
      if (&group == &*max) continue;
      store.AddNote(note::other_runs, file.file->file.path);
    }
  }
  return {};
}

}  // namespace tfprof
