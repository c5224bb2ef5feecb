// SPDX-License-Identifier: Apache-2.0
// Tables of stack frames in XLA's text: a line with the name of the table, then numbered lines.
#include <iterator>

#include "loaders/hlo/reading_text.h"

namespace tfprof::hlo {
namespace {

// Reads {a=1 b=2}; calls set(name, number) for each.
template <class Set>
bool ReadRecord(TextCursor& text, Set set) {
  if (!text.Take("{")) return false;
  text.SkipBlanks();
  while (!text.Take("}")) {
    const std::string_view name = text.Name();
    if (name.empty() || !text.Take("=")) return false;
    const std::optional<int64_t> number = text.Number();
    if (!number) return false;
    set(name, *number);
    text.SkipBlanks();
  }
  return true;
}

bool ReadText(TextCursor& text, Program* program, std::vector<Range>* table) {
  const std::string_view value = text.Quoted();
  if (value.data() == nullptr) return false;
  table->push_back(Keep(Unquoted(value), program));
  return true;
}

bool ReadLocation(TextCursor& text, FrameTables* tables) {
  FrameTables::Location& to = tables->locations.emplace_back();
  return ReadRecord(text, [&](std::string_view name, int64_t number) {
    if (name == "file_name_id") to.file = number;
    if (name == "function_name_id") to.function = number;
    if (name == "line") to.line = number;
  });
}

bool ReadFrame(TextCursor& text, FrameTables* tables) {
  FrameTables::Frame& to = tables->frames.emplace_back();
  return ReadRecord(text, [&](std::string_view name, int64_t number) {
    if (name == "file_location_id") to.location = number;
    if (name == "parent_frame_id") to.caller = number;
  });
}

// Some versions of XLA print the number of the caller plus one. Then the first frame, which has no
// caller, seems to be its own.
void CountCallersFromZero(FrameTables* tables) {
  if (tables->frames.empty() || tables->frames.front().caller != 1) return;
  for (FrameTables::Frame& frame : tables->frames) --frame.caller;
}

}  // namespace

bool ReadFrameTable(ReadingText* reading, bool* found) {
  constexpr std::string_view kNames[] = {"FileNames", "FunctionNames", "FileLocations",
                                         "StackFrames"};
  TextCursor& text = reading->text;
  size_t table = 0;
  while (table < std::size(kNames) && !text.TakeWord(kNames[table])) ++table;
  *found = table < std::size(kNames);
  FrameTables* tables = &reading->reading.pending.sources;
  while (*found && text.Number()) {
    text.SkipBlanks();
    const bool ok = table == 0   ? ReadText(text, reading->program(), &tables->files)
                    : table == 1 ? ReadText(text, reading->program(), &tables->functions)
                    : table == 2 ? ReadLocation(text, tables)
                                 : ReadFrame(text, tables);
    if (!ok) return reading->Fails("a row of the table is malformed");
    text.SkipSpace();
  }
  if (*found && table == 3) CountCallersFromZero(tables);
  return true;
}

}  // namespace tfprof::hlo
