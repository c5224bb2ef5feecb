// SPDX-License-Identifier: Apache-2.0
// The threads of a process: their ranges, calls of the CUDA API, and overheads.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "capture/model/definitions.h"
#include "capture/model/launches.h"
#include "capture/model/resumption.h"
#include "capture/model/scope_history.h"
#include "capture/model/threads.h"
#include "capture/writers/python_calls.h"
#include "capture/writers/tensorflow_export.h"
#include "capture/writers/trace_counts.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {

class HostTrace {
 public:
  // `also_to` may be null.
  HostTrace(const Definitions& definitions, XSpace* to, TensorflowExport* also_to,
            TraceCounts* counts);

  void Take(uint32_t thread, const RecordHead& head);
  // Ends ranges that are open, and names lines.
  void Finish();

  const Launches& launches() const { return launches_; }
  // The scope of a launch: of its thread, or of the one that its thread works for.
  ScopeId ScopeOf(const Launch& launch) const;
  const Scopes& scopes() const { return scopes_; }
  XSpace::PlaneId plane() const { return plane_; }
  XSpace::LineId LineOf(uint32_t thread) { return ThreadOf(thread).line; }
  // Appends the step of an index to the open event; -1: none.
  void AddStep(int32_t step);

 private:
  struct Thread {
    XSpace::LineId line = 0;
    ThreadRanges ranges;
    Resumption resumption;
    PythonCalls::Open python;
    std::unordered_map<uint32_t, XSpace::LineId> domain_lines;
  };
  struct StartedRange {
    RangeStartRecord record;
    uint32_t thread = 0;
  };

  Thread& ThreadOf(uint32_t thread);
  std::string NameOfThread(uint32_t thread) const;
  XSpace::LineId DomainLine(uint32_t thread, uint32_t domain);

  // Events among those of the thread, in order.
  void TakeOwn(uint32_t thread, const RecordHead& head);
  void TakeReopen(uint32_t thread, const PushRecord& reopen);
  void TakePush(uint32_t thread, const PushRecord& push);
  void TakePop(uint32_t thread, const PopRecord& pop);
  void TakeMark(uint32_t thread, const PushRecord& mark);
  void TakeRangeEnd(const RangeEndRecord& end);
  void TakeCall(uint32_t thread, const CallRecord& call);
  void TakeApi(const ApiRecord& api);
  void TakeOverhead(const OverheadRecord& overhead);

  // What the thread was in until then, if it is the one that is sampled. `call_end`: the end of the
  // call that it is in at these times; 0: of none.
  void TakeSamples(uint32_t thread, uint64_t until, uint64_t call_end = 0);
  void EndLongPython(uint64_t time, Thread* in);
  // Ends what the thread is in, as the recorder knows no more of it until `next`.
  void EndOpen(uint32_t thread, uint64_t next);
  int32_t StepOf(const ThreadRanges& ranges, uint64_t time) const;
  int32_t StepOfCall(const ThreadRanges& ranges, uint64_t time) const;
  void AddWindows();
  void AddRange(uint32_t thread, const OpenRange& range, uint64_t end, bool is_whole);
  void AddFreeRange(uint32_t thread, const RangeStartRecord& start, uint64_t end);
  void AddPayload(PayloadType type, uint64_t payload);
  void AddCategory(uint32_t domain, uint32_t category);
  void AddCall(uint32_t thread, uint32_t domain_and_callback, uint64_t start, uint64_t end,
               uint32_t correlation);
  std::string DisplayName(uint32_t domain, uint32_t name) const;
  // The innermost range that has the attribute; 0: none.
  uint32_t InnermostWith(std::string NameFacts::*attribute, const ThreadRanges& ranges) const;

  const Definitions& definitions_;
  XSpace& to_;
  TensorflowExport* also_to_;
  TraceCounts& counts_;
  XSpace::PlaneId plane_;
  Scopes scopes_;
  ScopeHistory history_;
  Launches launches_;
  PythonCalls python_;
  size_t next_sample_ = 0;
  std::unordered_map<uint32_t, Thread> threads_;
  std::unordered_map<uint64_t, StartedRange> started_;
  std::unordered_map<uint64_t, uint64_t> call_names_;  // event IDs
};

}  // namespace tfprof::capture
