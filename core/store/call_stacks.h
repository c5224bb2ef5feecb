// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// The call stacks of the nodes of a store, with the texts of their frames.
struct CallStacks {
  Names texts;
  Column<uint32_t> of_id;  // by StackId: index into `stacks`
  Column<Range> stacks;  // of `frames`, outermost first; repeated stacks of a file are stored once
  Column<Frame> frames;  // their texts are in `texts`
  std::vector<Note> notes;  // about stacks that could not be read
  // Texts that frames of several sources refer to by number. If a number occurs twice, the first
  // text applies, also across sources.
  std::vector<std::pair<int64_t, NameId>> shared_texts;

  std::string_view Text(NameId id) const { return id.some() ? texts[id] : std::string_view(); }
  // The text of the source line; empty: not recorded, for which TensorFlow writes a word.
  std::string_view SourceText(const Frame& frame) const {
    const std::string_view text = Text(frame.text);
    return text == "none" ? std::string_view() : text;
  }
  std::span<const Frame> Of(StackId id) const {
    const Range range = id.some() ? stacks[of_id[id.value]] : Range{};
    return frames.Rows(range.first, range.count);
  }
  // Returns the index of the new stack in `stacks`.
  uint32_t Add(std::span<const Frame> added);
};

// Reads the stacks from the sources. Errors: cancelled; corrupt (a file was truncated since it was
// opened).
Result<CallStacks> ReadCallStacks(const Store& store, Context& context);

}  // namespace tfprof
