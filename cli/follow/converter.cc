// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/converter.h"

#include <fmt/core.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "cli/running/programs.h"
#include "cli/shell/session.h"

namespace tfprof {

bool Converter::Start() {
  std::vector<std::string> words = {OurProgram("tfprof-capture"), "convert", folder_, "--follow"};
  if (last_.count() > 0)
    words.push_back(fmt::format("--last={:.3f}", std::chrono::duration<double>(last_).count()));
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
  child_ = StartQuietly(std::move(words), ends[1]);
  close(ends[1]);
  socket_ = ends[0];
  return child_ >= 0;
}

// It ends when its input does.
void Converter::Stop() {
  if (socket_ >= 0) close(socket_);
  if (child_ >= 0) StatusOf(child_);
  socket_ = child_ = -1;
}

std::string Converter::Ask() {
  if (send(socket_, "\n", 1, MSG_NOSIGNAL) != 1) return {};
  std::string answer;
  char bytes[256];
  while (answer.empty() || answer.back() != '\n') {
    const ssize_t got = recv(socket_, bytes, sizeof bytes, 0);
    if (got < 0 && errno == EINTR && !Interrupted()) continue;
    if (got <= 0) return {};
    answer.append(bytes, static_cast<size_t>(got));
  }
  return answer;
}

bool Converter::Convert() {
  if (child_ < 0 && !Start()) return Stop(), false;
  const std::string answer = Ask();
  if (answer.empty()) Stop();
  return answer == "done\n";
}

}  // namespace tfprof
