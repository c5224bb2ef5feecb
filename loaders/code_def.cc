// SPDX-License-Identifier: Apache-2.0
#include "loaders/code_def.h"

#include <algorithm>

#include "loaders/wire_message.h"

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
  return wire::ReadMessage(message, Text<1>(&trace->file.text), Number<2>(&trace->line_number),
                           Text<3>(&trace->function.text), Text<4>(&trace->line.text),
                           Number<5>(&trace->function_line), Number<6>(&trace->file.id),
                           Number<7>(&trace->function.id), Number<8>(&trace->line.id));
}

NameId Resolve(const TextOrId& text, const TextOfId& ids, StoreBuilder& store) {
  return text.text.empty() ? ids.Find(text.id) : store.Name(text.text);
}

}  // namespace

TextOfId::TextOfId(const NumberedTexts& texts) {
  int64_t largest = -1;
  for (const auto& [id, text] : texts) largest = std::max(largest, id);
  const auto slots = static_cast<uint64_t>(largest + 1);
  if (slots <= texts.size() * 4 + 1024) dense_.resize(slots);
  for (const auto& [id, text] : texts) {
    if (static_cast<uint64_t>(id) >= dense_.size()) {
      sparse_.try_emplace(id, text);
    } else if (!dense_[static_cast<size_t>(id)].some()) {
      dense_[static_cast<size_t>(id)] = text;
    }
  }
}

const char* ReadNumberedText(std::string_view message, StoreBuilder& store, NumberedTexts* texts) {
  int64_t id = 0;
  std::string_view text;
  const char* bad = wire::ReadMessage(message, Number<1>(&id), Text<2>(&text));
  if (bad == nullptr) texts->emplace_back(id, store.Name(text));
  return bad;
}

const char* ReadCode(std::string_view message, const TextOfId& ids, StoreBuilder& store,
                     Tally* unknown_ids, std::vector<Frame>* frames) {
  return wire::ReadMessage(message, wire::Each<1>([&](std::string_view bytes) {
                             Trace trace;
                             const char* bad = ReadTrace(bytes, &trace);
                             if (bad != nullptr) return bad;
                             Frame frame;
                             frame.file = Resolve(trace.file, ids, store);
                             frame.function = Resolve(trace.function, ids, store);
                             frame.text = Resolve(trace.line, ids, store);
                             frame.line = trace.line_number;
                             frame.function_line = trace.function_line;
                             if (!frame.file.some() || !frame.function.some())
                               unknown_ids->Add(bytes.data());
                             if (!frame.file.some()) frame.file = NameId(0);
                             if (!frame.function.some()) frame.function = NameId(0);
                             frames->push_back(frame);
                             return bad;
                           }));
}

}  // namespace tfprof
