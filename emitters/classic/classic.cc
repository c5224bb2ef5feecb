// SPDX-License-Identifier: Apache-2.0
#include "emitters/classic/classic.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/nearest.h"
#include "core/text/append_format.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

struct Meaning {
  std::string_view name;
  std::string_view text;
};

constexpr Meaning kViews[] = {
    {"scope",
     "scope: one row per name scope and node; the part before a '/' of a name is its parent."},
    {"graph", "graph: one row per node; its children are the nodes whose outputs it reads."},
    {"op", "op: one row per operation type, such as MatMul, with the sums of its nodes."},
    {"code",
     "code: one row per source line that built nodes; its children are the lines it called."},
};

// Indexed by Attribute.
constexpr Meaning kMeanings[] = {
    {"requested bytes",
     "memory that the operation requested from its allocators, summed over requests."},
    {"total execution time", "accelerator execution time and cpu execution time together."},
    {"parameters", "number of values in a variable: the product of its dimensions."},
    {"float_ops", "floating-point operations of all runs, from the op log."},
    {"tensor value", "the variable's values in the checkpoint."},
    {"assigned devices", "device that the operation ran on."},
    {"op types", "operation type, device, and op log types."},
    {"occurrence", "number of executions, and number of nodes that define it."},
    {"input shapes", "shapes of its input tensors, by input."},
    {"accelerator execution time",
     "time of its kernels and copies, measured by the accelerator's tracer."},
    {"cpu execution time",
     "time from start to end of the operation on its device, waiting included."},
    {"peak bytes", "peak memory that the operation held."},
    {"residual bytes", "memory still allocated when the operation ended."},
    {"output bytes", "memory of its output tensors, whichever operation allocated it."},
};
static_assert(std::size(kMeanings) == kAttributes);

void AppendMeaning(Attribute attribute, std::string* out) {
  const Meaning& meaning = kMeanings[static_cast<size_t>(attribute)];
  AppendFormat(out, "{}: {}\n", meaning.name, meaning.text);
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

void AppendClassicDoc(std::string_view view, const Display& display, std::string* out) {
  out->append("\nDoc:\n");
  if (const Meaning* meaning = FindNamed(kViews, view)) out->append(meaning->text).push_back('\n');
  for (const Attribute attribute : display.select) {
    AppendMeaning(attribute, out);
    if (attribute != Attribute::micros) continue;
    AppendMeaning(Attribute::accelerator_micros, out);
    AppendMeaning(Attribute::cpu_micros, out);
  }
  if (view == "op") {
    out->append(
        "(x%, y%): x is the share of this row and all rows below it, y the share of this row.\n");
  } else {
    out->append(
        "a/b: a is the row's own value (--: not counted), b that of the row and all below.\n");
  }
  out->append("\n");
}

Result<void> EmitClassic(const Report& report, const Query& query, const Style&, Sink& sink,
                         Context& context) {
  if (report.view == "advise") return EmitClassicAdvice(report, sink);
  if (FindNamed(kViews, report.view) == nullptr || report.tables.empty()) {
    return UsageError("classic text does not exist for " + report.view, Remedy::other_output,
                      "it exists for scope, graph, op, code and advise");
  }
  AppendMissingStream(report, &sink.buffer);
  AppendClassicDoc(report.view, query.display, &sink.buffer);
  sink.Append("Profile:\n");
  // In op without nodes, the root is the only row and has no legend.
  if (!report.tables[0].synthetic_root) AppendLegend(report, query.display, &sink.buffer);
  if (report.view == "op") return EmitClassicOp(report, query.display, sink, context);
  return EmitClassicTree(report, query.display, sink, context);
}

}  // namespace tfprof
