// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/compilations.h"

#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/interval_set.h"
#include "analysis/intervals/nesting.h"
#include "analysis/place.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

EventRole RoleAt(const Store& store, uint32_t row) {
  return store.labels[store.events.label[row].value].role;
}

// The events of one call.
struct CallParts {
  IntervalSet tracing, lowering, compiling;
  int64_t made_ps = kNoTime;  // start of the first lowering or compiling

  void Add(const Store& store, uint32_t row) {
    const int64_t start_ps = store.events.start_ps[row], end_ps = store.events.EndPs(row);
    const EventRole role = RoleAt(store, row);
    if (role == EventRole::tracing) tracing.Add(start_ps, end_ps);
    if (role == EventRole::lowering) lowering.Add(start_ps, end_ps);
    if (role == EventRole::compile) compiling.Add(start_ps, end_ps);
    const bool is_made = role == EventRole::lowering || role == EventRole::compile;
    if (is_made && (made_ps == kNoTime || start_ps < made_ps)) made_ps = start_ps;
  }
};

int64_t LengthOrNone(IntervalSet* set) { return set->Parts().empty() ? kNoInt : set->CoveredPs(); }

void SetParts(CallParts* parts, Compilation* made) {
  made->tracing_ps = LengthOrNone(&parts->tracing);
  made->lowering_ps = LengthOrNone(&parts->lowering);
  made->compiling_ps = LengthOrNone(&parts->compiling);
  // What is lowered in a call was traced in it.
  const bool is_lowered = made->lowering_ps != kNoInt && !made->function.empty();
  if (made->tracing_ps == kNoInt && is_lowered) {
    made->tracing_ps = SpanOf(made->start_ps, parts->made_ps);
  }
  made->is_traced |= made->tracing_ps != kNoInt;
  made->is_compiled = made->compiling_ps != kNoInt;
}

class CompilationFinder {
 public:
  CompilationFinder(const Store& store, const PlaceFilter& place, const ChosenEvents& chosen,
                    Compilations* found)
      : store_(store), place_(place), chosen_(chosen), found_(found) {}

  Result<void> AddProcess(const Indexes& indexes, ProcessId id, Context& context) {
    const Process& process = store_.processes[id.value];
    const bool selected =
        process.kind == ProcessKind::host && MatchesPlace(store_, process, place_.OfHosts());
    if (!selected || process.lanes.count == 0) return {};
    TFPROF_ASSIGN(ThreadColumns columns, ThreadColumns::Read(indexes, id, context));
    constexpr DetailKey kTraces[] = {AttributeKey::function_traces};
    TFPROF_ASSIGN(const auto traces, indexes.Details(id, kTraces, context));
    if (!Compiles(process) && columns.tracing->rows.count == 0) return {};
    for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
      const Lane& lane = store_.lanes[i];
      if (lane.derived || lane.measures != Measures::host_time) continue;
      TFPROF_TRY(Poll(context));
      AddLane(process, lane, columns, *traces[0]);
    }
    found_->columns.push_back(std::move(columns));
    return {};
  }

 private:
  bool Compiles(const Process& process) const {
    return std::ranges::any_of(store_.LabelsOf(process), [](const Label& label) {
      return label.role == EventRole::tracing || label.role == EventRole::lowering ||
             label.role == EventRole::compile;
    });
  }

  void AddLane(const Process& process, const Lane& lane, const ThreadColumns& columns,
               const DetailColumn& traces) {
    NestEvents(store_, lane, &nesting_);
    const ThreadCalls calls = CallsOn(store_, nesting_, columns);
    std::map<uint32_t, CallParts> parts;  // by call
    CallParts outside;
    for (const uint32_t row : nesting_.order) {
      const EventRole role = RoleAt(store_, row);
      const bool takes_part =
          role == EventRole::tracing || role == EventRole::lowering || role == EventRole::compile;
      if (!takes_part) continue;
      const uint32_t call = calls.call_of[row - nesting_.first];
      if (call != kNoRow) {
        parts[call].Add(store_, row);
      } else if (chosen_.Takes(row)) {
        outside.Add(store_, row);
      }
    }
    for (uint32_t i = 0; i < calls.calls.size(); ++i) {
      AddCall(process, calls.calls[i], traces, &parts[i]);
    }
    if (outside.made_ps == kNoTime) return;
    Compilation made{.host = process.host, .start_ps = outside.made_ps};
    SetParts(&outside, &made);
    found_->made.push_back(made);
  }

  void AddCall(const Process& process, const ProgramCall& call, const DetailColumn& traces,
               CallParts* parts) {
    if (!chosen_.Takes(call.row)) return;
    ++found_->calls[{process.host.value, call.name}];
    Compilation made{.host = process.host,
                     .function = call.name,
                     .start_ps = call.start_ps,
                     .is_traced = call.traces};
    SetParts(parts, &made);
    if (!made.is_traced && !made.is_compiled && made.lowering_ps == kNoInt) return;
    if (traces.rows.count > 0 && traces.Has(call.row)) made.traces = traces.Integer(call.row);
    found_->made.push_back(made);
  }

  const Store& store_;
  const PlaceFilter& place_;
  const ChosenEvents& chosen_;
  Compilations* found_;
  LaneNesting nesting_;
};

}  // namespace

int64_t Compilation::TimePs() const {
  int64_t sum_ps = kNoInt;
  for (const int64_t ps : {tracing_ps, lowering_ps, compiling_ps}) {
    if (ps != kNoInt) sum_ps = SaturatingAdd(sum_ps == kNoInt ? 0 : sum_ps, ps);
  }
  return sum_ps;
}

Result<Compilations> Compilations::Build(const Indexes& indexes, const PlaceFilter& place,
                                         Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  Compilations found;
  CompilationFinder finder(store, place, chosen, &found);
  for (size_t i = 0; i < store.processes.size(); ++i) {
    TFPROF_TRY(finder.AddProcess(indexes, ProcessId(i), context));
  }
  StableSort(found.made, {}, &Compilation::start_ps);
  return found;
}

}  // namespace tfprof
