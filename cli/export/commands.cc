// SPDX-License-Identifier: Apache-2.0
#include "cli/export/rows.h"
#include "cli/export/save.h"
#include "cli/export/timeline.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

constexpr WritingCommand kCommands[] = {
    {"flame", "flame OUT.html|.svg|.folded|.speedscope.json",
     "a flame graph: an HTML page, an image, or stacks for other programs",
     "Frames are the rows of -view (code if the profile has code traces, else scope); their width "
     "is the measure of -select. The ending of OUT selects the format: .html an offline page with "
     "search and zoom, .svg an image, .folded stacks for flamegraph.pl, .speedscope.json for "
     "speedscope.app; a further .gz compresses. Frames deeper than -max_depth (256) count in the "
     "frame above; [untraced] is what has no code trace.",
     "flame flame.html\n"
     "flame memory.svg -view scope -select peak_bytes",
     kStackOptions, WriteFlame, CheckFlame},
    {"pprof", "pprof OUT.pb.gz", "a profile for `go tool pprof`",
     "Stacks are the rows of -view (code if the profile has code traces, else scope). Each measure "
     "of -select is a sample type, by default every recorded one, in nanoseconds, bytes and "
     "counts. Samples carry the labels step, node, op_type and device. Nothing counts twice: with "
     "[not shown] and [untraced] the samples add up to the total. The file is always gzipped.",
     "pprof profile.pb.gz\n"
     "pprof scopes.pb.gz -view scope -select micros,peak_bytes",
     kStackOptions, WritePprof, CheckPprof, true, ".pb"},
    {"save", "save OUT [-oplog]", "writes the open profile as one file",
     "OUT is a ProfileProto: graph, op log and all steps in one file, which this program and the "
     "classic tfprof (--profile_path) open with the same answers. Files that were opened together "
     "are merged. A note lists what the format cannot hold. With -oplog, OUT is an OpLogProto "
     "instead: types, float operations and code traces only, for use with a graph and run "
     "metadata.",
     "save profile.pb.gz\n"
     "save -oplog op_log",
     kWritingOptions | kSaveOptions, WriteSave, nullptr, false, ".pb"},
    {"timeline", "timeline OUT.json [OPTION...]",
     "writes a Chrome/Perfetto trace, for ui.perfetto.dev and chrome://tracing",
     "Every execution is a slice on a track of its device, with flows from what it waited for, the "
     "steps, and the memory in use. Without -step all steps are written. -show_name_regexes and "
     "-hide_name_regexes select executions by name, -account_type_regexes by operation type, "
     "-min_micros by duration, -device and -host by device. Nothing else is dropped. -details adds "
     "all recorded attributes of each execution, which makes the file several times larger. "
     "OUT.json.gz is compressed; both viewers open it.",
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
