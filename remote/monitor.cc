// SPDX-License-Identifier: Apache-2.0
#include "remote/monitor.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "proto/profiler_service_fields.h"
#include "remote/interrupt.h"
#include "remote/stream.h"

namespace tfprof::remote {
namespace {

using std::chrono::steady_clock;

constexpr size_t kLongestText = size_t{1} << 20;

// Returns the text of a server.
Result<std::string> Ask(const Options& options, const Worker& worker, Interrupt interrupt) {
  TFPROF_ASSIGN(const std::unique_ptr<Connection> connection,
                Connection::Open(worker.address, options.security,
                                 steady_clock::now() + options.connect, interrupt));
  std::string text;
  FieldStream fields;
  fields.bytes = [&](FieldNumber field, std::string_view part) {
    if (field.value == FieldNumber(field::service::MonitorResponse::data).value) text.append(part);
    return text.size() < kLongestText;
  };
  Call call;
  call.take = [&](std::string_view bytes) { return fields.Take(bytes); };
  const auto deadline = steady_clock::now() + options.duration + options.timeout;
  TFPROF_TRY(connection->Begin(call, kMonitorPath,
                               MonitorRequest(options.duration.count(), options.level),
                               options.metadata, deadline));
  TFPROF_ASSIGN(const CallStatus status, connection->Finish(call, deadline, interrupt));
  if (status.Is(Code::unimplemented)) {
    return Fail(ErrorKind::unreadable,
                "the server has no Monitor (" + status.message + "): TPUs have it", {},
                "tfprof watch grpc://HOST:PORT records and shows step times on all devices");
  }
  if (!status.Is(Code::ok))
    return Fail(ErrorKind::unreadable, NameOf(status.code) + ": " + status.message);
  if (fields.malformed()) return Fail(ErrorKind::corrupt, "the answer is malformed");
  return text;
}

std::vector<Result<std::string>> AskAll(const Options& options, const std::vector<Worker>& workers,
                                        Interrupt interrupt) {
  std::vector<Result<std::string>> answers(workers.size());
  const auto most = static_cast<size_t>(options.parallel);
  for (size_t begin = 0; begin < workers.size(); begin += most) {
    std::vector<std::thread> threads;
    for (size_t i = begin; i < std::min(begin + most, workers.size()); ++i) {
      threads.emplace_back([&, i] { answers[i] = Ask(options, workers[i], interrupt); });
    }
    for (std::thread& thread : threads) thread.join();
  }
  return answers;
}

std::string Printable(std::string text) {
  std::ranges::replace_if(
      text, [](unsigned char c) { return (c < ' ' && c != '\n') || c == 0x7F; }, '?');
  return text;
}

// Prints the answers; returns true if all servers gave one.
bool Print(const std::vector<Worker>& workers, const std::vector<Result<std::string>>& answers) {
  bool all = true;
  for (size_t i = 0; i < workers.size(); ++i) {
    const std::string name = workers[i].address.Text();
    if (answers[i]) {
      std::string text = Printable(*answers[i]);
      while (text.ends_with('\n')) text.pop_back();
      std::printf("%s%s%s\n", name.c_str(), text.find('\n') == text.npos ? "  " : "\n",
                  text.c_str());
      continue;
    }
    all = false;
    const Error& error = answers[i].error();
    std::fprintf(stderr, "%s: %s%s\n", name.c_str(), Printable(error.what).c_str(),
                 error.hint.empty() ? "" : ("\nhint: " + error.hint).c_str());
  }
  std::fflush(stdout);
  return all;
}

}  // namespace

Result<int> Monitor(const Options& options, const std::vector<Worker>& workers,
                    Interrupt interrupt) {
  const bool redraws = options.every.count() > 0 && isatty(STDOUT_FILENO) != 0;
  for (int64_t number = 1;; ++number) {
    const std::vector<Result<std::string>> answers = AskAll(options, workers, interrupt);
    if (IsInterrupted(interrupt)) return number == 1 ? static_cast<int>(ErrorKind::cancelled) : 0;
    if (redraws) std::fputs("\033[H\033[2J", stdout);
    const bool all = Print(workers, answers);
    const bool none =
        std::ranges::none_of(answers, [](const auto& answer) { return answer.has_value(); });
    if (options.every.count() == 0 || number == options.times || none) {
      return all ? 0 : static_cast<int>(ErrorKind::unreadable);
    }
    if (!Sleep(options.every, interrupt)) return 0;
  }
}

}  // namespace tfprof::remote
