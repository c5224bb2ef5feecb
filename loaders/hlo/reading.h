// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/hlo/program.h"
#include "loaders/wire/wire.h"

// State of reading a module, kept next to the program. Records refer to each other by ids, which
// are looked up after all records are read.

namespace tfprof::hlo {

uint32_t Size(const auto& table) { return static_cast<uint32_t>(table.size()); }

// Tables of stack frames. Instructions refer to their entries by numbers from 1.
struct FrameTables {
  struct Location {
    int64_t file = 0;
    int64_t function = 0;
    int64_t line = 0;
  };
  struct Frame {
    int64_t location = 0;
    int64_t caller = 0;
  };
  std::vector<Range> files;  // file names, stored once: instructions share them
  std::vector<Range> functions;
  std::vector<Location> locations;
  std::vector<Frame> frames;
};

// References to look up after the whole module is read.
struct Pending {
  std::vector<int64_t> instruction_ids;  // by instruction
  std::vector<int64_t> computation_ids;  // by computation
  std::vector<int64_t> root_ids;         // by computation
  std::vector<int64_t> frames;  // by instruction; 0: its source is recorded inline, or unknown
  int64_t entry_id = 0;
  FrameTables sources;
};

struct Reading {
  Program* program;
  Pending pending = {};
  std::vector<int64_t> references = {};  // ids, by position in Program::references
  // Bound from the size of the input: empty instructions would need a hundred times their bytes.
  size_t max_instructions = 0;
};

inline Range Keep(std::string_view text, Program* program) {
  const Range kept = {Size(program->texts), Size(text)};
  program->texts.append(text);
  return kept;
}

// For wire::Each: keeps a text; the last one counts.
inline auto KeepIn(Range* to, Program* program) {
  return [=](std::string_view text) -> const char* {
    *to = Keep(text, program);
    return nullptr;
  };
}

// Collects the numbers of a list in a table. They are contiguous there when the list's fields are,
// as all writers have them; a list in several pieces keeps its last piece.
class NumberList {
 public:
  explicit NumberList(std::vector<int64_t>* table) : table_(table) {}
  void operator()(uint64_t number) {
    const uint32_t next = Size(*table_);
    if (range_.After() != next) range_ = {next, 0};
    table_->push_back(static_cast<int64_t>(number));
    ++range_.count;
  }
  Range range() const { return range_; }

 private:
  std::vector<int64_t>* table_;
  Range range_;
};

// Reads an HloInstructionProto into the last computation. Returns null, or the place of the error.
const char* ReadInstruction(std::string_view message, Reading* reading);

// Reads a ShapeProto and its elements into new types and sets *type. Tuples may nest to any depth;
// the reader does not recurse. Returns null, or the place of the error.
const char* ReadType(std::string_view message, Program* program, uint32_t* type);

const char* ReadWindow(std::string_view message, Program* program, Range* windows);
const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot);
const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution);

// What XLA prints of a custom call behind its target.
struct CustomCall {
  bool constrains_layout = false;
  bool has_side_effect = false;
  std::vector<uint32_t> operand_types = {};  // of Program::types
  std::string aliasing = {};                 // "{0}: (1, {}), ..."
  int64_t schedule = 0;
  int64_t api_version = 0;

  // Reads the field if it is one of these. Sets *bad to the place of an error.
  bool Read(wire::Fields& fields, Program* program, const char** bad);
  // Returns ", operand_layout_constraints={...}, ...", as XLA prints it; empty: nothing is set.
  std::string Text(const Program& program) const;
};

// Reads a BufferAssignment. Call it after all instructions are read. Returns null, or the place of
// the error. Missing ids are counted in Program::dangling.
const char* ReadBuffers(std::string_view message, Reading* reading);

// Replaces ids by positions. Operands are instructions of the same computation. Missing ids are
// counted in Program::dangling.
void Resolve(Reading* reading);

}  // namespace tfprof::hlo
