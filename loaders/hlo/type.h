// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/hlo/program.h"
#include "loaders/wire/wire.h"

// Readers of numeric parts of XLA messages.

namespace tfprof::hlo {

// Collects the numbers of a repeated field, packed or not. The numbers of one message are
// contiguous when its fields are, as all writers have them; a list in several pieces keeps its last
// piece.
class NumberList {
 public:
  explicit NumberList(Program* program) : program_(program) {}
  // Takes the current field of `fields`, a varint or a packed list.
  void Take(wire::Fields& fields);
  Range range() const { return range_; }

 private:
  Program* program_;
  Range range_;
};

// Reads a ShapeProto and its elements into new types and sets *type. Tuples may nest to any depth;
// the reader does not recurse. Returns null, or the place of the error.
const char* ReadType(std::string_view message, Program* program, uint32_t* type);

const char* ReadWindow(std::string_view message, Program* program, Range* windows);
const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot);
const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution);

}  // namespace tfprof::hlo
