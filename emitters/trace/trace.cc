// SPDX-License-Identifier: Apache-2.0
#include "emitters/trace/trace.h"

#include <type_traits>

#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/trace/args.h"

namespace tfprof {
namespace {

class ChromeWriter {
 public:
  ChromeWriter(const Store& store, const Trace& trace, Sink& sink, Context& context)
      : trace_(trace),
        sink_(sink),
        context_(context),
        args_(store, trace.details),
        tids_(trace.tracks.size()) {}

  Result<TraceCounts> Write() {
    sink_.Append("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    for (uint32_t group = 0; group < trace_.groups.size(); ++group) AppendGroup(group);
    TFPROF_TRY(
        EachRow(trace_.spans, sink_, context_, [&](const TraceSpan& span) { AppendSpan(span); }));
    if (!has_details_) return Failure(has_details_.error());
    TFPROF_TRY(
        EachRow(trace_.flows, sink_, context_, [&](const TraceFlow& flow) { AppendFlow(flow); }));
    TFPROF_TRY(EachRow(trace_.samples, sink_, context_,
                       [&](const TraceSample& sample) { AppendSample(sample); }));
    sink_.Append("\n],\n");
    args_.AppendOtherData(trace_, &sink_.buffer);
    sink_.Append("}\n");
    return counts_;
  }

 private:
  void Begin(std::string_view phase) {
    sink_.Append(first_ ? "\n{\"ph\":\"" : ",\n{\"ph\":\"");
    first_ = false;
    sink_.Append(phase);
  }

  void AppendPlace(uint32_t group, uint32_t tid) {
    AppendNumber("\",\"pid\":", group + 1);
    AppendNumber(",\"tid\":", tid);
  }

  void AppendNumber(std::string_view key, int64_t value) {
    sink_.Append(key);
    AppendInteger(value, &sink_.buffer);
  }

  void AppendTime(std::string_view key, uint64_t ps) {
    sink_.Append(key);
    AppendDecimal(ps, 6, &sink_.buffer);
  }
  uint64_t SinceFirst(int64_t time_ps) const {
    return time_ps < trace_.earliest_ps
               ? 0
               : static_cast<uint64_t>(time_ps) - static_cast<uint64_t>(trace_.earliest_ps);
  }

  // Writes {"ph":"M", ..., "args":{KEY:VALUE}}; a value is a text or a number.
  template <class Value>
  void AppendMetadata(std::string_view what, uint32_t group, uint32_t tid, std::string_view key,
                      const Value& value) {
    Begin("M");
    AppendPlace(group, tid);
    sink_.Append(",\"name\":\"");
    sink_.Append(what);
    sink_.Append("\",\"args\":{\"");
    sink_.Append(key);
    sink_.Append("\":");
    if constexpr (std::is_integral_v<Value>) {
      AppendInteger(value, &sink_.buffer);
    } else {
      AppendJsonString(value, &sink_.buffer);
    }
    sink_.Append("}}");
  }
  void AppendGroup(uint32_t group) {
    const TraceGroup& of = trace_.groups[group];
    AppendMetadata("process_name", group, 0, "name", of.name);
    AppendMetadata("process_sort_index", group, 0, "sort_index", group);
    if (!of.label.empty()) AppendMetadata("process_labels", group, 0, "labels", of.label);
  }

  // Returns the thread of a level; writes its metadata at its first use.
  uint32_t Tid(uint32_t track, uint32_t level) {
    std::vector<uint32_t>& levels = tids_[track];
    while (levels.size() <= level) {
      levels.push_back(++threads_);
      AppendThread(track, static_cast<uint32_t>(levels.size()));
    }
    return levels[level];
  }

  void AppendThread(uint32_t track, uint32_t ordinal) {
    const TraceTrack& at = trace_.tracks[track];
    const std::string name =
        ordinal == 1 ? at.name : at.name + " (" + std::to_string(ordinal) + ")";
    AppendMetadata("thread_name", at.group, threads_, "name", name);
    AppendMetadata("thread_sort_index", at.group, threads_, "sort_index", threads_);
  }

  void AppendSpan(const TraceSpan& span) {
    if (span.event.some()) ++counts_.executions;
    const uint32_t tid = Tid(span.track, span.level);
    Begin("X");
    AppendPlace(trace_.tracks[span.track].group, tid);
    AppendTime(",\"ts\":", SinceFirst(span.start_ps));
    AppendTime(",\"dur\":", static_cast<uint64_t>(span.duration_ps));
    sink_.Append(",\"name\":");
    AppendJsonString(span.name, &sink_.buffer);
    if (has_details_) has_details_ = args_.AppendArgs(span, &sink_.buffer);
    sink_.Append("}");
  }

  void AppendFlow(const TraceFlow& flow) {
    ++counts_.flows;
    AppendFlowEnd("s", flow.name, flow.from_track, flow.from_level, flow.from_ps);
    sink_.Append("}");
    AppendFlowEnd("f", flow.name, flow.to_track, flow.to_level, flow.to_ps);
    sink_.Append(",\"bp\":\"e\"}");  // binds to the enclosing span, not to the next one
  }

  void AppendFlowEnd(std::string_view phase, std::string_view name, uint32_t track, uint32_t level,
                     int64_t time_ps) {
    const uint32_t tid = Tid(track, level);
    Begin(phase);
    AppendPlace(trace_.tracks[track].group, tid);
    AppendTime(",\"ts\":", SinceFirst(time_ps));
    AppendNumber(",\"id\":", counts_.flows);
    sink_.Append(",\"cat\":\"flow\",\"name\":");
    AppendJsonString(name, &sink_.buffer);
  }

  void AppendSample(const TraceSample& sample) {
    ++counts_.samples;
    const TraceCounter& counter = trace_.counters[sample.counter];
    Begin("C");
    AppendPlace(counter.group, 0);
    AppendTime(",\"ts\":", SinceFirst(sample.time_ps));
    sink_.Append(",\"name\":");
    AppendJsonString(counter.name, &sink_.buffer);
    sink_.Append(",\"args\":{\"bytes\":");
    AppendInteger(sample.value, &sink_.buffer);
    sink_.Append("}}");
  }

  const Trace& trace_;
  Sink& sink_;
  Context& context_;
  TraceArgs args_;
  TraceCounts counts_;
  Result<void> has_details_;
  bool first_ = true;
  std::vector<std::vector<uint32_t>> tids_;  // by track and level
  uint32_t threads_ = 0;
};

}  // namespace

Result<TraceCounts> EmitTrace(const Store& store, const Trace& trace, Sink& sink,
                              Context& context) {
  return ChromeWriter(store, trace, sink, context).Write();
}

}  // namespace tfprof
