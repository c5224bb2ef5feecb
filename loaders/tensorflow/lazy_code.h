// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <unordered_set>

#include "core/store/builder.h"
#include "loaders/io/source.h"

// Few questions are about the code that made the nodes, and reading it is a fifth of opening a
// small profile: while loading only the places of call stacks are noted, and the file stays open.
namespace tfprof {

// How a format tells code.
struct CodeForm {
  uint32_t code;     // the tag of a CodeDef in the record of a node
  uint32_t text;     // the tag of the entries of id_to_string in the file
  bool in_all_logs;  // the ids are of this file and those of its kind before it
};

struct KeptCode {
  SourceFile file;
  CodeForm form;
  std::string_view texts = {};  // where the entries of id_to_string stand, perhaps others between
  // Stacks that stand in several pieces of a record: their place is the record.
  std::unordered_set<uint32_t> in_pieces = {};
};

// Notes that the bytes [begin, end) are an entry of id_to_string.
inline void NoteText(const char* begin, const char* end, KeptCode* kept) {
  const char* const first = kept->texts.empty() ? begin : kept->texts.data();
  kept->texts = {first, static_cast<size_t>(end - first)};
}

// Notes where the CodeDef in `pieces` of `record` stands. none: it has no frames.
StackId NoteStack(std::span<const std::string_view> pieces, std::string_view record,
                  SourceId source, StoreBuilder& store, KeptCode* kept);

// After loading: has what was noted read when somebody asks.
void KeepCode(KeptCode kept, SourceId source, StoreBuilder& store);

}  // namespace tfprof
