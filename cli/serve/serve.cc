// SPDX-License-Identifier: Apache-2.0
// `tfprof serve FILE...|LOGDIR`: the page of `report`, whose answers are made when it asks for
// them.
#include <fmt/core.h>

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <system_error>
#include <vector>

#include "cli/arguments.h"
#include "cli/ask/command.h"
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
  std::string base;
  int port = 0;
};

Result<void> SetPort(ServeWords& words, const std::string& value) {
  TFPROF_ASSIGN(const int64_t port, ParseNumber(value, Unit::count, 0, kMaxPort));
  words.port = static_cast<int>(port);
  return {};
}

constexpr WordOption<ServeWords> kServeOptions[] = {
    {{"port", "N", "the port (a free one)"}, SetPort},
    {{"base", "BASE", "a profile that the page diff compares with"}, SetText<&ServeWords::base>},
};

Result<ServeWords> ReadServe(const std::vector<std::string>& args) {
  ServeWords words;
  TFPROF_ASSIGN(words.paths, SetWords<ServeWords>(args, kServeOptions, "serve", words));
  return words;
}

// The files that patterns name, and folders as they are.
Result<std::vector<std::string>> ServedPaths(const ServeWords& words) {
  if (words.paths.empty())
    return UsageError("serve needs a profile", "tfprof serve FILE, or LOGDIR");
  std::vector<std::string> paths;
  for (const Input& input : FileInputs(words.paths, {})) {
    std::error_code failed;
    if (!std::filesystem::exists(input.path, failed)) {
      return Fail(ErrorKind::unreadable, "no such file or folder", input.path,
                  "tfprof serve takes profiles, folders of them and log directories");
    }
    paths.push_back(input.path);
  }
  return paths;
}

}  // namespace

std::vector<DeclaredOption> ServeOptions() { return DeclaredIn(kServeOptions); }

Result<int> RunServe(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const ServeWords words, ReadServe(args));
  TFPROF_ASSIGN(std::vector<std::string> paths, ServedPaths(words));
  Session session(io);
  session.base_path = words.base;
  if (!words.base.empty()) TFPROF_TRY(OpenBase(session));
  Site site(std::move(paths), {words.base, session.base});
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
