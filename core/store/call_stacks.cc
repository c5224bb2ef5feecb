// SPDX-License-Identifier: Apache-2.0
#include "core/store/call_stacks.h"
#include "core/base/context.h"

#include <algorithm>

namespace tfprof {
namespace {

Frame CopyOf(const Frame& frame, const Store& store, CallStacks* all) {
  const auto copy = [&](NameId* text) {
    if (text->some()) *text = all->texts.Intern(store.Text(*text));
  };
  Frame own = frame;
  copy(&own.file);
  copy(&own.function);
  copy(&own.text);
  return own;
}

Result<void> AddStacksOfStore(const Store& store, CallStacks* all, Context& context) {
  std::vector<Frame> frames;
  for (size_t id = 0; id < store.stacks.size(); ++id) {
    if (id % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const StackPlace& place = store.stacks[id];
    if (place.source.some()) continue;
    frames.clear();
    for (const Frame& frame : store.frames.Rows(place.first, place.count)) {
      frames.push_back(CopyOf(frame, store, all));
    }
    all->of_id[id] = all->Add(frames);
  }
  return {};
}

}  // namespace

uint32_t CallStacks::Add(std::span<const Frame> added) {
  const auto place = static_cast<uint32_t>(stacks.size());
  stacks.Push({static_cast<uint32_t>(frames.size()), static_cast<uint32_t>(added.size())});
  std::copy(added.begin(), added.end(), frames.Extend(added.size()));
  return place;
}

Result<CallStacks> ReadCallStacks(const Store& store, Context& context) {
  CallStacks all;
  all.of_id.Resize(store.stacks.size(), 0);
  if (!store.frames.empty()) TFPROF_TRY(AddStacksOfStore(store, &all, context));
  for (const Source& source : store.sources) {
    const StackReader& reader = source.stack_reader;
    if (reader == nullptr) continue;
    TFPROF_TRY(reader(store, source.stacks, &all, context));
  }
  return all;
}

}  // namespace tfprof
