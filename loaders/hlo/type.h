// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/hlo/program.h"
#include "loaders/wire/wire.h"

// Parts of messages of XLA that hold numbers.

namespace tfprof::hlo {

// Numbers of a repeated field are kept as they come, packed or one by one. Those of one message
// stand together when the fields are, as writers have them; a list in pieces keeps its last piece.
class NumberList {
 public:
  explicit NumberList(Program* program) : program_(program) {}
  // Takes the field that `fields` stands at, a varint or a packed list.
  void Take(wire::Fields& fields);
  Range range() const { return range_; }

 private:
  Program* program_;
  Range range_;
};

// Reads a ShapeProto and what it is made of into new types; sets *type. Parts of tuples nest as
// deep as the file says, without recursion. Null, or where it is bad.
const char* ReadType(std::string_view message, Program* program, uint32_t* type);

const char* ReadWindow(std::string_view message, Program* program, Range* windows);
const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot);
const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution);

}  // namespace tfprof::hlo
