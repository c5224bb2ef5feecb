// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/trace_export.h"

// Arguments of a trace's spans, and metadata of the trace.

namespace tfprof {

class TraceArgs {
 public:
  // `details`: spans of events include all details that their source has of them and their label.
  TraceArgs(const Store& store, bool details) : store_(store), details_(details) {}

  // Appends ,"args":{...} or nothing: step; for a graph node: node (if the span has another name),
  // op, input_shapes (if known); for memory: those of requested_bytes, peak_bytes, residual_bytes,
  // output_bytes, temp_bytes, persistent_bytes and allocator_bytes_in_use that are not 0. With
  // details: all of the file's facts under the file's own keys; integers beyond 2^53 become texts,
  // bytes are left out. Error: corrupt (the file is damaged there or was truncated).
  Result<void> AppendArgs(const TraceSpan& span, std::string* out);

  // Appends "otherData":{...}: the tool, the files, the wall time of ts 0 in ns, and the notes
  // about data that was not read or is not exported.
  void AppendOtherData(const Trace& trace, std::string* out) const;

 private:
  void AppendNode(const TraceSpan& span, std::string* out) const;
  void AppendShapes(const Node& node, std::string* out) const;
  void AppendMemory(const ExecMemory& memory, std::string* out) const;

  Result<void> AppendDetails(EventId event, std::string* out);

  const Store& store_;
  bool details_;
  std::vector<std::string> of_label_;  // by label: its details, filled at first use
  std::vector<bool> has_label_;
};

}  // namespace tfprof
