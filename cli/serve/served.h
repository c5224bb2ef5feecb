// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cli/follow/recordings.h"
#include "cli/serve/served_trace.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "loaders/open.h"
#include "views/answer.h"

namespace tfprof {

// A profile that can be opened: a file, or a run of a log directory.
struct ServedRun {
  size_t id = 0;  // stays the same
  Input input;
  int64_t modified_ns = 0;  // of its newest file, since 1970
};

struct ServedList {
  std::vector<ServedRun> runs;  // the newest first
  bool may_grow = false;        // a word is a pattern, or a folder that is no profile itself
};

// A profile as it was when it was opened.
struct ServedProfile {
  uint64_t number = 0;  // another one each time it is opened
  Profile profile;
  std::shared_ptr<ServedTrace> trace;
  std::vector<WatchedFile> files;
  Input input;
};
using ServedProfilePtr = std::shared_ptr<const ServedProfile>;

// The profiles at some paths and patterns. Several threads may use it. The most recently used
// profiles stay open; others are opened again by the next request.
class ServedRuns {
 public:
  explicit ServedRuns(std::vector<std::string> words) : words_(std::move(words)) { List(); }

  // Looks at the folders again.
  ServedList List();

  // Opens a profile unless it is open; with `again` also if its files have changed. One thread
  // does, others wait for it. Errors: usage, there is none of that number; as Load.
  Result<ServedProfilePtr> Open(size_t id, bool again, Context& context);

 private:
  struct Slot {
    std::mutex opening;
    ServedProfilePtr open;  // null: not open
    uint64_t used = 0;
  };

  // What was found in the files of a folder, which are read again once one has changed.
  struct LookedInto {
    std::vector<WatchedFile> files;
    std::vector<std::string> profiles;
  };

  // What a path stands for: the runs of a log directory, the profiles in a folder, or itself. A
  // folder without them has none yet.
  std::vector<std::string> ProfilesAt(const std::string& path);
  std::shared_ptr<Slot> SlotOf(size_t id, Input* input);
  void CloseUnused();

  const std::vector<std::string> words_;
  std::mutex looking_;  // of the next
  std::map<std::string, LookedInto> looked_into_;
  std::mutex lock_;  // of what follows
  std::map<std::string, size_t> ids_;
  std::vector<Input> inputs_;  // by id
  std::vector<std::shared_ptr<Slot>> slots_;
  uint64_t uses_ = 0;
  uint64_t opened_ = 0;
};

}  // namespace tfprof
