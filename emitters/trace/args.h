// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/report/trace_export.h"

// What a trace tells of a span besides its time, and of itself.

namespace tfprof {

void AppendDecimal(uint64_t value, std::string* out);
void AppendSigned(int64_t value, std::string* out);
// ps as us: the digits after the point as far as they are not 0.
void AppendMicros(uint64_t ps, std::string* out);

class TraceArgs {
 public:
  // `details`: spans of events have all that their source says of them and of their label.
  TraceArgs(const Store& store, bool details) : store_(store), details_(details) {}

  // ,"args":{...} or nothing: step; of a graph node: node (where the span is named otherwise), op,
  // input_shapes (where they are known); of memory: what of requested_bytes, peak_bytes,
  // residual_bytes, output_bytes, temp_bytes, persistent_bytes and allocator_bytes_in_use is not 0.
  // With details: whatever the file says, by the file's own keys; whole numbers beyond 2^53 are
  // texts, bytes are left out. Error: corrupt (the file is damaged there or became shorter).
  Result<void> AppendArgs(const TraceSpan& span, std::string* out);

  // "otherData":{...}: the tool, the files, the wall time of ts 0 in ns, and the notes: what was
  // not read or is not drawn.
  void AppendOtherData(const Trace& trace, std::string* out) const;

 private:
  void AppendNode(const TraceSpan& span, std::string* out) const;
  void AppendShapes(const Node& node, std::string* out) const;
  void AppendMemory(const ExecMemory& memory, std::string* out) const;

  Result<void> AppendDetails(EventId event, std::string* out);

  const Store& store_;
  bool details_;
  std::vector<std::string> of_label_;  // by label: the details of it, once they were asked
  std::vector<bool> has_label_;
};

}  // namespace tfprof
