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
    "usage: tfprof-client capture|monitor SERVER... [options]\n"
    "`tfprof capture` and `tfprof monitor` run this program; `tfprof help capture` lists the "
    "options.\n";

int Complain(const Error& error) {
  std::fprintf(stderr, "tfprof: error: %s\n", error.what.c_str());
  if (!error.where.empty()) std::fprintf(stderr, "where: %s\n", error.where.c_str());
  if (!error.hint.empty()) std::fprintf(stderr, "hint: %s\n", error.hint.c_str());
  return tfprof::ExitStatus(error);
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  const std::string command = words.empty() ? std::string() : words.front();
  if (words.empty() || command == "help" || command == "--help" || command == "-h") {
    std::fputs(kHelp, stdout);
    return 0;
  }
  if (command != "capture" && command != "monitor") {
    return Complain(Error(tfprof::ErrorKind::usage, "no command '" + command + "'", {},
                          "tfprof-client --help"));
  }
  words.erase(words.begin());
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a failed write reports it
  tfprof::CatchShrinkingFiles();
  auto options = tfprof::remote::ParseOptions(command, words);
  if (!options) return Complain(options.error());
  const auto read = tfprof::remote::ReadFiles(&*options);
  if (!read) return Complain(read.error());
  const auto workers = tfprof::remote::WorkersOf(
      options->targets, [](const char* name) -> const char* { return std::getenv(name); });
  if (!workers) return Complain(workers.error());
  const tfprof::remote::Interrupt interrupt = tfprof::remote::CatchInterrupts();
  const auto status = command == "capture" ? tfprof::remote::Capture(*options, *workers, interrupt)
                                           : tfprof::remote::Monitor(*options, *workers, interrupt);
  return status ? *status : Complain(status.error());
}
