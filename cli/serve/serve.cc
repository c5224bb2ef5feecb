// SPDX-License-Identifier: Apache-2.0
// `tfprof serve FILE...|LOGDIR`: the page of `report`, whose answers are made when it requests
// them.
#include <fmt/core.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/ask/command.h"
#include "cli/export/source_text.h"
#include "cli/message.h"
#include "cli/running/commands.h"
#include "cli/serve/connections.h"
#include "cli/serve/site.h"
#include "cli/shell/session.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

constexpr int64_t kMaxPort = 65535;

struct ServeWords {
  std::vector<std::string> paths;
  ServedWith with;
  int port = 0;
};

Result<void> SetPort(ServeWords& words, const std::string& value) {
  TFPROF_ASSIGN(const int64_t port, ParseNumber(value, Unit::count, 0, kMaxPort));
  words.port = static_cast<int>(port);
  return {};
}

Result<void> SetBase(ServeWords& words, const std::string& value) {
  words.with.base_path = value;
  return {};
}

constexpr char kStep[] = "step", kDevice[] = "device", kHost[] = "host", kSources[] = "sources";

// Sets an option of answers.
template <const char* kName>
Result<void> SetForAll(ServeWords& words, const std::string& value) {
  const Option& option = *FindOption(kName);
  words.with.given.set(OptionIndex(option));
  return option.set(words.with.options, value);
}

constexpr WordOption<ServeWords> kServeOptions[] = {
    {{"port", "N", "the port (a free one)"}, SetPort},
    {{"base", "BASE", "a profile that the page diff compares with"}, SetBase},
    {{kStep, "N", "the step that all answers are about, 3 or 2:8"}, SetForAll<kStep>},
    {{kDevice, "NAME", "devices that all answers are about"}, SetForAll<kDevice>},
    {{kHost, "NAME", "hosts that all answers are about"}, SetForAll<kHost>},
    {{kSources, "DIR", "a folder with the source files that the profile names"},
     SetForAll<kSources>},
};

Result<ServeWords> ReadServe(const std::vector<std::string>& args) {
  ServeWords words;
  TFPROF_ASSIGN(words.paths, SetWords<ServeWords>(args, kServeOptions, "serve", words));
  return words;
}

Result<void> CheckPaths(const std::vector<std::string>& paths) {
  if (paths.empty()) return UsageError("serve needs a profile", "tfprof serve FILE, or LOGDIR");
  for (const std::string& path : paths) {
    if (NamesFile(path)) continue;
    return Fail(ErrorKind::unreadable, "no such file or folder", path,
                "tfprof serve takes profiles, folders of them and log directories");
  }
  return {};
}

}  // namespace

std::vector<DeclaredOption> ServeOptions() { return DeclaredIn(kServeOptions); }

Result<int> RunServe(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(ServeWords words, ReadServe(args));
  TFPROF_TRY(CheckPaths(words.paths));
  TFPROF_TRY(CheckSources({}, words.with.options));
  Session session(io);
  session.base_path = words.with.base_path;
  if (!session.base_path.empty()) TFPROF_TRY(OpenBase(session));
  words.with.base = session.base;
  Site site(std::move(words.paths), std::move(words.with));
  if (site.token().empty()) return Fail(ErrorKind::internal, "the system has no random numbers");
  TFPROF_ASSIGN(LocalSocket socket, LocalSocket::Listen(words.port));
  site.set_port(socket.port());
  const Work work(session);  // Ctrl-C ends it
  *io.out << fmt::format("http://127.0.0.1:{}/{}/\n", socket.port(), site.token()) << std::flush;
  PrintMessage("open this address in a browser of this computer; Ctrl-C ends", io);
  socket.Serve([&](const HttpRequest& request,
                   const std::atomic<bool>& gone) { return site.Reply(request, gone); },
               *work.context.stop);
  return 0;
}

}  // namespace tfprof
