// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <unordered_set>

#include "core/store/builder.h"
#include "loaders/io/source.h"

// Defers reading call stacks. Few queries need the code that created the nodes, and reading it
// takes a fifth of the time to open a small profile. Loading records only the places of call
// stacks; the file stays open.
namespace tfprof {

// How a format encodes code.
struct CodeForm {
  uint32_t code;     // tag of a CodeDef in the record of a node
  uint32_t text;     // tag of the entries of id_to_string in the file
  bool in_all_logs;  // ids are shared by this file and those of its kind before it
};

struct KeptCode {
  SourceFile file;
  CodeForm form;
  std::string_view texts =
      {};  // the range with the entries of id_to_string; other fields may lie between them
  // Stacks in several pieces of a record. Their place is the record.
  std::unordered_set<uint32_t> in_pieces = {};
};

// Records that the bytes [begin, end) are an entry of id_to_string.
inline void NoteText(const char* begin, const char* end, KeptCode* kept) {
  const char* const first = kept->texts.empty() ? begin : kept->texts.data();
  kept->texts = {first, static_cast<size_t>(end - first)};
}

// Records the place of the CodeDef in `pieces` of `record`. Returns none if it has no frames.
StackId NoteStack(std::span<const std::string_view> pieces, std::string_view record,
                  SourceId source, StoreBuilder& store, KeptCode* kept);

// Called after loading. Makes the recorded code readable on demand.
void KeepCode(KeptCode kept, SourceId source, StoreBuilder& store);

}  // namespace tfprof
