// SPDX-License-Identifier: Apache-2.0
#include "cli/running/fetch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "cli/ask/command.h"
#include "cli/message.h"
#include "cli/run.h"
#include "cli/running/commands.h"
#include "cli/running/programs.h"
#include "core/query/word_options.h"
#include "core/text/units.h"
#include "emitters/page/bytes.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;
using HasTool = std::function<bool(const std::string& program)>;

constexpr std::string_view kSchemes[] = {"gs://", "s3://", "ssh://", "https://", "http://"};

struct Url {
  std::string text;
  std::string scheme;  // gs
  std::string host;    // or bucket
  std::string path;    // without slashes at its ends
  bool is_folder = false;
};

std::string_view SchemeOf(std::string_view text) {
  for (const std::string_view scheme : kSchemes) {
    if (text.starts_with(scheme)) return scheme;
  }
  return {};
}

Result<Url> ParseUrl(const std::string& text) {
  const std::string_view scheme = SchemeOf(text);
  if (scheme.empty())
    return UsageError("'" + text + "' is not a URL", "gs://, s3://, ssh://HOST:PATH, https://");
  Url url{text, std::string(scheme.substr(0, scheme.size() - 3)), {}, {}};
  const std::string rest = text.substr(scheme.size());
  // ssh://HOST:PATH, else HOST/PATH.
  const size_t colon = url.scheme == "ssh" ? rest.find(':') : std::string::npos;
  const size_t end = std::min(colon, rest.find('/'));
  url.host = rest.substr(0, end);
  url.path = end == std::string::npos ? std::string() : rest.substr(end == colon ? end + 1 : end);
  url.is_folder = url.path.ends_with('/');
  while (url.path.ends_with('/')) url.path.pop_back();
  // A host that begins with a dash would be an option of a tool.
  if (url.host.empty() || url.host.front() == '-' ||
      (url.path.empty() && url.scheme != "gs" && url.scheme != "s3")) {
    return UsageError("'" + text + "' names no file or folder",
                      "gs://BUCKET/PATH, ssh://HOST:PATH, https://HOST/PATH");
  }
  return url;
}

// A part of a path that leads nowhere else, and that a terminal can show.
std::string PlainName(std::string_view text) {
  if (text == "." || text == "..") return "_";
  std::string name(text);
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::iscntrl(c) != 0; }, '_');
  return name;
}

// The last part of the path, else the host. A query is not part of it.
std::string NameOf(const Url& url) {
  std::string_view path = url.path;
  if (url.scheme.starts_with("http")) path = path.substr(0, path.find_first_of("?#"));
  while (path.ends_with('/')) path.remove_suffix(1);
  return PlainName(path.empty() ? url.host : path.substr(path.rfind('/') + 1));
}

// The digest keeps URLs apart that differ in a query, in a mark such as : or in a folder above.
std::string PlaceOf(const Url& url, const std::string& name) {
  constexpr size_t kDigestBytes = 8;
  std::string place = url.scheme + "/" + PlainName(url.host) + "/";
  for (const char byte : Sha256(url.text).substr(0, kDigestBytes)) {
    place += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return place + "/" + name;
}

std::vector<std::string> CopyByCurl(const Url& url, const std::string& to) {
  return {"curl", "-fL", "--retry", "3", "-o", to, url.text};
}

Failure NoTool(const Url& url, const char* tools) {
  return Fail(ErrorKind::unreadable, fmt::format("no tool for {}:// is installed", url.scheme),
              url.text, tools);
}

}  // namespace

bool IsUrl(std::string_view text) { return !SchemeOf(text).empty(); }

Result<FetchPlan> PlanFetch(const std::string& text, const std::string& folder,
                            const HasTool& has) {
  TFPROF_ASSIGN(const Url url, ParseUrl(text));
  FetchPlan plan;
  plan.name = NameOf(url);
  plan.place = PlaceOf(url, plan.name);
  const std::string to = (fs::path(folder) / plan.name).string();
  const std::string from = url.scheme + "://" + url.host + url.path;
  if (url.scheme == "gs") {
    if (has("gcloud")) plan.commands = {{"gcloud", "storage", "cp", "--recursive", from, folder}};
    if (plan.commands.empty() && has("gsutil"))
      plan.commands = {{"gsutil", "-m", "cp", "-r", from, folder}};
    if (plan.commands.empty()) return NoTool(url, "install gcloud, or gsutil");
  } else if (url.scheme == "s3") {
    if (!has("aws")) return NoTool(url, "install aws");
    if (!url.is_folder && !url.path.empty()) plan.commands.push_back({"aws", "s3", "cp", from, to});
    plan.commands.push_back({"aws", "s3", "cp", "--recursive", from, to});
  } else if (url.scheme == "ssh") {
    if (!has("scp")) return NoTool(url, "install scp");
    plan.commands = {{"scp", "-r", "--", url.host + ":" + url.path, folder}};
  } else {
    if (!has("curl")) return NoTool(url, "install curl");
    plan.commands = {CopyByCurl(url, to)};
  }
  return plan;
}

namespace {

struct FetchWords {
  std::string url;
  std::string folder;  // -o; empty: the cache
  std::vector<std::string> commands;
  bool again = false;
  bool shows_only = false;
};

constexpr WordOption<FetchWords> kFetchOptions[] = {
    {{"o", "FOLDER", "keeps the copy below this folder (~/.cache/tfprof)"},
     SetText<&FetchWords::folder>},
    {{"again", "", "copies anew what was copied before"}, SwitchOn<&FetchWords::again>},
    {{"n", "", "only prints the commands, for a shell"}, SwitchOn<&FetchWords::shows_only>},
    {{"c", "COMMAND", "answers a command on the copy; repeatable"}, AddText<&FetchWords::commands>},
};

Result<FetchWords> ReadFetch(const std::vector<std::string>& args) {
  FetchWords words;
  TFPROF_ASSIGN(const std::vector<std::string> urls,
                SetWords<FetchWords>(args, kFetchOptions, "fetch", words));
  if (urls.empty())
    return UsageError("fetch needs a URL", "gs://, s3://, ssh://HOST:PATH, https://");
  if (urls.size() > 1)
    return UsageError("fetch takes one URL", "a folder with several files, gs://BUCKET/logs");
  words.url = urls.front();
  return words;
}

fs::path CacheFolder() {
  const std::string_view cache = Environment("XDG_CACHE_HOME"), home = Environment("HOME");
  if (!cache.empty()) return fs::path(cache) / "tfprof";
  return fs::path(home.empty() ? "." : home) / ".cache" / "tfprof";
}

std::string SizeOf(const fs::path& path) {
  int64_t files = 0, bytes = 0;
  std::error_code failed;
  const auto add = [&](const fs::path& file) {
    const auto size = fs::file_size(file, failed);
    if (failed) return;
    ++files;
    bytes += static_cast<int64_t>(size);
  };
  if (!fs::is_directory(path, failed)) add(path);
  for (fs::recursive_directory_iterator at(path, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (at->is_regular_file(failed)) add(at->path());
  }
  return fmt::format("{}, {}", Counted(files, "file"), Human(bytes, Unit::bytes));
}

// A tool's standard output is progress, not an answer.
std::vector<std::string> OnStandardError(const std::vector<std::string>& command) {
  std::vector<std::string> words{"sh", "-c", "exec \"$@\" >&2", "sh"};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

// The only file or folder in `folder`; empty: there is none, or there are several.
fs::path OnlyOneIn(const fs::path& folder) {
  std::error_code failed;
  fs::directory_iterator at(folder, failed), end;
  if (failed || at == end) return {};
  const fs::path first = at->path();
  return ++at == end ? first : fs::path();
}

// Copies into a folder beside the place, which is renamed when the copy is complete.
Result<void> Copy(const FetchPlan& plan, const fs::path& part, const fs::path& place, Io& io) {
  std::error_code failed;
  fs::remove_all(part, failed);
  fs::create_directories(part, failed);
  if (failed) return Fail(ErrorKind::unwritable, failed.message(), part.string());
  int status = 0;
  for (const std::vector<std::string>& command : plan.commands) {
    PrintMessage(JoinWords(command).text, io);
    TFPROF_ASSIGN(status, RunInTerminal(OnStandardError(command), nullptr));
    if (status == 0) break;
  }
  const fs::path copied = OnlyOneIn(part);
  if (status != 0 || copied.empty()) {
    fs::remove_all(part, failed);
    return Fail(ErrorKind::unreadable,
                fmt::format("the copy failed: {} ended with {}", plan.commands.back()[0], status));
  }
  fs::remove_all(place, failed);
  fs::rename(copied, place, failed);
  const std::string why = failed ? failed.message() : "";
  fs::remove_all(part, failed);
  if (!why.empty()) return Fail(ErrorKind::unwritable, why, place.string());
  return {};
}

}  // namespace

std::vector<DeclaredOption> FetchOptions() { return DeclaredIn(kFetchOptions); }

Result<int> RunFetch(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const FetchWords words, ReadFetch(args));
  TFPROF_TRY(CheckCommands(words.commands, io));
  TFPROF_ASSIGN(FetchPlan plan, PlanFetch(words.url, "", HasProgram));
  const fs::path folder = words.folder.empty() ? CacheFolder() : fs::path(words.folder);
  const fs::path place = folder / plan.place;
  const fs::path part =
      words.shows_only ? place.parent_path() : place.parent_path() / (".part-" + plan.name);
  TFPROF_ASSIGN(plan, PlanFetch(words.url, part.string(), HasProgram));
  if (words.shows_only) {
    *io.out << JoinWords({"mkdir", "-p", part.string()}).text << "\n";
    std::vector<std::string> tries;
    for (const std::vector<std::string>& command : plan.commands)
      tries.push_back(JoinWords(command).text);
    *io.out << fmt::format("{}\n", fmt::join(tries, " || "));
    return 0;
  }
  std::error_code failed;
  const bool is_there = fs::exists(place, failed) && !words.again;
  if (!is_there) TFPROF_TRY(Copy(plan, part, place, io));
  PrintMessage(SizeOf(place) + (is_there ? ", copied before (-again copies anew)" : ""), io);
  if (words.commands.empty()) {
    *io.out << place.string() << std::endl;
    return 0;
  }
  return AnswerOn(place.string(), words.commands, io);
}

}  // namespace tfprof
