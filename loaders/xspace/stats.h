// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/store/details.h"
#include "loaders/id_index.h"
#include "loaders/xspace/layout.h"

namespace tfprof::xspace {

// An XStat as encoded in the file.
struct Stat {
  enum class Form : uint8_t { plain, reference, compressed };
  int64_t key = 0;
  ValueKind kind = ValueKind::absent;
  // Encoding of a text: plain; a reference, with the id of the stat metadata of this name in
  // `bits`; or gzip in `text`.
  Form form = Form::plain;
  uint64_t bits = 0;
  std::string_view text;
};

// Unknown fields are skipped; of several values the last one counts. Invalid wire format returns an
// absent value.
Stat ReadStat(std::string_view message);

// Stat metadata of a plane: the names of keys, and the texts that stats refer to.
struct StatNames {
  IdIndex index;
  std::vector<std::string_view> names;  // by position
  std::vector<int64_t> ids;             // by position, ascending

  explicit StatNames(const Entries& stat_metadata);
  // data() == nullptr: there is no such entry.
  std::string_view Name(int64_t id) const {
    const uint32_t place = index.Find(id);
    return place == IdIndex::kNone ? std::string_view() : names[place];
  }
};

// The metadata of an event. Of several names the last one counts.
struct EventMetadata {
  std::string_view name;
  std::vector<std::string_view> stats;
};
EventMetadata ReadEventMetadata(std::string_view message);

// Returns the stat with its key resolved, and its text if it is a reference. Compressed texts are
// inflated. A dangling reference is the empty text.
Detail Resolve(const Stat& stat, const StatNames& names);

}  // namespace tfprof::xspace
