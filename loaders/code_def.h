// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store_builder.h"
#include "loaders/tally.h"

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
  bool empty() const { return dense_.empty() && sparse_.empty(); }

 private:
  std::vector<NameId> dense_;  // by id, when ids are small as they are in practice
  std::unordered_map<int64_t, NameId> sparse_;
};

// One entry of a `map<int64, string>`. Null, or where it stops to be wire format.
const char* ReadNumberedText(std::string_view message, StoreBuilder& store, NumberedTexts* texts);

// Appends the frames of a CodeDef, outermost first. A frame names its texts itself (old files) or
// by id; `unknown_ids` counts those that `ids` lacks, whose text is then empty. Null, or where the
// message stops to be wire format.
const char* ReadCode(std::string_view message, const TextOfId& ids, StoreBuilder& store,
                     Tally* unknown_ids, std::vector<Frame>* frames);

}  // namespace tfprof
