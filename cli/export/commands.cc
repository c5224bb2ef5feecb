// SPDX-License-Identifier: Apache-2.0
#include "cli/export/rows.h"
#include "cli/export/save.h"
#include "cli/export/timeline.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

constexpr WritingCommand kCommands[] = {
    {"flame", "flame OUT.html|.svg|.folded|.speedscope.json",
     "a flame graph: a page or a picture to look at, or stacks for other programs",
     "The rows of -view (code where the profile has traces, else scope) as frames, as wide as the "
     "measure of -select. The ending of OUT chooses: .html a page with search and zoom that needs "
     "no network, .svg a picture, .folded stacks for flamegraph.pl, .speedscope.json for "
     "speedscope.app; .gz behind it compresses. What is deeper than -max_depth (256) belongs to "
     "the frame above; of code, [untraced] is what has no code trace.",
     "flame flame.html\n"
     "flame memory.svg -view scope -select peak_bytes",
     kStackOptions, WriteFlame, CheckFlame},
    {"pprof", "pprof OUT.pb.gz", "a profile for `go tool pprof`",
     "The rows of -view (code where the profile has traces, else scope) as stacks; a sample type "
     "for each measure of -select, without it for all that the profile has, in nanoseconds, "
     "bytes and counts. Samples have the labels step, node, op_type and device; nothing is "
     "counted twice: with [not shown] and [untraced] they add up to the whole. The file is gzipped "
     "whatever its name.",
     "pprof profile.pb.gz\n"
     "pprof scopes.pb.gz -view scope -select micros,peak_bytes",
     kStackOptions, WritePprof, CheckPprof, true, ".pb"},
    {"save", "save OUT [-oplog]", "writes the open profile as one file",
     "OUT becomes a ProfileProto: graph, log and all steps in one file, which this program and the "
     "classic tfprof (--profile_path) open with the same answers. Several files that were opened "
     "together become one. What such a file cannot hold is told. With -oplog it is an OpLogProto "
     "instead: types, float operations and code traces only, for use beside a graph and run "
     "metadata.",
     "save profile.pb.gz\n"
     "save -oplog op_log",
     kWritingOptions | kSaveOptions, WriteSave, nullptr, false, ".pb"},
    {"timeline", "timeline OUT.json [OPTION...]",
     "when everything ran, for ui.perfetto.dev and chrome://tracing",
     "Every execution on a track of its device, with arrows from what it waited for, the steps, "
     "and the memory in use. Without -step all steps. -show_name_regexes and -hide_name_regexes "
     "choose "
     "executions by name, -account_type_regexes by operation type, -min_micros by duration, "
     "-device and -host devices. Nothing else is left out. -details adds what the profile says of "
     "each execution, which makes the file several times as long. OUT.json.gz compresses; both "
     "viewers open that, too.",
     "timeline timeline.json\n"
     "timeline step.json.gz -step 1 -min_micros 10us",
     kTimelineOptions, WriteTimeline, nullptr, false, ".json"},
};

}  // namespace

std::span<const WritingCommand> WritingCommands() { return kCommands; }

const WritingCommand* FindWritingCommand(std::string_view name) {
  for (const WritingCommand& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

}  // namespace tfprof
