// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loaders/hlo/reading.h"
#include "loaders/hlo/text_cursor.h"

// State of reading a module from its text. Records refer to each other by names: each name gets an
// id, and Resolve (reading.h) looks up ids as it does for the serialized form.

namespace tfprof::hlo {

struct ReadingText {
  Reading reading;
  TextCursor text;
  std::unordered_map<std::string_view, int64_t> ids = {};
  std::string_view problem = {};  // of the place where the cursor is; empty: none

  Program* program() { return reading.program; }
  int64_t IdOf(std::string_view name) {
    return ids.try_emplace(name, static_cast<int64_t>(ids.size()) + 1).first->second;
  }
  bool Fails(std::string_view what) {
    if (problem.empty()) problem = what;
    return false;
  }
};

inline Range KeepNumbers(const std::vector<int64_t>& numbers, Program* program) {
  const Range kept = {Size(program->numbers), Size(numbers)};
  program->numbers.insert(program->numbers.end(), numbers.begin(), numbers.end());
  return kept;
}

// Each reads what its name says at the cursor. Returns false if it is malformed; the cursor is then
// at the place of the error.
bool ReadType(TextCursor& text, Program* program, uint32_t* type);
// Reads ", NAME=VALUE" up to the end of the line, into the instruction that was added last.
bool ReadAttributes(ReadingText* reading, Instruction* instruction);
// Reads an instruction into the last computation. *is_root: it makes the result.
bool ReadInstruction(ReadingText* reading, bool* is_root);
// Reads a table of stack frames if its name follows. Sets *found.
bool ReadFrameTable(ReadingText* reading, bool* found);

// Returns a text without its quotes and escapes; one without quotes as it is.
std::string Unquoted(std::string_view value);

}  // namespace tfprof::hlo
