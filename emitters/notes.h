// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// "WHAT (3 times, 1.50 ms), first at PLACE": what is known of it, with the bytes of the profile.
std::string NoteText(const Note& note);

// What people read below an answer: a text per note of the report, at last how many more there
// are. None when a table of the report shows them.
std::vector<std::string> NotesBelow(const Report& report);

// Whether a table of the report, `notes`, shows all of its notes.
bool TableShowsNotes(const Report& report);

}  // namespace tfprof
