// SPDX-License-Identifier: Apache-2.0
// An interactive flame graph page: one file, no network access. emitters/flame/page.html is its
// frame. The data are embedded as JSON: columns by frame, texts as indexes into `strings`.
#include <cmath>

#include "emitters/cells.h"
#include "emitters/data/json_members.h"
#include "emitters/emitter.h"
#include "emitters/fill_template.h"
#include "emitters/flame/frames.h"
#include "emitters/flame_assets.h"
#include "emitters/page/bytes.h"

namespace tfprof {
namespace {

// Browsers cannot handle more.
constexpr size_t kMaxFrames = 200'000;

void AppendScriptString(std::string_view text, std::string* out) {
  std::string json;
  AppendJsonString(text, &json);
  AppendForScript(json, out);
}

// Appends `,
// "key":[...]` with the output of `append` for each frame.
template <class AppendOne>
Result<void> AddColumn(std::string_view key, const Flame& flame, Sink& sink, AppendOne append) {
  sink.Append(",\n\"");
  sink.Append(key);
  sink.Append("\":[");
  for (size_t i = 0; i < flame.frames.size(); ++i) {
    if (i > 0) sink.Append(",");
    append(flame.frames[i]);
    TFPROF_TRY(sink.MaybeFlush());
  }
  sink.Append("]");
  return {};
}

Result<void> AddTexts(const Report& report, const Flame& flame, Sink& sink, Context& context) {
  using TextOf = std::string (*)(const Report&, const FlameFrame&);
  constexpr std::pair<std::string_view, TextOf> kTexts[] = {
      {"label", FrameLabel}, {"name", FrameName}, {"kind", FrameKind}, {"device", FrameDevice}};
  PageTexts strings;
  for (const auto& [key, text_of] : kTexts) {
    TFPROF_TRY(Poll(context));
    TFPROF_TRY(AddColumn(key, flame, sink, [&, text_of = text_of](const FlameFrame& frame) {
      AppendInteger(strings.Id(text_of(report, frame)), &sink.buffer);
    }));
  }
  const std::vector<std::string> dominant = DominantKinds(report, flame);
  TFPROF_TRY(AddColumn("mostly", flame, sink, [&](const FlameFrame& frame) {
    const auto index = static_cast<size_t>(&frame - flame.frames.data());
    AppendInteger(strings.Id(dominant[index]), &sink.buffer);
  }));
  sink.Append(",\n\"strings\":[");
  for (size_t i = 0; i < strings.texts.size(); ++i) {
    if (i > 0) sink.Append(",");
    AppendScriptString(*strings.texts[i], &sink.buffer);
    TFPROF_TRY(sink.MaybeFlush());
  }
  sink.Append("]");
  return {};
}

Result<void> AddData(const Report& report, const Flame& flame,
                     const std::vector<std::string>& notes, Sink& sink, Context& context) {
  std::string& out = sink.buffer;
  JsonMembers about;
  about.Member("view", report.view);
  about.Member("measure", flame.title);
  about.Member("unit", FlameUnit(flame));
  about.Member("source", FlameSources(report));
  about.List("notes", notes);
  AppendForScript(about.json, &out);
  const auto number = [&](int64_t value, Unit unit = Unit::none, int64_t divisor = 1) {
    AppendJsonNumber(value, &out, unit, divisor);
  };
  TFPROF_TRY(AddColumn("depth", flame, sink, [&](const FlameFrame& f) { number(f.depth); }));
  TFPROF_TRY(AddColumn("self", flame, sink,
                       [&](const FlameFrame& f) { number(f.self, flame.unit, flame.divisor); }));
  if (flame.has_base) {
    TFPROF_TRY(AddColumn("base", flame, sink, [&](const FlameFrame& f) {
      number(std::llround(f.base_total), flame.unit, flame.divisor);
    }));
  }
  TFPROF_TRY(AddColumn("small", flame, sink, [&](const FlameFrame& f) { number(f.small); }));
  TFPROF_TRY(AddColumn("runs", flame, sink, [&](const FlameFrame& f) {
    number(FrameRuns(report, f), Unit::count, report.scale.DivisorOf(Measure::run_count));
  }));
  TFPROF_TRY(AddTexts(report, flame, sink, context));
  sink.Append("}");
  return {};
}

// What a page draws, and what it lacks.
struct CutFlame {
  Flame flame;
  std::vector<std::string> notes;
};

Result<CutFlame> CutFlameOf(const Report& report, Context& context) {
  TFPROF_ASSIGN(Flame flame, FlameOf(report, context));
  const int64_t min = MinToKeep(flame, kMaxFrames);
  const size_t cut = CutSmall(min, &flame);
  std::vector<std::string> notes = FlameNotes(report, flame, cut, min);
  return CutFlame{std::move(flame), std::move(notes)};
}

}  // namespace

Result<void> EmitFlameData(const Report& report, Sink& sink, Context& context) {
  TFPROF_ASSIGN(const CutFlame cut, CutFlameOf(report, context));
  return AddData(report, cut.flame, cut.notes, sink, context);
}

Result<void> EmitFlameHtml(const Report& report, const Query&, const Style&, Sink& sink,
                           Context& context) {
  TFPROF_ASSIGN(const CutFlame cut, CutFlameOf(report, context));
  const Flame& flame = cut.flame;
  return FillTemplate(kFlamePageHtml, sink, [&](std::string_view key) -> Result<void> {
    if (key == "title") AppendMarkup(FlameTitle(report, flame), &sink.buffer);
    if (key == "style") {
      for (const auto css : {kFlameColorsCss, kFlamePageCss, kFlameFramesCss}) sink.Append(css);
    }
    if (key == "model") sink.Append(kFlameModelJs);
    if (key == "chart") sink.Append(kFlameChartJs);
    if (key == "script") sink.Append(kFlamePageJs);
    return key == "profile" ? AddData(report, flame, cut.notes, sink, context) : Result<void>{};
  });
}

}  // namespace tfprof
