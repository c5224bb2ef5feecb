// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/hlo/program.h"

// What reading a module keeps beside the program: its records name each other by ids, which are
// looked up when all of them were read.

namespace tfprof::hlo {

uint32_t Size(const auto& table) { return static_cast<uint32_t>(table.size()); }

// Where a frame of a program's source lies: the tables that instructions refer to by numbers
// from 1.
struct FrameTables {
  struct Location {
    int64_t file = 0;
    int64_t line = 0;
  };
  std::vector<Range> files;  // their texts, kept once: instructions share them
  std::vector<Location> locations;
  std::vector<int64_t> location_of_frame;
};

// What has to be looked up when all of the module was read.
struct Pending {
  std::vector<int64_t> instruction_ids;  // by instruction
  std::vector<int64_t> computation_ids;  // by computation
  std::vector<int64_t> root_ids;         // by computation
  std::vector<int64_t> frames;           // by instruction; 0: its source is told, or not known
  int64_t entry_id = 0;
  FrameTables sources;
};

struct Reading {
  Program* program;
  Pending pending = {};
  std::vector<int64_t> references = {};  // ids, by place in Program::references
  // What the bytes can hold: empty ones would need a hundred times their bytes.
  size_t most_instructions = 0;
};

inline Range Keep(std::string_view text, Program* program) {
  const Range kept = {Size(program->texts), Size(text)};
  program->texts.append(text);
  return kept;
}

// Reads an HloInstructionProto into the last computation. Null, or where it is bad.
const char* ReadInstruction(std::string_view message, Reading* reading);

// Turns ids into places: operands are instructions of the same computation. What is not there is
// counted in Program::dangling.
void Resolve(Reading* reading);

}  // namespace tfprof::hlo
