// SPDX-License-Identifier: Apache-2.0
#include "emitters/emitter.h"
#include "emitters/formats.h"

namespace tfprof {
namespace {

constexpr Emitter kEmitters[] = {
    {"table", "aligned columns with units, for reading", Part::rows, EmitTable},
    {"classic", "the text of the original tfprof: scope, graph, op and code", Part::rows,
     EmitClassic},
    {"csv", "comma separated values with raw numbers (RFC 4180)", Part::rows, EmitCsv, true},
    {"tsv", "tab separated values with raw numbers", Part::rows, EmitTsv, true},
    {"json", "one object with tables, properties and notes", Part::rows, EmitJson, true},
    {"jsonl", "one JSON object per row and line", Part::rows, EmitJsonLines, true},
    {"dot", "a graph for Graphviz: hlo, scope, graph and code", Part::rows, EmitDot},
    {"md", "Markdown tables (GitHub flavor)", Part::rows, EmitMarkdown},
};

// In alphabetical order.
constexpr Emitter kFileEmitters[] = {
    {"classic_pprof", "the original's samples of code, gzipped", Part::samples, EmitClassicPprof},
    {"classic_timeline", "the Chrome trace of the original tfprof: scope, graph and code",
     Part::drawing, EmitClassicTimeline},
    {"flame_html", "a page that draws a flame graph", Part::rows, EmitFlameHtml},
    {"flame_svg", "a picture of a flame graph", Part::rows, EmitFlameSvg},
    {"folded", "stacks, one per line, for flamegraph.pl", Part::rows, EmitFolded},
    {"pprof", "samples for pprof, not compressed", Part::named_rows, EmitPprof},
    {"proto", "the messages of the original API: scope, graph, op and code", Part::rows, EmitProto},
    {"speedscope", "stacks for speedscope.app", Part::rows, EmitSpeedscope},
};

const Emitter* Find(std::span<const Emitter> emitters, std::string_view name) {
  for (const Emitter& emitter : emitters) {
    if (emitter.name == name) return &emitter;
  }
  return nullptr;
}

}  // namespace

std::span<const Emitter> Emitters() { return kEmitters; }
const Emitter* FindEmitter(std::string_view name) { return Find(kEmitters, name); }

std::span<const Emitter> FileEmitters() { return kFileEmitters; }
const Emitter* FindFileEmitter(std::string_view name) { return Find(kFileEmitters, name); }

}  // namespace tfprof
