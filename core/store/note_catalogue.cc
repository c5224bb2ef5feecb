// SPDX-License-Identifier: Apache-2.0
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

constexpr NoteRow kCatalogue[] = {
#define TFPROF_NOTE_ROW(ID, TEXT) note::ID,
    TFPROF_NOTES(TFPROF_NOTE_ROW)
#undef TFPROF_NOTE_ROW
};

}  // namespace

NoteWords note::With(const NoteRow& row, std::initializer_list<std::string_view> values) {
  NoteWords words(row);
  words.values.assign(values.begin(), values.end());
  return words;
}

std::span<const NoteRow> NoteCatalogue() { return kCatalogue; }

std::string NoteWords::Text() const {
  std::string text;
  std::string_view rest = row->text;
  for (const std::string& value : values) {
    const size_t place = rest.find("{}");
    text.append(rest.substr(0, place)).append(value);
    rest.remove_prefix(place + 2);
  }
  return text.append(rest);
}

}  // namespace tfprof
