// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// Returns "WHAT (3 times, 1.50 ms), first at PLACE" with the facts that the note has. Keeps the
// bytes of the profile.
std::string NoteText(const Note& note);

// Returns the texts below an answer: one per note of the report, and last the number of omitted
// ones. Empty if a table of the report shows the notes.
std::vector<std::string> NotesBelow(const Report& report);

// True if the table `notes` of the report shows all of its notes.
bool TableShowsNotes(const Report& report);

// Returns "folded 24 rows into 1: HOW" if rows of its tables represent several; else an empty text.
// `how`: what unfolds them.
std::string FoldedText(const Report& report, std::string_view how);

}  // namespace tfprof
