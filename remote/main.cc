// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "loaders/io/mapping.h"
#include "remote/capture.h"
#include "remote/interrupt.h"
#include "remote/monitor.h"
#include "remote/options.h"
#include "remote/targets.h"

namespace {

using tfprof::Error;

constexpr char kHelp[] =
    R"(usage: tfprof capture SERVER... -o LOGDIR [options]  record on running servers
       tfprof monitor SERVER... [options]           what they say about their devices now

`tfprof` runs this program for both. Servers are programs that called tf.profiler.experimental.server.start(PORT)
or jax.profiler.start_server(PORT), and TPU VMs:
  grpc://h1:6009,h2:6009  grpc://@FILE (one a line)
  tpu:  tpu:NAME  tpu:NAME:PORT (by TPU_WORKER_HOSTNAMES and the like; port 8466)

)";

int Complain(const Error& error) {
  std::fprintf(stderr, "tfprof: error: %s\n", error.what.c_str());
  if (!error.where.empty()) std::fprintf(stderr, "where: %s\n", error.where.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  return tfprof::ExitStatus(error);
}

int PrintHelp(const std::string& command) {
  std::fputs(kHelp, stdout);
  for (const char* const one : {"capture", "monitor"}) {
    if (command != one && (command == "capture" || command == "monitor")) continue;
    std::printf("Options of %s:\n%s%s", one, tfprof::remote::OptionsText(one).c_str(),
                one == std::string("capture")
                    ? "  -c COMMAND           answer a command on what was recorded\n"
                    : "");
  }
  return 0;
}

bool AsksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--help" || word == "-h" || word == "-help") return true;
  }
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? std::string() : words.front();
  if (words.empty() || command == "help" || AsksForHelp(words)) return PrintHelp(command);
  if (command != "capture" && command != "monitor") {
    return Complain(Error(tfprof::ErrorKind::usage, "no command '" + command + "'", {},
                          "tfprof-client --help"));
  }
  words.erase(words.begin());
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a failed write reports it
  tfprof::CatchShrinkingFiles();
  const auto options = tfprof::remote::ParseOptions(command, words);
  if (!options) return Complain(options.error());
  const auto workers = tfprof::remote::WorkersOf(
      options->targets, [](const char* name) -> const char* { return std::getenv(name); });
  if (!workers) return Complain(workers.error());
  const tfprof::remote::Interrupt interrupt = tfprof::remote::CatchInterrupts();
  const auto status = command == "capture" ? tfprof::remote::Capture(*options, *workers, interrupt)
                                           : tfprof::remote::Monitor(*options, *workers, interrupt);
  return status ? *status : Complain(status.error());
}
