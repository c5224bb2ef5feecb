// SPDX-License-Identifier: Apache-2.0
#include "loaders/code_def.h"

#include <algorithm>

#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

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
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        trace->file.text = fields.Bytes();
        break;
      case Tag(2, kVarint):
        trace->line_number = fields.Int32();
        break;
      case Tag(3, kBytes):
        trace->function.text = fields.Bytes();
        break;
      case Tag(4, kBytes):
        trace->line.text = fields.Bytes();
        break;
      case Tag(5, kVarint):
        trace->function_line = fields.Int32();
        break;
      case Tag(6, kVarint):
        trace->file.id = fields.Int64();
        break;
      case Tag(7, kVarint):
        trace->function.id = fields.Int64();
        break;
      case Tag(8, kVarint):
        trace->line.id = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
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
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        id = fields.Int64();
        break;
      case Tag(2, kBytes):
        text = fields.Bytes();
        break;
      default:
        fields.Skip();
    }
  }
  if (fields.bad() == nullptr) texts->emplace_back(id, store.Name(text));
  return fields.bad();
}

const char* ReadCode(std::string_view message, const TextOfId& ids, StoreBuilder& store,
                     Tally* unknown_ids, std::vector<Frame>* frames) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() != Tag(1, kBytes)) {
      fields.Skip();
      continue;
    }
    const std::string_view bytes = fields.Bytes();
    Trace trace;
    const char* bad = ReadTrace(bytes, &trace);
    if (bad != nullptr) return bad;
    Frame frame;
    frame.file = Resolve(trace.file, ids, store);
    frame.function = Resolve(trace.function, ids, store);
    frame.text = Resolve(trace.line, ids, store);
    frame.line = trace.line_number;
    frame.function_line = trace.function_line;
    if (!frame.file.some() || !frame.function.some()) unknown_ids->Add(bytes.data());
    if (!frame.file.some()) frame.file = NameId(0);
    if (!frame.function.some()) frame.function = NameId(0);
    frames->push_back(frame);
  }
  return fields.bad();
}

}  // namespace tfprof
