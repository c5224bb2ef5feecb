// SPDX-License-Identifier: Apache-2.0
#include "core/store/note_catalogue.h"

#include <algorithm>
#include <catch2/catch.hpp>

namespace tfprof::note_catalogue_test {

TEST_CASE("the catalogue of notes ascends by id, and every row has a text") {
  const auto notes = NoteCatalogue();
  const auto after = [](const NoteRow& a, const NoteRow& b) { return a.id >= b.id; };
  CHECK(std::adjacent_find(notes.begin(), notes.end(), after) == notes.end());
  for (const NoteRow& row : notes) {
    INFO(row.id);
    CHECK(row.text.size() > 10);
  }
}

TEST_CASE("the text of a note contains its values, its id does not") {
  const NoteWords words = note::With(note::not_compared, {"bytes {}", "the base"});
  CHECK(words.row->id == "not_compared");
  CHECK(words.Text() ==
        "no bytes {} in the base, unlike in the other profile: nothing is compared");
  CHECK(note::With(note::other_devices, {""}).Text() == "other devices: ");
  CHECK(words != note::With(note::not_compared, {"bytes {}", "this profile"}));
  CHECK(words != note::not_compared);
}

}  // namespace tfprof::note_catalogue_test
