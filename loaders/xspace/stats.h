// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/details.h"
#include "loaders/id_index.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/layout.h"

namespace tfprof::xspace {

// An XStat as it stands in the file.
struct Stat {
  enum class Form : uint8_t { plain, reference, compressed };
  int64_t key = 0;
  ValueKind kind = ValueKind::absent;
  Form form = Form::plain;  // of a text: given, by the id of the stat metadata that is named so in
                            // `bits`, or gzipped in `text`
  uint64_t bits = 0;
  std::string_view text;
};

// Unknown fields are skipped; of several values the last one counts. What is no wire format gives
// an absent value.
Stat ReadStat(std::string_view message);

// The texts that stats refer to, and the keys: the stat metadata of a plane.
struct StatNames {
  IdIndex index;
  std::vector<std::string_view> names;  // by place
  std::vector<int64_t> ids;             // by place, ascending

  explicit StatNames(const Entries& stat_metadata);
  // data() == nullptr: there is no such entry.
  std::string_view Name(int64_t id) const {
    const uint32_t place = index.Find(id);
    return place == IdIndex::kNone ? std::string_view() : names[place];
  }
};

// What the metadata of an event says. Of several names and the like the last one counts.
struct EventMetadata {
  std::string_view name;
  std::string_view display_name;
  std::vector<std::string_view> stats;
};
EventMetadata ReadEventMetadata(std::string_view message);

// The stat with its key and, where it refers to one, its text looked up; compressed texts are
// inflated. A reference to nothing is the empty text.
Detail Resolve(const Stat& stat, const StatNames& names);

}  // namespace tfprof::xspace
