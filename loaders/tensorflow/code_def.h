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

// Texts that a file names by number: files, functions and source lines of code traces.
using NumberedTexts = std::vector<std::pair<int64_t, NameId>>;

class TextOfId {
 public:
  // Of an id that is listed twice the first text counts.
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

// One entry of a `map<int64, string>`. Null, or where it stops to be wire format.
const char* ReadNumberedText(std::string_view message, Names* texts, NumberedTexts* numbered);

// Whether a CodeDef in these pieces has a frame, or is malformed, which is told when it is read.
bool HasFrame(std::span<const std::string_view> pieces);

// Stores the call stacks of nodes, those that are told in the same bytes once.
struct ReadStacks {
  struct Known {
    bool any = false;
    uint32_t stack = 0;
    int64_t unknown_ids = 0;
  };

  const TextOfId& ids;
  CallStacks& stacks;
  KnownBytes<Known> known = {};
  std::vector<Frame> frames = {};  // of the current one; kept for its capacity
  Tally unknown_ids = {};          // frames whose texts `ids` lacks; they are empty then
  Tally malformed = {};
};

// The place of a stack in CallStacks::stacks: of the CodeDef that stands in `pieces` of one
// message, outermost frame first. A frame names its texts itself (old files) or by id. What is
// malformed is counted and left out.
uint32_t ReadStack(std::span<const std::string_view> pieces, ReadStacks* stacks);

}  // namespace tfprof
