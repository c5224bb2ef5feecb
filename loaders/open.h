// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"

namespace tfprof {

// Ranks of the processes of a job, both included.
struct RankRange {
  int64_t first = 0;
  int64_t last = 0;
};

struct Input {
  std::string path;
  std::string
      format;  // a name in Loaders(), or the original's path flag; empty: detected from content
  // Given by such a flag: an empty file is an empty message, not an error.
  bool empty_is_message = false;
  std::string run = {};  // the run in a folder of several runs; empty: the newest
  // The content, which may be compressed; null: that of the file. Then `path` is only its name.
  std::shared_ptr<const std::string> bytes = {};
  // Of several files, those of these ranks are read; empty: all.
  std::vector<RankRange> ranks = {};
  int64_t step = -1;  // of a file of one step: its number; -1: by the order of the files
};

// Opens, detects, orders and loads all inputs into one store.
//
// Errors: those of OpenSource and of the loaders; corrupt when a file has no known format, has
// several (the error names the candidates), or does not match its `format` (names what it looks
// like); usage when the inputs cannot belong to one run (profiles of different graphs or runs, a
// profile and a graph, files that share no node names).
//
// Run records and profiles of several hosts make one store: see docs/merging.md. `read`: the events
// that are needed; formats with many events read only those (Store::events_read).
Result<StorePtr> Load(const std::vector<Input>& inputs, Context& context, EventsRead read = {});

// A store that grows by inputs under path flags: each is read when it is added, and never again.
class GrowingStore {
 public:
  // Errors: those of Load. What was added is lost.
  Result<void> Add(const std::vector<Input>& inputs, Context& context);
  // A copy of what was read, linked and sorted. With `step`, the records of other steps are left
  // out, if they were added by other calls: the cost is that of the graph and of the step.
  Result<StorePtr> Finish(std::optional<int64_t> step = {}) const;
  // True if Finish(step) leaves records out.
  bool IsApart(int64_t step) const;
  std::span<const Source> sources() const { return store_.sources(); }

 private:
  // What one call added.
  struct Part {
    std::vector<int64_t> steps;  // none: of no step
    TakenRecords records;

    bool Has(int64_t step) const { return std::ranges::find(steps, step) != steps.end(); }
    bool IsOfOthers(int64_t step) const { return !steps.empty() && !Has(step); }
  };

  StoreBuilder store_;  // without the records of the parts
  std::vector<Part> parts_;
};

// The inputs of each job, in the order of its first input: each folder of a capture is one, all
// other inputs together are another one. Load takes the inputs of one job.
std::vector<std::vector<Input>> JobsOf(const std::vector<Input>& inputs);

// Returns the name of the one format of `bytes`, or an error if there is none or several match.
// `path` is for the message.
Result<std::string> DetectFormat(std::string_view bytes, const std::string& path);

}  // namespace tfprof
