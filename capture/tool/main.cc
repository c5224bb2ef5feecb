// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "capture/tool/control.h"
#include "capture/tool/convert.h"
#include "capture/tool/doctor.h"
#include "capture/tool/environment.h"
#include "capture/tool/launch.h"
#include "capture/tool/options.h"

namespace {

constexpr char kHelp[] =
    R"(usage: tfprof-capture [options] -- command args...
       tfprof-capture convert DIR [options]  make traces of the spools in DIR
       tfprof-capture convert DIR --last 60s make traces of the last minute, and keep the spools
       tfprof-capture ctl DIR start|stop     begin or end recording in all processes that run
       tfprof-capture ctl DIR snapshot       make traces of what is recorded until now
       tfprof-capture ctl DIR status         list the processes, and what they have recorded
       tfprof-capture doctor                 list what is installed, and what prevents a capture
       tfprof-capture env [options]          print the variables that capture a process

Runs a command and records its NVTX ranges and GPU work, without a change to it. The result is a folder
with one trace per process and manifest.json; open it with `tfprof DIR`.

  -o DIR             the folder (capture-DATE-TIME)
  --level LEVEL      none; software: ranges and calls; hardware: also GPU work; full: also all calls (hardware)
  --cuda-graph LEVEL graph: one event per launch of a CUDA graph; node: one per kernel (graph)
  --api              record all calls of the CUDA API
  --sync             record which stream or event each wait is for; costs more per launch than all else
  --python-stacks    record the Python calls around each call of the CUDA API
  --python-samples   record what Python code the main thread is in, also where it calls no CUDA
  --torch-nvtx       have PyTorch mark its operators with NVTX
  --max-mem SIZE     memory of the recorder in each process (64M)
  --max-disk SIZE    spool of each process (2G)
  --overwrite        replace the capture that is in the folder
  --nvtx-domains A,B domains of NVTX whose ranges are scopes, besides the default one and TSL; all: all

What of the run is recorded; conditions add up:
  --delay S          begin after so many seconds
  --duration S       end so many seconds later
  --steps A:B        steps A to B, by the numbers in the names of their ranges; A:, :B and A are possible
  --every N          one step in N
  --step-range REGEX ranges of these names are steps, instead of those that are known
  --capture-range=R  cuda: between cudaProfilerStart and cudaProfilerStop; nvtx:NAME: in ranges of this name
  --paused           begin with `tfprof-capture ctl DIR start`

  --ring N           keep the last N seconds (30s) or bytes (100M) of what is recorded, or up to twice of it
  --only-exe GLOB    only programs of this name, or path if it has a slash
  --only-rank LIST   only these ranks, for example 0,8-15
  --preload-exit     record to the end also where programs call _exit, by a library in LD_PRELOAD

  --export-steps N   also write N steps as RunMetadata, a graph and an op log, for TensorFlow's tfprof
  --keep             keep the spools after conversion
  --last N           convert, ctl snapshot: only what was recorded in the last N seconds
  --follow           convert: again for each line of standard input, which is answered by one
  --quiet            print nothing
)";

// The same as a manual page.
void PrintManual() {
  std::printf(
      ".TH TFPROF\\-CAPTURE 1\n.SH NAME\ntfprof\\-capture \\- record NVTX ranges and GPU work of a "
      "program\n.SH SYNOPSIS\n.B tfprof\\-capture\n[options] \\-\\- command args...\n.SH "
      "DESCRIPTION\n.nf\n");
  for (const char c : std::string_view(kHelp)) {
    if (c == '-') std::putchar('\\');  // a hyphen would not be found by a search for an option
    std::putchar(c);
  }
  std::printf(".fi\n.SH SEE ALSO\n.BR tfprof (1)\n");
}

int Fail(const std::string& error) {
  std::fprintf(stderr, "tfprof-capture: %s\n", error.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
    std::fputs(kHelp, words.empty() ? stderr : stdout);
    return words.empty() ? 2 : 0;
  }
  if (words[0] == "--man") {
    PrintManual();
    return 0;
  }
  if (words[0] == "doctor") return tfprof::capture::RunDoctor();
  const bool is_convert = words[0] == "convert";
  const bool is_control = words[0] == "ctl";
  const bool is_env = words[0] == "env";
  if (is_convert || is_control || is_env) words.erase(words.begin());
  tfprof::capture::CaptureOptions options;
  std::string error;
  const auto parse = is_convert   ? tfprof::capture::ParseConvert
                     : is_control ? tfprof::capture::ParseControl
                                  : tfprof::capture::ParseCapture;
  if (!parse(words, &options, &error)) return Fail(error);
  if (is_convert) return tfprof::capture::RunConvert(options.folder, options.convert);
  if (is_control) {
    return tfprof::capture::RunControl(options.folder, options.action, options.convert);
  }
  if (is_env) return tfprof::capture::RunEnv(options);
  if (options.convert.last_ns != 0 || options.convert.follow) {
    return Fail("--last and --follow are options of convert");
  }
  if (options.command.empty()) return Fail("no command; write it behind --");
  return tfprof::capture::RunCapture(options);
}
