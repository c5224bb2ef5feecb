// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// The call stacks that made the nodes of a store, with the texts of their frames.
struct CallStacks {
  Names texts;
  Column<uint32_t> of_id;   // by StackId: of `stacks`
  Column<Range> stacks;     // of `frames`, outermost first; what a file repeats is here once
  Column<Frame> frames;     // their texts are of `texts`
  std::vector<Note> notes;  // on what could not be read
  // Texts that frames of several sources name by number; of a number given twice the first text
  // counts, also when it came with an earlier source.
  std::vector<std::pair<int64_t, NameId>> shared_texts;

  std::string_view Text(NameId id) const { return id.some() ? texts[id] : std::string_view(); }
  std::span<const Frame> Of(StackId id) const {
    const Range range = id.some() ? stacks[of_id[id.value]] : Range{};
    return frames.Rows(range.first, range.count);
  }
  // The place of a stack in `stacks`.
  uint32_t Add(std::span<const Frame> added);
};

// Read from the sources. Errors: cancelled; corrupt (a file became shorter meanwhile).
Result<CallStacks> ReadCallStacks(const Store& store, Context& context);

}  // namespace tfprof
