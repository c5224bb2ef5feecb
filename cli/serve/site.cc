// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/site.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>
#include <utility>

#include "analysis/steps/step_selection.h"
#include "cli/answer/answer.h"
#include "cli/ask/command.h"
#include "cli/export/page_answers.h"
#include "cli/message.h"
#include "cli/places.h"
#include "cli/serve_assets.h"
#include "core/base/sink.h"
#include "emitters/data/json_members.h"
#include "emitters/emitter.h"
#include "emitters/fill_template.h"
#include "emitters/flame_assets.h"
#include "emitters/page/bytes.h"
#include "emitters/page/page.h"
#include "emitters/page_assets.h"
#include "emitters/printable.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr size_t kMostAnswerBytes = size_t{64} << 20;
constexpr std::string_view kHtml = "text/html; charset=utf-8";
constexpr std::string_view kJson = "application/json";
// The page's own policy, within the document, also names its script and its style by their digests.
constexpr std::string_view kPagePolicy =
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; connect-src "
    "'self'; "
    "img-src data: blob:; base-uri 'none'; form-action 'none'";

// A session about one profile for one question: what the program keeps between commands is new
// each time, so that no answer depends on another one.
struct RequestSession {
  RequestSession(const ServedProfile& served, const ServedWith& with,
                 const std::atomic<bool>* stop) {
    io.in = &in;
    io.out = &out;
    io.err = &err;
    session.stop = stop;
    session.profile = served.profile;
    session.inputs = session.opened = {served.input};
    session.base_path = with.base_path;
    session.base = with.base;
    session.options = with.options;
    session.given = with.given;
  }

  std::istringstream in;
  std::ostringstream out;
  std::ostringstream err;
  Io io;
  Session session{io};
};

HttpReply Unknown() { return {.status = 404, .body = "there is nothing at this address\n"}; }

// The place of an error: the line of a command has a mark below it.
std::string PlaceText(std::string_view where) {
  std::string text;
  while (!where.empty()) text += (text.empty() ? "" : "\n") + PrintableText(TakeLine(&where));
  return text;
}

HttpReply RefusedReply(const Error& error) {
  JsonMembers members;
  members.Member("error", error.what);
  members.Key("where");
  AppendJsonString(PlaceText(error.where), &members.json);
  members.Member("hint", HintOf(error));
  return {.status = 422, .type = std::string(kJson), .body = members.json + "}"};
}

HttpReply RunsPage() {
  std::string style(kFlameColorsCss);
  style += kPageFrameCss;
  style += kServeRunsCss;
  Sink page;
  const Result<void> filled =
      FillTemplate(kServeRunsHtml, page, [&](std::string_view key) -> Result<void> {
        page.Append(key == "style" ? std::string_view(style) : kServeRunsJs);
        return {};
      });
  static_cast<void>(filled);  // it writes to memory
  return {.type = std::string(kHtml),
          .body = std::move(page.buffer),
          .policy = "default-src 'none'; script-src " + DigestOf(kServeRunsJs) + "; style-src " +
                    DigestOf(style) +
                    "; connect-src 'self'; img-src data:; base-uri 'none'; "
                    "form-action 'none'"};
}

// Answers read no file but those that are served.
Result<CommandLine> CommandIn(const HttpRequest& request, const std::string& base_path) {
  const auto line = request.values.find("line");
  CommandLine parsed;
  if (line != request.values.end()) {
    TFPROF_ASSIGN(parsed, SplitShell(line->second));
  }
  if (parsed.words.empty()) return UsageError("no command", "?line=op");
  const View* const view = FindView(parsed.words.front().text);
  if (view != nullptr && view->subject == Subject::base) {
    for (size_t i = 1; i < parsed.words.size(); ++i) {
      const std::string& word = parsed.words[i].text;
      if (word == base_path || IsOption(word)) continue;
      if (IsOption(parsed.words[i - 1].text) && i > 1) continue;  // its value
      return UsageError("diff compares with the base of serve alone",
                        "tfprof serve FILE -base BASE");
    }
  }
  return parsed;
}

Result<std::string> JsonOf(Session& session, const CommandLine& line, Context& context) {
  TFPROF_ASSIGN(Answered answered, AnswerFor(session, InFormat(line, "json"), -1, context));
  Sink text;
  TFPROF_TRY(Emit(*FindEmitter("json"), std::move(answered.report), answered.query, Style{}, text,
                  context));
  return std::move(text.buffer);
}

}  // namespace

Site::Site(std::vector<std::string> words, ServedWith with)
    : token_(RandomToken()),
      with_(std::move(with)),
      runs_(std::move(words)),
      answers_(kMostAnswerBytes) {}

HttpReply Site::Reply(const HttpRequest& request, const std::atomic<bool>& gone) {
  if (!IsLocalHost(request.host, port_)) {
    return {.status = 403, .body = "this server is 127.0.0.1, under no other name\n"};
  }
  std::string_view path = request.path;
  path.remove_prefix(1);
  if (!IsToken(path.substr(0, path.find('/')), token_)) {
    return {.status = 403, .body = "open the address that tfprof serve has printed\n"};
  }
  path.remove_prefix(token_.size());
  if (path.empty()) return {.status = 302, .location = "/" + token_ + "/"};
  Context context;
  context.stop = &gone;
  return ReplyBelow(path.substr(1), request, context);
}

HttpReply Site::ReplyBelow(std::string_view path, const HttpRequest& request, Context& context) {
  if (path.empty()) return First();
  if (path == "runs") return Runs();
  size_t id = 0;
  const auto [end, failed] = std::from_chars(path.data(), path.data() + path.size(), id);
  path.remove_prefix(static_cast<size_t>(end - path.data()));
  if (failed != std::errc() || !path.starts_with('/')) return Unknown();
  path.remove_prefix(1);
  if (path.empty()) {
    Result<std::string> page = PageOf(id, context);
    if (!page) {
      const Error& error = page.error();
      const std::string place = error.where.empty() ? "" : error.where + ": ";
      std::string text = PrintableText(place + error.what) + "\n";
      const std::string hint = HintOf(error);
      if (!hint.empty()) text += PrintableText(hint) + "\n";
      return {.status = 422, .body = std::move(text)};
    }
    return {
        .type = std::string(kHtml), .body = std::move(*page), .policy = std::string(kPagePolicy)};
  }
  constexpr std::string_view kKinds[] = {"block", "json", "trace", "range", "flows", "search"};
  if (std::ranges::count(kKinds, path) == 0) return Unknown();
  const Result<AnswerCache::Bytes> answer = AnswerOf(id, path, request, context);
  if (!answer) return RefusedReply(answer.error());
  const std::string_view type =
      path == "json" || path == "search" ? kJson : "application/octet-stream";
  return {.type = std::string(type), .body = **answer};
}

HttpReply Site::First() {
  const ServedList list = runs_.List();
  if (list.runs.size() == 1 && !list.may_grow) {
    return {.status = 302, .location = "/" + token_ + "/" + std::to_string(list.runs[0].id) + "/"};
  }
  return RunsPage();
}

HttpReply Site::Runs() {
  JsonMembers list{.json = {}};
  list.Objects(runs_.List().runs, [&](const ServedRun& run) {
    const std::filesystem::path path(run.input.path);
    list.Number("id", static_cast<int64_t>(run.id));
    list.Member("name", path.filename().string());
    list.Member("folder", path.parent_path().string());
    list.Number("modified_ns", run.modified_ns);
  });
  return {.type = std::string(kJson), .body = std::move(list.json)};
}

Result<std::string> Site::PageOf(size_t id, Context& context) {
  const ServedList list = runs_.List();
  TFPROF_ASSIGN(const ServedProfilePtr served, runs_.Open(id, true, context));
  RequestSession own(*served, with_, context.stop);
  TFPROF_TRY(CheckPlaces(own.session, with_.options, false));
  const Profile& profile = served->profile;
  TFPROF_TRY(CheckStep(*profile.store, *profile.indexes, with_.options.place, {}, context));
  Page page = NewPage(own.session);
  page.live = true;
  page.has_others = list.runs.size() > 1 || list.may_grow;
  for (const View& view : Views()) {
    if (!IsAboutProfile(view, own.session)) continue;
    PageEntry entry = EntryOf(view, own.session);
    if (entry.lacks.empty()) entry.answers = CommandsOf(view);
    for (const std::string& command : entry.answers) page.answers.push_back({command, {}});
    const std::string changes = ChangesCommand(view, own.session);
    if (!changes.empty() && entry.lacks.empty()) page.answers.push_back({changes, {}});
    page.entries.push_back(std::move(entry));
  }
  if (profile.store->EventCount() > 0) {
    page.answers.push_back({std::string(kTraceKey), {}});
    page.timeline = TraceCommand(own.session);
  }
  Sink html;
  TFPROF_TRY(EmitPage(page, html, context));
  return std::move(html.buffer);
}

Result<AnswerCache::Bytes> Site::AnswerOf(size_t id, std::string_view kind,
                                          const HttpRequest& request, Context& context) {
  TFPROF_ASSIGN(const ServedProfilePtr served, runs_.Open(id, false, context));
  std::string key = std::to_string(served->number) + " " + std::string(kind);
  for (const auto& [name, value] : request.values) key += "\n" + name + "=" + value;
  if (AnswerCache::Bytes kept = answers_.Find(key)) return kept;
  std::string bytes;
  if (kind != "json" && kind != "block") {
    bool is_whole = false;
    TFPROF_ASSIGN(bytes, served->trace->Answer(served->profile, with_.options.place, kind, request,
                                               &is_whole, context));
    if (!is_whole) return std::make_shared<const std::string>(std::move(bytes));
  } else {
    TFPROF_ASSIGN(const CommandLine line, CommandIn(request, with_.base_path));
    RequestSession own(*served, with_, context.stop);
    TFPROF_ASSIGN(bytes, kind == "json" ? JsonOf(own.session, line, context)
                                        : BlockFor(own.session, line, kMostPageRows, context));
  }
  auto answer = std::make_shared<const std::string>(std::move(bytes));
  answers_.Keep(key, answer);
  return answer;
}

}  // namespace tfprof
