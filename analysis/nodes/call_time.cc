// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/call_time.h"

#include <algorithm>

#include "analysis/intervals/interval.h"
#include "analysis/nodes/op_kinds.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// A record on an executor. `call`: the node, if it calls others and counts on this lane.
struct Record {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  NodeId call;
};

// By node: true if it calls others.
std::vector<bool> Calls(const Store& store, bool* any) {
  std::vector<bool> calls(store.nodes.size());
  for (size_t i = 0; i < calls.size(); ++i) {
    calls[i] = store.nodes[i].lanes.count > 0 && CallsOthers(store, store.nodes[i]);
    *any |= calls[i];
  }
  return calls;
}

// Appends the placed records of a run.
void Append(const Store& store, const NodeAccounts& accounts, const std::vector<bool>& calls,
            const EventRun& run, bool whole_us, std::vector<Record>* records) {
  for (uint32_t row = run.first; row < run.end; ++row) {
    const int64_t start_ps = whole_us ? RoundedStart(store, row) : store.events.start_ps[row];
    if (start_ps == kNoTime) continue;
    const int64_t length_ps = whole_us ? RoundedLength(store, row) : store.events.duration_ps[row];
    const NodeId node = store.labels[store.events.label[row].value].node;
    const bool is_call =
        node.some() && calls[node.value] && accounts.counting_lane[node.value] == run.lane;
    records->push_back({start_ps, SaturatingAdd(start_ps, length_ps), is_call ? node : NodeId()});
  }
}

// Sums the time that records within one call cover. `budget`: visits that are left for the step. A
// loop visits its whole body, so that calls within calls cost more than one visit per record;
// without a budget, a call within the call stands for all records that begin in it.
int64_t CoveredPs(const std::vector<Record>& records, size_t call, int64_t* budget) {
  const Record& whole = records[call];
  const auto at_start = [](const Record& record, int64_t start_ps) {
    return record.start_ps < start_ps;
  };
  auto record = std::lower_bound(records.begin(), records.end(), whole.start_ps, at_start);
  int64_t until_ps = whole.start_ps, covered_ps = 0;
  while (record != records.end() && record->start_ps <= whole.end_ps) {
    const bool same = record->start_ps == whole.start_ps && record->end_ps == whole.end_ps;
    const bool is_other_call = record->call.some();
    const bool within = record->end_ps <= whole.end_ps && !(same && is_other_call);
    if (within) ExtendUnion(record->start_ps, record->end_ps, &until_ps, &covered_ps);
    if (--*budget < 0 && within && is_other_call) {
      const int64_t next_ps = std::max(record->end_ps, SaturatingAdd(record->start_ps, 1));
      record = std::lower_bound(record, records.end(), next_ps, at_start);
    } else {
      ++record;
    }
  }
  return covered_ps;
}

constexpr int64_t kVisitsPerRecord = 32;

Result<void> AddStep(StepId step, std::vector<Record>* records, std::vector<ContainedTime>* times,
                     Context& context) {
  std::ranges::sort(*records, {}, &Record::start_ps);
  int64_t budget = static_cast<int64_t>(records->size()) * kVisitsPerRecord;
  for (size_t i = 0; i < records->size(); ++i) {
    if (!(*records)[i].call.some()) continue;
    TFPROF_TRY(Poll(context));
    times->push_back({(*records)[i].call, step, CoveredPs(*records, i, &budget)});
  }
  records->clear();
  return {};
}

}  // namespace

void MergeContained(std::vector<ContainedTime>* times) {
  size_t kept = 0;
  for (const ContainedTime& time : *times) {
    ContainedTime* const last = kept > 0 ? &(*times)[kept - 1] : nullptr;
    if (last != nullptr && last->node == time.node && last->step == time.step) {
      last->ps = SaturatingAdd(last->ps, time.ps);
    } else {
      (*times)[kept++] = time;
    }
  }
  times->resize(kept);
}

Result<std::vector<ContainedTime>> ContainedTimes(const Store& store, const NodeAccounts& accounts,
                                                  std::span<const EventRun> runs, bool whole_us,
                                                  Context& context) {
  std::vector<ContainedTime> times;
  bool any = false;
  const std::vector<bool> calls = Calls(store, &any);
  if (!any) return times;
  std::vector<bool> executors;  // by lane
  for (const Lane& lane : store.lanes) executors.push_back(HasDeviceForm(store.Text(lane.name)));
  std::vector<Record> records;
  StepId step;
  for (const EventRun& run : runs) {
    if (run.step != step) TFPROF_TRY(AddStep(step, &records, &times, context));
    step = run.step;
    if (!executors[run.lane.value]) continue;
    TFPROF_TRY(Poll(context));
    Append(store, accounts, calls, run, whole_us, &records);
  }
  TFPROF_TRY(AddStep(step, &records, &times, context));
  std::ranges::sort(times, [](const ContainedTime& a, const ContainedTime& b) {
    return a.node != b.node ? a.node < b.node : a.step < b.step;
  });
  MergeContained(&times);
  return times;
}

}  // namespace tfprof
