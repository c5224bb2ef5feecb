// SPDX-License-Identifier: Apache-2.0
// The file of a page: emitters/page/page.html with styles, scripts and data in it. Its scripts are
// ES modules in files of their own; here they become one, so that a page on disk needs no other
// file. Each is a function that returns what it exports, under the names that others import:
//   const {a, b} = (() => { ...; return {a, b}; })();
// Lines that are comments stay out.
#include "emitters/page/page.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "emitters/data/json_members.h"
#include "emitters/fill_template.h"
#include "emitters/flame/frames.h"
#include "emitters/flame_assets.h"
#include "emitters/page/bytes.h"
#include "emitters/page_assets.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// In this order: a module comes after those that it imports.
constexpr std::string_view kModules[] = {
    kPageUnitsJs,       kPageDataJs,       kPageDomJs,        kPageStateJs,
    kPageRowsJs,        kPageCsvJs,        kPageTableJs,      kPageCardsJs,
    kPageAxesJs,        kPageStepsJs,      kPageMomentsJs,    kPageCurvesJs,
    kPageRooflineJs,    kPageSharesJs,     kPageGraphModelJs, kPageGraphGraphJs,
    kPageChartsJs,      kPageViewsJs,      kPageTraceModelJs, kPageTracePictureJs,
    kPageTraceRangesJs, kPageTraceInputJs, kPageTraceTraceJs, kPageFlameJs,
    kPageOverviewJs,    kPageAppJs};
constexpr std::string_view kStyles[] = {kFlameColorsCss, kPageFrameCss,      kPageTableCss,
                                        kPageChartCss,   kPageTraceTraceCss, kPageGraphGraphCss,
                                        kFlameFramesCss};

// Returns the name that a line declares after `export`: `export function NAME(`.
std::string_view DeclaredName(std::string_view line) {
  for (const std::string_view word : {"export ", "async ", "function ", "const ", "class "}) {
    if (line.starts_with(word)) line.remove_prefix(word.size());
  }
  return line.substr(0, line.find_first_of(" (={"));
}

void AppendModule(std::string_view module, std::string* out) {
  std::string body, names;
  while (!module.empty()) {
    const size_t end = std::min(module.find('\n'), module.size() - 1) + 1;
    std::string_view line = module.substr(0, end);
    module.remove_prefix(end);
    const size_t begin = std::min(line.find_first_not_of(' '), line.size() - 1);
    const bool is_comment = line.substr(begin).starts_with("//");
    if (is_comment || line.starts_with("import ")) continue;
    if (line.starts_with("export ")) {
      names.append(names.empty() ? "" : ", ").append(DeclaredName(line));
      line.remove_prefix(std::string_view("export ").size());
    }
    body += line;
  }
  out->append("const {").append(names).append("} = (() => {\n").append(body);
  out->append("return {").append(names).append("};\n})();\n");
}

std::string JoinedModules() {
  std::string all(kFlameModelJs);  // functions of the page of a flame graph
  all += kFlameChartJs;
  for (const std::string_view module : kModules) AppendModule(module, &all);
  return all;
}

std::string Joined(std::span<const std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all += part;
  return all;
}

std::string ContentsOf(const Page& page) {
  JsonMembers contents;
  contents.Member("title", page.title);
  contents.Member("opened", page.opened);
  contents.Member("program", page.program);
  contents.Member("timeline", page.timeline);
  contents.List("left_out", page.left_out);
  contents.Flag("live", page.live);
  contents.Flag("others", page.has_others);
  contents.Key("entries");
  contents.Objects(page.entries, [&](const PageEntry& entry) {
    contents.Member("view", entry.view);
    contents.Member("summary", entry.summary);
    contents.Member("help", entry.help);
    contents.Member("lacks", entry.lacks);
    contents.List("answers", entry.answers);
    contents.List("moments", entry.moments);
    contents.Flag("empty", entry.empty);
    contents.List("flames", entry.flames);
  });
  std::vector<std::string> keys;
  for (const PageAnswer& answer : page.answers) keys.push_back(answer.key);
  contents.List("answers", keys);
  return contents.json + '}';
}

Result<void> AddAnswers(const Page& page, Sink& sink, Context& context) {
  if (page.live) return {};
  for (size_t i = 0; i < page.answers.size(); ++i) {
    TFPROF_TRY(Poll(context));
    sink.Append("<script type=\"application/octet-stream\" id=\"answer" + std::to_string(i) +
                "\">");
    sink.Append(Base64(page.answers[i].block));
    sink.Append("</script>\n");
    TFPROF_TRY(sink.MaybeFlush());
  }
  return {};
}

}  // namespace

Result<void> EmitPage(const Page& page, Sink& sink, Context& context) {
  const std::string script = "\n" + JoinedModules(), style = "\n" + Joined(kStyles);
  return FillTemplate(kPagePageHtml, sink, [&](std::string_view key) -> Result<void> {
    if (key == "title") AppendMarkup(PrintableText(page.title), &sink.buffer);
    if (key == "style") sink.Append(style);
    if (key == "style_digest") sink.Append(DigestOf(style));
    if (key == "script") sink.Append(script);
    if (key == "connect" && page.live) sink.Append("connect-src 'self'; ");
    if (key == "script_digest") sink.Append(DigestOf(script));
    if (key == "contents") AppendForScript(ContentsOf(page), &sink.buffer);
    return key == "answers" ? AddAnswers(page, sink, context) : Result<void>{};
  });
}

}  // namespace tfprof
