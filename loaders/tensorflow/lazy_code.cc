// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/lazy_code.h"

#include <memory>
#include <utility>

#include "loaders/tensorflow/code_def.h"
#include "loaders/wire/wire.h"

namespace tfprof {
namespace {

using wire::Fields;

constexpr uint32_t kStacksPerPoll = 4096;

struct ReadingStacks {
  const KeptCode& kept;
  const Store& store;
  Range stacks;
  CallStacks* out;
  Context& context;
  Tally malformed_texts = {};
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
    const char* bad = ReadNumberedText(fields.Bytes(), &reading->out->texts, &texts);
    if (bad != nullptr) reading->malformed_texts.Add(bad);
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

Result<void> Read(ReadingStacks reading) {
  const KeptCode& kept = reading.kept;
  const TextOfId ids = TextsOf(&reading);
  ReadStacks stacks{ids, *reading.out};
  for (uint32_t i = 0; i < reading.stacks.count; ++i) {
    if (i % kStacksPerPoll == 0) TFPROF_TRY(Poll(reading.context));
    const uint32_t id = reading.stacks.first + i;
    const StackPlace& place = reading.store.stacks[id];
    const std::string_view bytes = kept.file.bytes.substr(place.first, place.count);
    reading.out->of_id[id] = kept.in_pieces.count(id) == 0
                                 ? ReadStack({&bytes, 1}, &stacks)
                                 : ReadStack(PiecesOf(bytes, kept.form.code), &stacks);
  }
  std::vector<Note>* notes = &reading.out->notes;
  reading.malformed_texts.Tell("malformed texts of code traces, skipped", kept.file, notes);
  stacks.malformed.Tell("malformed code traces, shown up to the damage", kept.file, notes);
  stacks.unknown_ids.Tell("frames without a recorded file or function", kept.file, notes);
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
    return GuardReads(kept->file, [&] { return Read({*kept, of_store, stacks, out, context}); });
  };
}

}  // namespace tfprof
