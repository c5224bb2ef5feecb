// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/python_stacks.h"

#include <unordered_map>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/thread_regions.h"

namespace tfprof {
namespace {

constexpr int kMaxRounds = 16;

// By label: the name of a Python call, none for other events.
std::vector<NameId> CallsOfLabels(const Store& store, bool* any) {
  std::vector<NameId> calls(store.labels.size());
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    for (const uint32_t i : process.labels) {
      if (!PythonFrameOf(store, store.labels[i]).some()) continue;
      calls[i] = store.labels[i].name;
      *any = true;
    }
  }
  return calls;
}

class Finding {
 public:
  Finding(const Store& store, Context& context) : store_(store), context_(context) {}

  // Sets the calls on the event's own thread. Keeps the enclosing rows for Inherit.
  Result<void> SetOwnCalls(const std::vector<NameId>& call_of_label, PythonStacks* stacks) {
    stacks->of_event.Resize(store_.EventCount(), PythonStacks::kNone);
    around_.Resize(store_.EventCount(), kNoRow);
    for (const Process& process : store_.processes) {
      if (process.kind != ProcessKind::host) continue;
      const RegionLabels regions = RegionLabelsOf(store_, process);
      for (const Lane& lane : store_.LanesOf(process)) {
        if (lane.measures != Measures::host_time || lane.rows.count == lane.unplaced) continue;
        TFPROF_TRY(Poll(context_));
        TakeLane(lane, regions, call_of_label, stacks);
        lanes_.push_back(lane.PlacedRows());
      }
    }
    return {};
  }

  // An event without a call takes that of the event that links to it, or that encloses it. Returns
  // true if any changed.
  Result<bool> Inherit(const EventLinks& links, PythonStacks* stacks) {
    bool changed = false;
    for (const Range& rows : lanes_) {
      size_t link = links.FirstTo(rows.first);
      for (const uint32_t row : rows) {
        if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context_));
        while (link < links.size() && links.to[link].value < row) ++link;
        uint32_t& call = stacks->of_event[row];
        if (call != PythonStacks::kNone) continue;
        call = InheritedCall(links, link, row, *stacks);
        if (call == PythonStacks::kNone && around_[row] != kNoRow) {
          call = stacks->of_event[around_[row]];
        }
        changed = changed || call != PythonStacks::kNone;
      }
    }
    return changed;
  }

 private:
  void TakeLane(const Lane& lane, const RegionLabels& regions,
                const std::vector<NameId>& call_of_label, PythonStacks* stacks) {
    NestEvents(store_, lane, &nesting_);
    uint32_t region = kNoRow;
    for (const uint32_t row : nesting_.order) {
      const LabelId label = store_.events.label[row];
      if (label == regions.stop) region = kNoRow;
      const uint32_t around = InnerOf(store_, nesting_.ParentOf(row), region);
      if (label == regions.start) region = row;
      around_[row] = around;
      uint32_t call = around == kNoRow ? PythonStacks::kNone : stacks->of_event[around];
      if (call_of_label[label.value].some()) call = Call(call, label, stacks);
      stacks->of_event[row] = call;
    }
  }

  uint32_t Call(uint32_t caller, LabelId label, PythonStacks* stacks) {
    const uint32_t depth = stacks->calls[caller].depth + 1;
    if (depth > PythonStacks::kMaxFrames) return caller;
    const uint64_t key = uint64_t{caller} << 32 | store_.labels[label.value].name.value;
    const auto fresh = static_cast<uint32_t>(stacks->calls.size());
    const auto [known, is_new] = known_.try_emplace(key, fresh);
    if (is_new) stacks->calls.push_back({caller, label, depth});
    return known->second;
  }

  static uint32_t InheritedCall(const EventLinks& links, size_t link, uint32_t row,
                                const PythonStacks& stacks) {
    for (; link < links.size() && links.to[link].value == row; ++link) {
      const uint32_t call = stacks.of_event[links.from[link].value];
      if (call != PythonStacks::kNone) return call;
    }
    return PythonStacks::kNone;
  }

  const Store& store_;
  Context& context_;
  LaneNesting nesting_;
  Column<uint32_t> around_;   // by event: the enclosing row
  std::vector<Range> lanes_;  // their placed rows
  std::unordered_map<uint64_t, uint32_t> known_;
};

}  // namespace

PythonFrame PythonFrameOf(const Store& store, const Label& label) {
  if (!label.python.some()) return {};
  const PythonFunction& of = store.python_functions[label.python.value];
  if (of.form != PythonForm::function) return {};
  return {store.Text(of.file), store.Text(of.function), of.line};
}

Result<PythonStacks> FindPythonStacks(const Store& store, const Indexes& indexes,
                                      Context& context) {
  PythonStacks stacks;
  bool any = false;
  const std::vector<NameId> calls = CallsOfLabels(store, &any);
  if (!any) return stacks;
  Finding finding(store, context);
  TFPROF_TRY(finding.SetOwnCalls(calls, &stacks));
  TFPROF_ASSIGN(const auto links, indexes.Get<EventLinks>(context));
  for (int round = 0; round < kMaxRounds; ++round) {
    TFPROF_ASSIGN(const bool changed, finding.Inherit(*links, &stacks));
    if (!changed) break;
  }
  return stacks;
}

}  // namespace tfprof
