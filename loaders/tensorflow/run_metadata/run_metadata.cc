// SPDX-License-Identifier: Apache-2.0
// Loader of TensorFlow 1 RunMetadata: the executions of one step per device. See
// proto/step_stats.proto.
#include "loaders/tensorflow/run_metadata/run_metadata.h"

#include <algorithm>
#include <vector>

#include "core/base/parallel.h"
#include "loaders/detect/format_detection.h"
#include "loaders/formats.h"
#include "loaders/inputs/opened.h"
#include "loaders/tensorflow/hosts.h"
#include "loaders/tensorflow/run_metadata/reader.h"

namespace tfprof {
namespace {

// The files that are loaded and their shared state.
struct LoadingRuns {
  StoreBuilder& store;
  Context& context;
  RunRows rows{store};
};

Result<void> End(const RunFile& run, LoadingRuns* loading) {
  return Guarded(run.file, [&] { return EndFile(run, loading->store, loading->context); });
}

// Reads one file in small parts and stores each while it is still in the cache.
Result<void> LoadAlone(const RunSplit& split, RunFile* run, LoadingRuns* loading) {
  StoreBuilder& store = loading->store;
  Context& context = loading->context;
  BeginFile(run, store);
  RunPart part;
  ConsumedPages pages{run->file};
  const char* stored = run->file.bytes.data();
  const auto store_part = [&](const char* at) -> Result<void> {
    CopyRows(part, LinkPart(&part, run, &loading->rows), store);
    Clear(&part);
    pages.ReleaseRead(at);
    context.done_bytes.fetch_add(static_cast<uint64_t>(at - stored), std::memory_order_relaxed);
    stored = at;
    return Poll(context);
  };
  const StoredRuns known{store, loading->rows.lanes_of_labels};
  TFPROF_TRY(ReadRuns(run, known, &part, {split.part_bytes, store_part}));
  TFPROF_TRY(store_part(run->file.bytes.data() + run->file.bytes.size()));
  TFPROF_TRY(End(*run, loading));
  ReleasePages(run->file, run->file.bytes);
  return {};
}

// Reads the whole file into the part.
void ReadWhole(RunFile* run, const StoredRuns& known, RunPart* part, Context& context) {
  // Giving pages back interrupts the other threads.
  constexpr size_t kReleaseBytes = size_t{2} << 20;
  ConsumedPages pages{run->file};
  const auto release_pages = [&](const char* at) -> Result<void> {
    pages.ReleaseRead(at);
    return {};
  };
  static_cast<void>(ReadRuns(run, known, part, {kReleaseBytes, release_pages}));
  pages.ReleaseAll();
  context.done_bytes.fetch_add(run->file.bytes.size(), std::memory_order_relaxed);
}

// Reads whole files in parallel, then stores them in order.
Result<void> LoadTogether(std::span<RunFile> runs, size_t threads, std::vector<RunPart>* parts,
                          LoadingRuns* loading) {
  StoreBuilder& store = loading->store;
  Context& context = loading->context;
  const StoredRuns known{store, loading->rows.lanes_of_labels};
  for (RunFile& run : runs) BeginFile(&run, store);
  TFPROF_TRY(ForEachTask(runs.size(), threads, context,
                         [&](size_t i) { ReadWhole(&runs[i], known, &(*parts)[i], context); }));
  std::vector<RunPlace> places;
  for (size_t i = 0; i < runs.size(); ++i) {
    places.push_back(LinkPart(&(*parts)[i], &runs[i], &loading->rows));
  }
  TFPROF_TRY(ForEachTask(runs.size(), threads, context,
                         [&](size_t i) { CopyRows((*parts)[i], places[i], store); }));
  for (const RunFile& run : runs) TFPROF_TRY(End(run, loading));
  return {};
}

// Returns how many of the next files are read together; 0: the next one is too large.
size_t FilesTogether(std::span<const RunFile> runs, const RunSplit& split,
                     const StoreBuilder& store) {
  // All labels of the first file are new, and storing new labels is slower. A small first file is
  // loaded alone, so that the files after it find them.
  const bool is_first = store.next_label().value == 0;
  if (is_first && runs.front().file.bytes.size() < split.enough_bytes) return 1;
  size_t count = 0, bytes = 0;
  for (const RunFile& run : runs) {
    bytes += run.file.bytes.size();
    if (bytes > split.max_bytes || (count >= split.threads && bytes > split.enough_bytes)) break;
    ++count;
  }
  return count;
}

Result<void> LoadSeveral(std::span<const FileToLoad> files, StoreBuilder& store, Context& context) {
  size_t bytes = 0;
  for (const FileToLoad& file : files) bytes += file.file.bytes.size();
  return LoadRuns(files, {ThreadsFor(bytes)}, store, context);
}

Result<void> LoadRun(const SourceFile& file, const LoadArguments& arguments, StoreBuilder& store,
                     Context& context) {
  const FileToLoad alone{file, arguments};
  return LoadSeveral({&alone, 1}, store, context);
}

}  // namespace

Result<void> LoadRuns(std::span<const FileToLoad> files, const RunSplit& split, StoreBuilder& store,
                      Context& context) {
  std::vector<RunFile> runs;
  for (const FileToLoad& file : files) runs.push_back({file.file, file.arguments});
  LoadingRuns loading{store, context};
  std::vector<RunPart> parts;
  for (size_t first = 0; first < runs.size();) {
    const std::span<RunFile> rest = std::span(runs).subspan(first);
    const size_t together = split.threads > 1 ? FilesTogether(rest, split, store) : 1;
    if (together > 1) {
      if (parts.size() < together) parts.resize(together);
      TFPROF_TRY(LoadTogether(rest.first(together), split.threads, &parts, &loading));
    } else {
      TFPROF_TRY(LoadAlone(split, &rest.front(), &loading));
    }
    first += std::max<size_t>(together, 1);
  }
  return {};
}

const Loader kRunMetadataLoader = {
    .name = "run_metadata",
    .noun = "a RunMetadata",
    .flag = "--run_meta_path",
    .summary = "RunMetadata of a TensorFlow session run, one step a file",
    .order = 3,
    .role = MergeRole::step,
    .score = ScoreRunMetadata,
    .load = LoadRun,
    .load_several = LoadSeveral,
    .hosts = HostsOfRun,
    .name_begins = "run_meta",
    .found_by_content = true,
};

}  // namespace tfprof
