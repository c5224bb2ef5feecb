// SPDX-License-Identifier: Apache-2.0
#include "cli/running/fetch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <ostream>
#include <system_error>

#include "cli/message.h"
#include "cli/run.h"
#include "cli/running/commands.h"
#include "cli/running/programs.h"
#include "core/base/units.h"
#include "core/query/options.h"

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
    return UsageError("'" + text + "' is no URL", "gs://, s3://, ssh://HOST:PATH, https://");
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

// The path in the cache: nothing of a URL leads out of it.
std::string PlaceOf(const Url& url) {
  std::string_view path = url.path;
  path = path.substr(0, path.find_first_of("?#"));
  std::string place = url.scheme;
  for (const std::string& part : {url.host, std::string(path)}) {
    std::string_view rest = part;
    while (!rest.empty()) {
      std::string name(rest.substr(0, rest.find('/')));
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
      if (name.empty()) continue;
      if (name == "." || name == "..") name = "_";
      std::ranges::replace_if(
          name, [](unsigned char c) { return std::iscntrl(c) != 0; }, '_');
      place += "/" + name;
    }
  }
  return place;
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
  plan.place = PlaceOf(url);
  plan.name = fs::path(plan.place).filename().string();
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

Result<FetchWords> ReadFetch(const std::vector<std::string>& args) {
  FetchWords words;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::string_view name = IsOption(args[i]) ? OptionName(args[i]) : std::string_view();
    if (name == "again") {
      words.again = true;
    } else if (name == "n" || name == "dry-run") {
      words.shows_only = true;
    } else if (name == "o" || name == "c") {
      if (i + 1 == args.size())
        return UsageError(fmt::format("-{} needs a value", name), "help fetch");
      if (name == "o") words.folder = args[++i];
      if (name == "c") words.commands.push_back(args[++i]);
    } else if (!name.empty()) {
      return UsageError("no option " + args[i], "help fetch");
    } else if (!words.url.empty()) {
      return UsageError("fetch takes one URL", "a folder with several files, gs://BUCKET/logs");
    } else {
      words.url = args[i];
    }
  }
  if (words.url.empty())
    return UsageError("fetch needs a URL", "gs://, s3://, ssh://HOST:PATH, https://");
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

std::string Joined(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + word;
  return text;
}

// Copies into a folder beside the place, which is renamed when the copy is complete.
Result<void> Copy(const FetchPlan& plan, const fs::path& part, const fs::path& place, Io& io) {
  std::error_code failed;
  fs::remove_all(part, failed);
  fs::create_directories(part, failed);
  if (failed) return Fail(ErrorKind::unwritable, failed.message(), part.string());
  int status = 0;
  for (const std::vector<std::string>& command : plan.commands) {
    PrintMessage(Joined(command), io);
    TFPROF_ASSIGN(status, RunInTerminal(OnStandardError(command), nullptr));
    if (status == 0) break;
  }
  const fs::path copied = part / plan.name;
  if (status != 0 || !fs::exists(copied, failed)) {
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

Result<int> RunFetch(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const FetchWords words, ReadFetch(args));
  TFPROF_ASSIGN(FetchPlan plan, PlanFetch(words.url, "", HasProgram));
  const fs::path place =
      words.folder.empty() ? CacheFolder() / plan.place : fs::path(words.folder) / plan.name;
  const fs::path part = place.parent_path() / (".part-" + plan.name);
  TFPROF_ASSIGN(plan, PlanFetch(words.url, part.string(), HasProgram));
  if (words.shows_only) {
    for (const std::vector<std::string>& command : plan.commands)
      *io.out << Joined(command) << "\n";
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
