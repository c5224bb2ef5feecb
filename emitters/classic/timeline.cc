// SPDX-License-Identifier: Apache-2.0
// -output timeline:outfile=F of scope, graph and code: the Chrome trace that the original writes.
// The format is Chromium's trace event format. Times are in us; in the graph view, wall time.
#include <fmt/format.h>

#include "core/text/append_format.h"
#include "emitters/data/json_values.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

struct Writer {
  const Trace& trace;
  Sink& sink;
  bool first = true;

  void Begin() {
    sink.Append(first ? "\n" : ",\n");
    first = false;
  }
  int64_t Micros(int64_t time_ps) const { return trace.epoch_ns / kNsPerUs + time_ps / kPsPerUs; }
  uint32_t GroupOf(uint32_t track) const { return trace.tracks[track].group; }
  // Appends ,"pid":0,"tid":0,"ts":0.
  void AppendPlace(uint32_t pid, uint32_t tid, int64_t time_ps) {
    AppendFormat(&sink.buffer, ",\"pid\":{},\"tid\":{},\"ts\":{}", pid, tid, Micros(time_ps));
  }
  void AppendText(std::string_view key, std::string_view text) {
    sink.Append(key);
    AppendJsonString(text, &sink.buffer);
  }
};

void AppendGroup(uint32_t pid, const std::string& name, Writer& writer) {
  writer.Begin();
  writer.AppendText("{\"ph\":\"M\",\"name\":\"process_name\",\"args\":{\"name\":", name);
  writer.sink.Append(fmt::format("}},\"pid\":{}}}", pid));
}

void AppendSpan(const TraceSpan& span, Writer& writer) {
  writer.Begin();
  writer.AppendText("{\"ph\":\"X\",\"cat\":\"Op\",\"name\":", span.name);
  writer.AppendPlace(writer.GroupOf(span.track), span.level, span.start_ps);
  writer.sink.Append(fmt::format(",\"dur\":{}", span.duration_ps / kPsPerUs));
  writer.AppendText(",\"args\":{\"name\":", span.name);
  // A span of the graph view is an execution, a span of the other views is a row.
  if (!span.event.some()) writer.AppendText(",\"op\":", span.name);
  writer.sink.Append("}}");
}

void AppendFlow(const TraceFlow& flow, int64_t id, Writer& writer) {
  const std::string name = std::string(flow.name) + "_flow";
  for (const bool start : {true, false}) {
    writer.Begin();
    writer.sink.Append(fmt::format("{{\"ph\":\"{}\",\"cat\":\"DataFlow\"", start ? 's' : 't'));
    writer.AppendText(",\"name\":", name);
    if (start) {
      writer.AppendPlace(writer.GroupOf(flow.from_track), flow.from_level, flow.from_ps);
    } else {
      writer.AppendPlace(writer.GroupOf(flow.to_track), flow.to_level, flow.to_ps);
    }
    writer.sink.Append(fmt::format(",\"id\":{}}}", id));
  }
}

// Places 1 to 9 are always present, place 0 only if something holds memory.
void AppendHolders(const TraceSample& sample, Writer& writer) {
  const size_t count = sample.holders.size();
  int64_t rest = sample.value;
  for (size_t i = 0; i < 10; ++i) {
    if (i == 0 && count == 0) continue;
    std::string text = "N/A";
    if (i < count) {
      rest = WrapAdd(rest, -sample.holders[i].bytes);
      text = fmt::format("{:g} MB from {}", sample.holders[i].bytes / 1e6, sample.holders[i].name);
    }
    writer.AppendText(fmt::format("\"Top Allocation {:02}\":", i), text);
    writer.sink.Append(",");
  }
  writer.AppendText("\"Not Displayed\":", fmt::format("{:.2f} MB", rest / 1e6));
}

// A counter is in its own group, its holders in the next one.
void AppendSample(const TraceSample& sample, Writer& writer) {
  const uint32_t group = writer.trace.counters[sample.counter].group;
  writer.Begin();
  writer.sink.Append("{\"ph\":\"C\",\"cat\":\"Memory\",\"name\":\"Allocated Bytes\"");
  writer.AppendPlace(group, 0, sample.time_ps);
  writer.sink.Append(fmt::format(",\"args\":{{\"Allocator Bytes in Use\":{}}}}}", sample.value));
  writer.Begin();
  writer.sink.Append("{\"ph\":\"C\",\"cat\":\"Memory\",\"name\":\"Top Allocations\"");
  writer.AppendPlace(group + 1, 0, sample.time_ps);
  writer.sink.Append(",\"args\":{");
  AppendHolders(sample, writer);
  writer.sink.Append("}}");
}

}  // namespace

Result<void> EmitClassicTimeline(const Report& report, const Query&, const Style&, Sink& sink,
                                 Context& context) {
  TFPROF_ASSIGN(const Trace trace, report.trace_export(report, context));
  Writer writer{trace, sink};
  sink.Append("{\"traceEvents\":[");
  for (uint32_t i = 0; i < trace.groups.size(); ++i) AppendGroup(i, trace.groups[i].name, writer);
  int64_t id = 0;
  const auto add_span = [&](const TraceSpan& span) { AppendSpan(span, writer); };
  const auto add_arrow = [&](const TraceFlow& flow) { AppendFlow(flow, ++id, writer); };
  const auto add_sample = [&](const TraceSample& sample) { AppendSample(sample, writer); };
  TFPROF_TRY(EachRow(trace.spans, sink, context, add_span));
  TFPROF_TRY(EachRow(trace.flows, sink, context, add_arrow));
  TFPROF_TRY(EachRow(trace.samples, sink, context, add_sample));
  sink.Append("\n]}\n");
  return {};
}

}  // namespace tfprof
