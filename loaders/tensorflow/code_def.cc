// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/code_def.h"

#include <algorithm>

#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Number;
using wire::Text;

struct TextOrId {
  std::string_view text;
  int64_t id = 0;
};

struct Trace {
  TextOrId file, function, line;
  int32_t line_number = 0;
  int32_t function_line = 0;
};

const char* ReadTrace(std::string_view message, Trace* trace) {
  return wire::ReadMessage(message, Text<field::CodeDef_Trace::file>(&trace->file.text),
                           Number<field::CodeDef_Trace::lineno>(&trace->line_number),
                           Text<field::CodeDef_Trace::function>(&trace->function.text),
                           Text<field::CodeDef_Trace::line>(&trace->line.text),
                           Number<field::CodeDef_Trace::func_start_line>(&trace->function_line),
                           Number<field::CodeDef_Trace::file_id>(&trace->file.id),
                           Number<field::CodeDef_Trace::function_id>(&trace->function.id),
                           Number<field::CodeDef_Trace::line_id>(&trace->line.id));
}

NameId Resolve(const TextOrId& text, const ReadStacks& stacks) {
  return text.text.empty() ? stacks.ids.Find(text.id) : stacks.stacks.texts.Intern(text.text);
}

const char* ReadFrame(std::string_view message, ReadStacks* stacks) {
  Trace trace;
  const char* bad = ReadTrace(message, &trace);
  if (bad != nullptr) return bad;
  Frame frame;
  frame.file = Resolve(trace.file, *stacks);
  frame.function = Resolve(trace.function, *stacks);
  frame.text = Resolve(trace.line, *stacks);
  frame.line = trace.line_number;
  frame.function_line = trace.function_line;
  if (!frame.file.some() || !frame.function.some()) stacks->unknown_ids.Add(message.data());
  if (!frame.file.some()) frame.file = NameId(0);
  if (!frame.function.some()) frame.function = NameId(0);
  stacks->frames.push_back(frame);
  return nullptr;
}

const char* ReadFrames(std::string_view piece, ReadStacks* stacks) {
  return wire::ReadMessage(piece, wire::Each<field::CodeDef::traces>([=](std::string_view frame) {
                             return ReadFrame(frame, stacks);
                           }));
}

}  // namespace

TextOfId::TextOfId(const NumberedTexts& texts) {
  int64_t largest = -1;
  for (const auto& [id, text] : texts) largest = std::max(largest, id);
  const auto slots = static_cast<uint64_t>(largest) + 1;  // 0 where there is none
  if (slots <= texts.size() * 4 + 1024) dense_.resize(slots);
  for (const auto& [id, text] : texts) {
    if (static_cast<uint64_t>(id) >= dense_.size()) {
      sparse_.try_emplace(id, text);
    } else if (!dense_[static_cast<size_t>(id)].some()) {
      dense_[static_cast<size_t>(id)] = text;
    }
  }
}

const char* ReadNumberedText(std::string_view message, Names* texts, NumberedTexts* numbered) {
  int64_t id = 0;
  std::string_view text;
  const char* bad = wire::ReadMessage(message, Number<MapEntryField::key>(&id),
                                      Text<MapEntryField::value>(&text));
  if (bad == nullptr) numbered->emplace_back(id, texts->Intern(text));
  return bad;
}

bool HasFrame(std::span<const std::string_view> pieces) {
  bool has = false;
  for (const std::string_view piece : pieces) {
    if (!piece.empty() && piece[0] == wire::TagByte(field::CodeDef::traces, wire::kBytes))
      return true;
    const char* bad = wire::ReadMessage(
        piece, wire::Each<field::CodeDef::traces>([&](std::string_view) -> const char* {
          has = true;
          return nullptr;
        }));
    has |= bad != nullptr;
  }
  return has;
}

uint32_t ReadStack(std::span<const std::string_view> pieces, ReadStacks* stacks) {
  ReadStacks::Known* known = pieces.size() == 1 ? stacks->known.Find(pieces[0]) : nullptr;
  if (known != nullptr && known->any) {
    stacks->unknown_ids.count += known->unknown_ids;
    return known->stack;
  }
  const int64_t unknown_before = stacks->unknown_ids.count;
  const char* bad = nullptr;
  stacks->frames.clear();
  for (const std::string_view piece : pieces) {
    const char* stops = ReadFrames(piece, stacks);
    if (bad == nullptr) bad = stops;
  }
  const uint32_t stack = stacks->stacks.Add(stacks->frames);
  if (bad != nullptr) {
    stacks->malformed.Add(bad);
  } else if (known != nullptr) {
    *known = {true, stack, stacks->unknown_ids.count - unknown_before};
  }
  return stack;
}

}  // namespace tfprof
