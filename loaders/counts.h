// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "core/store/builder.h"
#include "core/store/note_catalogue.h"
#include "loaders/io/source.h"

namespace tfprof {

// Counts one kind of problem over many records. The load pays nothing per record and reports one
// note.
struct ProblemCount {
  int64_t count = 0;
  int64_t cost_ps = kNoInt;
  const char* first = nullptr;  // into the file

  void Add(const char* place) {  // null: the place is unknown
    if (count++ == 0) first = place;
  }
  void Add(const char* place, int64_t cost) {
    Add(place);
    AddPresent(cost, &cost_ps);
  }
  // Adds the counts of other places of the same file.
  void Add(const ProblemCount& other) {
    if (other.count == 0) return;
    first = count == 0 ? other.first : std::min(first, other.first);
    count += other.count;
    if (other.cost_ps != kNoInt) AddPresent(other.cost_ps, &cost_ps);
  }
  std::string Place(const SourceFile& file) const {
    return first == nullptr ? file.path : file.At(first);
  }
  void AddNoteTo(const NoteWords& what, const SourceFile& file, StoreBuilder& store) const {
    if (count > 0) store.AddNote(what, Place(file), cost_ps, count);
  }
  // Called after loading. Adds a note for the records of kind `what` that were left out.
  void AddNoteTo(const NoteWords& what, const SourceFile& file, std::vector<Note>* notes) const {
    if (count > 0) notes->push_back({what, count, Place(file), cost_ps});
  }
};

// Notes that the file could be inflated only in part: see SourceFile::damaged_at.
inline void NoteDamage(const SourceFile& file, StoreBuilder& store) {
  if (file.damaged_at.empty()) return;
  store.AddNote(note::damaged_gzip, file.damaged_at);
}

// Ends the load of a file that is unreadable from `bad` on. Returns an error, or adds a note where
// the user wants the part before it. `but`: the facts that this part lacks.
inline Result<void> Damaged(const char* bad, const SourceFile& file, std::string_view record,
                            StoreBuilder& store, const Context& context,
                            std::string_view but = {}) {
  std::string where = file.At(bad);
  if (!record.empty()) where += ", " + std::string(record);
  if (!context.limits.partial) {
    return Fail(ErrorKind::corrupt, "the file is damaged or truncated", where,
                Remedy::keep_beginning, std::string(but));
  }
  store.AddNote(note::damaged_file, where);
  return {};
}

}  // namespace tfprof
