// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/lazy_code.h"

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/store/call_stacks.h"
#include "core/store/note_catalogue.h"
#include "loaders/counts.h"
#include "loaders/wire/byte_cache.h"
#include "loaders/wire/map_entry.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::Number;
using wire::Text;

// ---- code of one file ---------------------------------------------------------------------------

// Texts with ids in a file: file names, functions and source lines of code traces.
using NumberedTexts = std::vector<std::pair<int64_t, NameId>>;

class TextOfId {
 public:
  // If an id is listed twice, the first text counts.
  explicit TextOfId(const NumberedTexts& texts);
  NameId Find(int64_t id) const {
    if (static_cast<uint64_t>(id) < dense_.size()) return dense_[static_cast<size_t>(id)];
    if (sparse_.empty()) return {};
    const auto at = sparse_.find(id);
    return at == sparse_.end() ? NameId() : at->second;
  }

 private:
  std::vector<NameId> dense_;  // by id, when ids are small as they are in practice
  std::unordered_map<int64_t, NameId> sparse_;
};

// Stores the call stacks of nodes. Stacks with equal bytes are stored once.
struct ReadStacks {
  struct Known {
    bool any = false;
    uint32_t stack = 0;
    int64_t unknown_ids = 0;
  };

  const TextOfId& ids;
  CallStacks& stacks;
  ByteCache<Known> known = {};
  std::vector<Frame> frames = {};  // of the current stack; kept for its capacity
  ProblemCount unknown_ids = {};   // frames whose ids have no text; their texts are empty
  ProblemCount malformed = {};
};

struct TextOrId {
  std::string_view text;
  int64_t id = 0;
};

NameId Resolve(const TextOrId& text, const ReadStacks& stacks) {
  return text.text.empty() ? stacks.ids.Find(text.id) : stacks.stacks.texts.Intern(text.text);
}

const char* ReadFrame(std::string_view message, ReadStacks* stacks) {
  using Of = field::CodeDef_Trace;
  Frame frame;
  TextOrId file, function, line;
  const char* bad = wire::ReadMessage(
      message, Text<Of::file>(&file.text), Number<Of::lineno>(&frame.line),
      Text<Of::function>(&function.text), Text<Of::line>(&line.text),
      Number<Of::func_start_line>(&frame.function_line), Number<Of::file_id>(&file.id),
      Number<Of::function_id>(&function.id), Number<Of::line_id>(&line.id));
  if (bad != nullptr) return bad;
  frame.file = Resolve(file, *stacks);
  frame.function = Resolve(function, *stacks);
  frame.text = Resolve(line, *stacks);
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

// Returns true if the CodeDef in these pieces has a frame or is malformed. A malformed one is
// reported when it is read.
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

// Returns the position in CallStacks::stacks of the CodeDef in `pieces` of one message, outermost
// frame first. A frame has its texts inline (old files) or by id. Malformed parts are counted and
// skipped.
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

// ---- reading on demand ------------------------------------------------------------------------

constexpr uint32_t kStacksPerPoll = 4096;

struct ReadingStacks {
  const KeptCode& kept;
  const Store& store;
  Range stacks;
  CallStacks* out;
  Context& context;
  ProblemCount malformed_texts = {};
};

// Reads the texts of one file. The last text of an id counts, as in any map of the wire format.
NumberedTexts ReadTexts(ReadingStacks* reading) {
  NumberedTexts texts;
  Fields fields(reading->kept.texts);
  while (fields.Next()) {
    if (fields.tag() != reading->kept.form.text) {
      fields.Skip();
      continue;
    }
    MapEntry<int64_t> entry;
    const char* bad = ReadEntry(fields.Bytes(), &entry);
    if (bad != nullptr) {
      reading->malformed_texts.Add(bad);
    } else {
      texts.emplace_back(entry.key, reading->out->texts.Intern(entry.value));
    }
  }
  return {texts.rbegin(), texts.rend()};
}

TextOfId TextsOf(ReadingStacks* reading) {
  const NumberedTexts own = ReadTexts(reading);
  if (!reading->kept.form.in_all_logs) return TextOfId(own);
  NumberedTexts& all = reading->out->shared_texts;
  all.insert(all.end(), own.begin(), own.end());
  return TextOfId(all);
}

std::vector<std::string_view> PiecesOf(std::string_view record, uint32_t tag) {
  std::vector<std::string_view> pieces;
  Fields fields(record);
  while (fields.Next()) {
    if (fields.tag() == tag) {
      pieces.push_back(fields.Bytes());
    } else {
      fields.Skip();
    }
  }
  return pieces;
}

Result<void> ReadAllStacks(ReadingStacks reading) {
  const KeptCode& kept = reading.kept;
  const TextOfId ids = TextsOf(&reading);
  ReadStacks stacks{ids, *reading.out};
  for (const uint32_t id : reading.stacks) {
    if ((id - reading.stacks.first) % kStacksPerPoll == 0) TFPROF_TRY(Poll(reading.context));
    const StackPlace& place = reading.store.stacks[id];
    const std::string_view bytes = kept.file.bytes.substr(place.first, place.count);
    reading.out->of_id[id] = kept.in_pieces.count(id) == 0
                                 ? ReadStack({&bytes, 1}, &stacks)
                                 : ReadStack(PiecesOf(bytes, kept.form.code), &stacks);
  }
  std::vector<Note>* notes = &reading.out->notes;
  reading.malformed_texts.AddNoteTo(note::malformed_code_texts, kept.file, notes);
  stacks.malformed.AddNoteTo(note::malformed_code_traces, kept.file, notes);
  stacks.unknown_ids.AddNoteTo(note::frames_without_file, kept.file, notes);
  return {};
}

}  // namespace

StackId NoteStack(std::span<const std::string_view> pieces, std::string_view record,
                  SourceId source, StoreBuilder& store, KeptCode* kept) {
  if (!HasFrame(pieces)) return {};
  const std::string_view place = pieces.size() == 1 ? pieces[0] : record;
  const auto offset = static_cast<uint64_t>(place.data() - kept->file.bytes.data());
  const StackId id = store.AddStack(source, offset, static_cast<uint32_t>(place.size()));
  if (pieces.size() > 1) kept->in_pieces.insert(id.value);
  return id;
}

void KeepCode(KeptCode kept, SourceId source, StoreBuilder& store) {
  Source& of = store.source(source);
  if (of.stacks.count == 0 && kept.texts.empty()) return;
  of.stack_reader = [kept = std::make_shared<const KeptCode>(std::move(kept))](
                        const Store& of_store, Range stacks, CallStacks* out, Context& context) {
    return GuardReads(kept->file, [&] {
      return ReadAllStacks({*kept, of_store, stacks, out, context});
    });
  };
}

}  // namespace tfprof
