// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/call_stacks.h"
#include "loaders/counts.h"
#include "loaders/wire/byte_cache.h"

namespace tfprof {

// Texts with ids in a file: file names, functions and source lines of code traces.
using NumberedTexts = std::vector<std::pair<int64_t, NameId>>;

class TextOfId {
 public:
  // If an id is listed twice, the first text counts.
  explicit TextOfId(const NumberedTexts& texts);
  NameId Find(int64_t id) const {
    if (static_cast<uint64_t>(id) < dense_.size()) return dense_[static_cast<size_t>(id)];
    if (sparse_.empty()) return {};
    const auto at = sparse_.find(id);
    return at == sparse_.end() ? NameId() : at->second;
  }

 private:
  std::vector<NameId> dense_;  // by id, when ids are small as they are in practice
  std::unordered_map<int64_t, NameId> sparse_;
};

// Reads one entry of a `map<int64, string>`. Returns null, or the place where the wire format is
// invalid.
const char* ReadNumberedText(std::string_view message, Names* texts, NumberedTexts* numbered);

// Returns true if the CodeDef in these pieces has a frame or is malformed. A malformed one is
// reported when it is read.
bool HasFrame(std::span<const std::string_view> pieces);

// Stores the call stacks of nodes. Stacks with equal bytes are stored once.
struct ReadStacks {
  struct Known {
    bool any = false;
    uint32_t stack = 0;
    int64_t unknown_ids = 0;
  };

  const TextOfId& ids;
  CallStacks& stacks;
  KnownBytes<Known> known = {};
  std::vector<Frame> frames = {};  // of the current stack; kept for its capacity
  Tally unknown_ids = {};          // frames whose ids have no text; their texts are empty
  Tally malformed = {};
};

// Returns the position in CallStacks::stacks of the CodeDef in `pieces` of one message, outermost
// frame first. A frame has its texts inline (old files) or by id. Malformed parts are counted and
// skipped.
uint32_t ReadStack(std::span<const std::string_view> pieces, ReadStacks* stacks);

}  // namespace tfprof
