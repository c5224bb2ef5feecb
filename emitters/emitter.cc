// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "core/base/nearest.h"
#include "core/report/keep_rows.h"
#include "core/store/note_catalogue.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

bool Has(Part part, const Report& report) {
  switch (part) {
    case Part::rows: return true;
    case Part::named_rows: return report.tables[0].Find("name") != nullptr;
    case Part::trace_export: return bool(report.trace_export);
    case Part::samples: return bool(report.samples);
  }
  return false;
}

// Row limit for formats that need the whole table in memory for layout.
constexpr size_t kMaxRowsLaidOut = 10'000;

Result<void> CheckParts(const Emitter& emitter, const Report& report) {
  if (Has(emitter.needs, report)) return {};
  std::string name(emitter.name);
  if (name.starts_with("classic_")) name.erase(0, name.find('_') + 1);
  if (emitter.needs == Part::samples) {
    return UsageError("-output: " + report.view + " has no stacks to sample; `code` has",
                      "the command `pprof` also writes the rows of scope, graph and op");
  }
  if (emitter.needs == Part::named_rows) {
    return UsageError(report.view + " has no names for the frames of " + name,
                      "scope, graph, op and code have");
  }
  return UsageError(
      report.view + " has nothing that " + name + " could show",
      emitter.needs == Part::trace_export ? "scope, graph and code have" : "code has");
}

constexpr Emitter kEmitters[] = {
    {"table", "aligned columns with units, for reading", Part::rows, EmitTable},
    {"classic", "the text of the original tfprof: scope, graph, op and code", Part::rows,
     EmitClassic},
    {"csv", "comma separated values with raw numbers (RFC 4180)", Part::rows, EmitCsv, true},
    {"tsv", "tab separated values with raw numbers", Part::rows, EmitTsv, true},
    {"json", "one object with tables, properties and notes", Part::rows, EmitJson, true},
    {"jsonl", "one JSON object per row and line", Part::rows, EmitJsonLines, true},
    {"dot", "a graph for Graphviz: hlo, tfdata, scope, graph and code", Part::rows, EmitDot},
    {"md", "Markdown tables (GitHub flavor)", Part::rows, EmitMarkdown},
    {"text", "the texts of instructions, as XLA prints programs: hlo", Part::rows, EmitText},
};

// In alphabetical order.
constexpr Emitter kFileEmitters[] = {
    {"classic_pprof", "the original's samples of code, gzipped", Part::samples, EmitClassicPprof},
    {"classic_timeline", "the Chrome trace of the original tfprof: scope, graph and code",
     Part::trace_export, EmitClassicTimeline},
    {"flame_html", "a page that draws a flame graph", Part::rows, EmitFlameHtml},
    {"flame_svg", "a picture of a flame graph", Part::rows, EmitFlameSvg},
    {"folded", "stacks, one per line, for flamegraph.pl", Part::rows, EmitFolded},
    {"pprof", "samples for pprof, not compressed", Part::named_rows, EmitPprof},
    {"proto", "the messages of the original API: scope, graph, op and code", Part::rows, EmitProto},
    {"speedscope", "stacks for speedscope.app", Part::rows, EmitSpeedscope},
};

}  // namespace

Result<void> PrepareFor(const Emitter& emitter, Report* report, Context& context) {
  TFPROF_TRY(CheckParts(emitter, *report));
  if (emitter.streams || !report->blocks) return {};
  TFPROF_TRY(TakeBlocks(kMaxRowsLaidOut, report, context));
  if (report->tables[0].omitted_rows == 0) return {};
  report->notes.push_back(
      {note::With(note::rows_cut, {std::to_string(kMaxRowsLaidOut), report->view})});
  return {};
}

Result<void> Emit(const Emitter& emitter, Report report, const Query& query, const Style& style,
                  Sink& sink, Context& context) {
  TFPROF_TRY(PrepareFor(emitter, &report, context));
  return emitter.emit(report, query, style, sink, context);
}

std::span<const Emitter> Emitters() { return kEmitters; }
const Emitter* FindEmitter(std::string_view name) { return FindNamed(kEmitters, name); }

std::span<const Emitter> FileEmitters() { return kFileEmitters; }
const Emitter* FindFileEmitter(std::string_view name) { return FindNamed(kFileEmitters, name); }

}  // namespace tfprof
