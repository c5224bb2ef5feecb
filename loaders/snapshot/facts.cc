// SPDX-License-Identifier: Apache-2.0
#include "loaders/snapshot/facts.h"

#include <string_view>
#include <unordered_map>

namespace tfprof::snapshot {
namespace {

struct NamedAction {
  std::string_view name;
  Action action;
};
constexpr NamedAction kActions[] = {
    {"alloc", Action::alloc},
    {"free_requested", Action::free_requested},
    {"free_completed", Action::free_completed},
    {"free", Action::free_completed},  // until PyTorch 2.0
    {"segment_alloc", Action::segment_alloc},
    {"segment_free", Action::segment_free},
    {"segment_map", Action::segment_map},
    {"segment_unmap", Action::segment_unmap},
    {"oom", Action::oom},
    {"snapshot", Action::snapshot},
};

Action ActionOf(std::string_view name) {
  for (const NamedAction& known : kActions) {
    if (known.name == name) return known.action;
  }
  return Action::other;
}

class FactsReader {
 public:
  FactsReader(const Pickle& pickle, Facts* facts) : pickle_(pickle), facts_(facts) {}

  bool Read() {
    const PickleValue& root = pickle_.root;
    // torch.cuda.memory_snapshot() is the segments alone.
    const PickleValue segments =
        root.kind == PickleKind::list ? root : pickle_.Get(root, "segments");
    const PickleValue traces = pickle_.Get(root, "device_traces");
    if (segments.kind != PickleKind::list && traces.kind != PickleKind::list) return false;
    for (const PickleValue& segment : pickle_.Elements(segments)) AddSegment(segment);
    for (const PickleValue& trace : pickle_.Elements(traces)) AddTrace(trace);
    for (const PickleValue& mark : pickle_.Elements(pickle_.Get(root, "external_annotations"))) {
      AddMark(mark);
    }
    return visited_ <= pickle_.bytes.size();
  }

 private:
  // A value may be part of many others; what is visited in all is bounded by the file.
  bool IsTooMuch() { return ++visited_ > pickle_.bytes.size(); }

  // The bytes of a block that is active, with the newest fields or, until PyTorch 1.13, a history
  // whose first part is what holds it now.
  void AddBlock(const PickleValue& value, int64_t* next_address, Segment* segment) {
    Block block;
    block.bytes = pickle_.Integer(value, "size");
    block.address = pickle_.Integer(value, "address");
    if (block.address == kNoInt) block.address = *next_address;
    if (block.address != kNoInt && block.bytes != kNoInt) {
      *next_address = SaturatingAdd(block.address, block.bytes);
    }
    block.is_active = pickle_.Text(value, "state").starts_with("active");
    block.requested_bytes = pickle_.Integer(value, "requested_size");
    PickleValue frames = pickle_.Get(value, "frames");
    const PickleValue history = pickle_.Get(value, "history");
    if (history.kind == PickleKind::list && !pickle_.Elements(history).empty()) {
      const PickleValue& newest = pickle_.Elements(history).front();
      if (block.requested_bytes == kNoInt) {
        block.requested_bytes = pickle_.Integer(newest, "real_size");
      }
      if (frames.kind != PickleKind::list) frames = pickle_.Get(newest, "frames");
    }
    if (block.is_active) block.stack = StackOf(frames);
    segment->blocks.push_back(block);
  }

  void AddSegment(const PickleValue& value) {
    Segment segment;
    segment.bytes = pickle_.Integer(value, "total_size");
    if (IsTooMuch()) return;
    if (segment.bytes == kNoInt) {
      ++facts_->odd_entries;
      return;
    }
    segment.address = pickle_.Integer(value, "address");
    const int64_t device = pickle_.Integer(value, "device");
    segment.device = device == kNoInt ? 0 : device;
    const int64_t stream = pickle_.Integer(value, "stream");
    segment.stream = stream == kNoInt ? 0 : stream;
    segment.pool = pickle_.Text(value, "segment_type");
    int64_t next_address = segment.address;
    for (const PickleValue& block : pickle_.Elements(pickle_.Get(value, "blocks"))) {
      if (IsTooMuch()) return;
      AddBlock(block, &next_address, &segment);
    }
    facts_->segments.push_back(std::move(segment));
  }

  void AddEntry(const PickleValue& value, std::vector<Entry>* trace) {
    Entry entry;
    entry.name = pickle_.Text(value, "action");
    if (entry.name.empty()) {
      ++facts_->odd_entries;
      return;
    }
    entry.action = ActionOf(entry.name);
    entry.address = pickle_.Integer(value, "addr");
    entry.bytes = pickle_.Integer(value, "size");
    entry.stream = pickle_.Integer(value, "stream");
    entry.device_free = pickle_.Integer(value, "device_free");
    entry.time_us = pickle_.Integer(value, "time_us");
    entry.stack = StackOf(pickle_.Get(value, "frames"));
    trace->push_back(entry);
  }

  void AddTrace(const PickleValue& value) {
    std::vector<Entry>& trace = facts_->traces.emplace_back();
    for (const PickleValue& entry : pickle_.Elements(value)) {
      if (IsTooMuch()) return;
      AddEntry(entry, &trace);
    }
  }

  void AddMark(const PickleValue& value) {
    if (IsTooMuch()) return;
    Mark mark;
    mark.name = pickle_.Text(value, "name");
    mark.begins = pickle_.Text(value, "stage") == "START";
    mark.device = pickle_.Integer(value, "device");
    mark.time_us = pickle_.Integer(value, "time_us");
    if (mark.time_us != kNoInt && !mark.name.empty()) facts_->marks.push_back(mark);
  }

  uint32_t StackOf(const PickleValue& frames) {
    if (frames.kind != PickleKind::list || pickle_.Elements(frames).empty()) return kNoStack;
    const auto [known, is_new] =
        stack_of_.try_emplace(frames.bits, static_cast<uint32_t>(facts_->stacks.size()));
    if (!is_new) return known->second;
    const auto first = static_cast<uint32_t>(facts_->frames.size());
    for (const PickleValue& frame : pickle_.Elements(frames)) {
      if (IsTooMuch()) break;
      const int64_t line = pickle_.Integer(frame, "line");
      facts_->frames.push_back({pickle_.Text(frame, "filename"), pickle_.Text(frame, "name"),
                                line == kNoInt ? 0 : line});
    }
    facts_->stacks.push_back({first, static_cast<uint32_t>(facts_->frames.size()) - first});
    return known->second;
  }

  const Pickle& pickle_;
  Facts* facts_;
  size_t visited_ = 0;
  std::unordered_map<uint64_t, uint32_t> stack_of_;  // by list of the pickle
};

}  // namespace

bool ReadFacts(const Pickle& pickle, Facts* facts) { return FactsReader(pickle, facts).Read(); }

}  // namespace tfprof::snapshot
