// SPDX-License-Identifier: Apache-2.0
#include "emitters/classic/classic.h"

#include <algorithm>

#include "emitters/formats.h"

namespace tfprof {
namespace {

bool IsClassic(std::string_view view) {
  return view == "scope" || view == "graph" || view == "op" || view == "code";
}

void AppendMissingStream(const Report& report, std::string* out) {
  if (report.store == nullptr) return;
  const std::vector<Step>& steps = report.store->steps;
  const bool lacks = std::any_of(steps.begin(), steps.end(),
                                 [](const Step& step) { return step.lacks_accelerator_stream; });
  if (!lacks) return;
  out->append(
      "\n\nOperations ran on an accelerator, but the trace has no stream statistics.\n\n"
      "Accelerator times are therefore missing or too small. The tracer of the accelerator was\n"
      "probably not loaded or not permitted when the profile was recorded.\n\n");
}

// In op without nodes, the root is the only row and has no legend.
bool HasLegend(const Report& report) { return !report.tables[0].made_up_root; }

void AppendLegend(const Report& report, const Display& display, std::string* out) {
  out->append("node name | ");
  bool first = true;
  for (const ClassicCell& cell : ClassicCells(report.view, display)) {
    if (!first) out->append(" | ");
    out->append(cell.legend);
    first = false;
  }
  out->push_back('\n');
}

}  // namespace

Result<void> EmitClassic(const Report& report, const Query& query, const Style&, Sink& sink,
                         Context& context) {
  if (report.view == "advise") return EmitClassicAdvice(report, sink);
  if (!IsClassic(report.view) || report.tables.empty()) {
    return Fail(ErrorKind::usage, "classic text does not exist for " + report.view, {},
                "it exists for scope, graph, op, code and advise; try -format table");
  }
  AppendMissingStream(report, &sink.buffer);
  AppendClassicDoc(report.view, query.display, &sink.buffer);
  sink.Append("Profile:\n");
  if (HasLegend(report)) AppendLegend(report, query.display, &sink.buffer);
  if (report.view == "op") return EmitClassicOp(report, query.display, sink, context);
  return EmitClassicTree(report, query.display, sink, context);
}

}  // namespace tfprof
