// SPDX-License-Identifier: Apache-2.0
#include "cli/config.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "cli/shell/builtins.h"

namespace tfprof {

std::string ConfigPath() {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  if (config != nullptr && *config == '/') return std::string(config) + "/tfprof/config";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return std::string(home) + "/.config/tfprof/config";
}

Result<void> ReadConfig(Session& session, const std::string& path) {
  std::error_code failed;
  const std::filesystem::file_status status = std::filesystem::status(path, failed);
  if (!std::filesystem::exists(status) && failed.value() != EACCES) return {};
  // A FIFO would wait for a writer forever.
  const Failure unread =
      Fail(ErrorKind::unreadable, "cannot read the configuration", path, "--no-config ignores it");
  if (!std::filesystem::is_regular_file(status) && !std::filesystem::is_character_file(status)) {
    return unread;
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) return unread;
  std::string text;
  for (int number = 1; std::getline(in, text); ++number) {
    if (text.ends_with('\r')) text.pop_back();
    const size_t first = text.find_first_not_of(" \t");
    if (first == std::string::npos || text[first] == '#') continue;
    Result<CommandLine> line = SplitShell(text);
    const Result<void> kept =
        line ? KeepOptions(session, *line, line->words) : Failure(std::move(line).error());
    if (kept) continue;
    Error error = kept.error();
    error.what = path + ":" + std::to_string(number) + ": " + error.what;
    if (error.hint.empty()) error.hint = "--no-config ignores it";
    return Failure(std::move(error));
  }
  return {};
}

}  // namespace tfprof
