// SPDX-License-Identifier: Apache-2.0
#include "writers/code_texts.h"

namespace tfprof {

int64_t CodeTexts::NumberOf(NameId text) {
  if (!text.some()) return 0;
  if (number_.empty()) number_.Resize(stacks_.texts.size(), 0);
  uint32_t& number = number_[text.value];
  if (number == 0) {
    used_.push_back(text);
    number = static_cast<uint32_t>(used_.size());
  }
  return number;
}

void CodeTexts::WriteFrame(const Frame& frame, WireWriter& out) {
  out.Int(2, frame.line);
  out.Int(5, frame.function_line);
  out.Int(6, NumberOf(frame.file));
  out.Int(7, NumberOf(frame.function));
  out.Int(8, NumberOf(frame.text));
}

void CodeTexts::WriteCode(int field, StackId stack, WireWriter& out) {
  out.Message(field, [&] {
    for (const Frame& frame : stacks_.Of(stack)) {
      out.Message(1, [&] { WriteFrame(frame, out); });
    }
  });
}

void CodeTexts::WriteTexts(int field, WireWriter& out) {
  for (; written_ < used_.size(); ++written_) {
    out.Message(field, [&] {
      out.Int(1, static_cast<int64_t>(written_ + 1));
      out.Bytes(2, stacks_.Text(used_[written_]));
    });
  }
}

}  // namespace tfprof
