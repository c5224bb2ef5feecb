// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "core/base/wire_writer.h"
#include "core/store/call_stacks.h"

namespace tfprof {

// The texts of code frames, numbered from 1 in order of first use. Frames refer to texts by number.
// Number 0 is unused, so a frame with an unknown source line has no text.
class CodeTexts {
 public:
  explicit CodeTexts(CallStacks stacks) : stacks_(std::move(stacks)) {}
  const CallStacks& stacks() const { return stacks_; }

  // Writes a CodeDef with the frames of `stack` as field `field`.
  void WriteCode(FieldNumber field, StackId stack, WireWriter& out);
  // Writes all texts used but not yet written, as entries of id_to_string.
  void WriteTexts(FieldNumber field, WireWriter& out);

 private:
  int64_t NumberOf(NameId text);
  void WriteFrame(const Frame& frame, WireWriter& out);

  CallStacks stacks_;
  Column<uint32_t> number_;  // by name; 0: not used yet
  std::vector<NameId> used_;
  size_t written_ = 0;
};

}  // namespace tfprof
