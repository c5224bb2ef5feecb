// SPDX-License-Identifier: Apache-2.0
#include "writers/code_texts.h"

#include "proto/tfprof_log_fields.h"

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
  out.Int(field::CodeDef_Trace::lineno, frame.line);
  out.Int(field::CodeDef_Trace::func_start_line, frame.function_line);
  out.Int(field::CodeDef_Trace::file_id, NumberOf(frame.file));
  out.Int(field::CodeDef_Trace::function_id, NumberOf(frame.function));
  out.Int(field::CodeDef_Trace::line_id, NumberOf(frame.text));
}

void CodeTexts::WriteCode(FieldNumber field, StackId stack, WireWriter& out) {
  out.Message(field, [&] {
    for (const Frame& frame : stacks_.Of(stack)) {
      out.Message(field::CodeDef::traces, [&] { WriteFrame(frame, out); });
    }
  });
}

void CodeTexts::WriteTexts(FieldNumber field, WireWriter& out) {
  for (; written_ < used_.size(); ++written_) {
    out.Message(field, [&] {
      out.Int(MapEntryField::key, static_cast<int64_t>(written_ + 1));
      out.Bytes(MapEntryField::value, stacks_.Text(used_[written_]));
    });
  }
}

}  // namespace tfprof
