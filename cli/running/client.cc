// SPDX-License-Identifier: Apache-2.0
#include "cli/running/client.h"

#include <fmt/core.h>

#include "cli/running/programs.h"
#include "remote/options.h"

namespace tfprof {

Result<std::string> Installed(std::string_view name, std::string_view what) {
  std::string program = OurProgram(name);
  if (HasProgram(program)) return program;
  return Fail(ErrorKind::unreadable, fmt::format("{} is not installed: it {}", name, what), {},
              "copy it beside tfprof or into PATH; tfprof-client is built where libnghttp2-dev and "
              "libssl-dev are installed");
}

Result<int> RunClient(std::string_view command, const std::vector<std::string>& args,
                      std::string* output) {
  TFPROF_TRY(remote::ParseOptions(command, args));
  TFPROF_ASSIGN(const std::string client, Installed("tfprof-client", "talks to profiler servers"));
  std::vector<std::string> words{client, std::string(command)};
  words.insert(words.end(), args.begin(), args.end());
  return RunInTerminal(std::move(words), output);
}

std::string LastLine(std::string output) {
  while (output.ends_with('\n')) output.pop_back();
  const size_t line = output.rfind('\n');
  return output.substr(line == output.npos ? 0 : line + 1);
}

}  // namespace tfprof
