// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "core/base/wire_writer.h"
#include "core/store/call_stacks.h"

namespace tfprof {

// The texts of code frames, numbered from 1 in order of first use; frames name them by number. No
// text has the number 0, so a frame whose source line is unknown does not get one.
class CodeTexts {
 public:
  explicit CodeTexts(CallStacks stacks) : stacks_(std::move(stacks)) {}
  const CallStacks& stacks() const { return stacks_; }

  // A CodeDef of the frames of `stack`, as field `field`.
  void WriteCode(FieldNumber field, StackId stack, WireWriter& out);
  // All texts that were used so far and not yet written: entries of id_to_string.
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
