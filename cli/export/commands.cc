// SPDX-License-Identifier: Apache-2.0
#include "cli/export/commands.h"

#include <fmt/core.h>

#include "analysis/trace_nodes/trace_nodes.h"
#include "cli/export/source_text.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/text/units.h"
#include "emitters/trace/trace.h"
#include "views/timeline/timeline.h"
#include "writers/profile.h"

namespace tfprof {
namespace {

// A saved profile also lacks what was lost when the profile was opened.
std::vector<Note> WithNotesOf(const Store& store, const std::vector<Note>& more) {
  std::vector<Note> notes = store.notes;
  notes.insert(notes.end(), more.begin(), more.end());
  return notes;
}

// `save OUT`: writes the open profile as a ProfileProto, or with -oplog as an OpLogProto. Standard
// error lists what such a file cannot hold.
Result<Written> WriteSave(const WritingJob& job) {
  const Store& store = *job.session.profile.store;
  if (LacksNodes(store)) {
    return UsageError("save writes graph nodes, and a trace has none",
                      "`timeline`, `pprof` and `flame` write traces");
  }
  if (job.query.oplog) {
    TFPROF_ASSIGN(WrittenLog log, WriteOpLog(store, job.sink, job.context));
    return Written{"op log of " + Counted(static_cast<int64_t>(log.entries), "node"),
                   WithNotesOf(store, log.notes)};
  }
  TFPROF_ASSIGN(const std::vector<Note> notes, WriteProfile(store, job.sink, job.context));
  return Written{
      fmt::format("profile of {} and {}", Counted(static_cast<int64_t>(store.nodes.size()), "node"),
                  Counted(static_cast<int64_t>(store.steps.size()), "step")),
      WithNotesOf(store, notes)};
}

// Writes a Chrome trace JSON of all activity (views/timeline/timeline.h).
Result<Written> WriteTimeline(const WritingJob& job) {
  const StorePtr& store = job.session.profile.store;
  Query query = job.query;
  query.place.exact = store->IsTrace() && !job.session.classic;  // steps may be inferred
  TFPROF_ASSIGN(const Trace trace,
                Timeline(store, *job.session.profile.indexes, query, job.context));
  TFPROF_ASSIGN(const TraceCounts counts, EmitTrace(*store, trace, job.sink, job.context));
  return Written{Counted(counts.executions, "execution") + ", " + Counted(counts.flows, "arrow") +
                     ", " + Counted(counts.samples, "memory value"),
                 trace.notes};
}

// `pprof` and `flame` write the rows of an additive view (scope, graph, op, code) as stacks.
constexpr unsigned kStackOptions = kTreeOptions | kFlopsOptions | kStepOption | kSelectOptions |
                                   kPlaceOptions | kNameOptions | kWritingOptions | kViewOption |
                                   kFrameOption;

constexpr WritingCommand kWritingCommands[] = {
    {"flame", "flame OUT.html|.svg|.folded|.speedscope.json",
     "a flame graph: an HTML page, an image, or stacks for other programs",
     "Frames are the rows of -view (code if most of the time has code traces, else scope); their "
     "width is the measure of -select. The ending of OUT selects the format: .html an offline page "
     "with "
     "search and zoom, .svg an image, .folded stacks for flamegraph.pl, .speedscope.json for "
     "speedscope.app; a further .gz compresses. Frames deeper than -max_depth (256) count in the "
     "frame above; [untraced] is the part without a code trace. Pages and images fold frames that "
     "are alike "
     "except for a number, layer_{0..23}: -fold=false opens them. -diff draws the changes against "
     "the "
     "base: frames are as wide as in this profile, red if they grew and blue if they shrank; "
     ".folded then has two numbers per stack.",
     "flame flame.html\n"
     "flame memory.svg -view scope -select peak_bytes",
     kStackOptions | kDrawOptions | kFoldOptions, WriteFlame, CheckFlame},
    {"pprof", "pprof OUT.pb.gz", "a profile for `go tool pprof`",
     "Stacks are the rows of -view (code if most of the time has code traces, else scope). Each "
     "measure "
     "of -select is a sample type, by default every recorded one, in nanoseconds, bytes and "
     "counts. Samples carry the labels step, node, op_type and device. Nothing counts twice: with "
     "[not shown] and [untraced] the samples add up to the total. The file is always gzipped.",
     "pprof profile.pb.gz\n"
     "pprof scopes.pb.gz -view scope -select micros,peak_bytes",
     kStackOptions, WritePprof, CheckPprof, true, ".pb"},
    {"report", "report OUT.html", "one page with all answers, for any browser",
     "The page opens from disk, without a network: it has the answers of every view that this "
     "profile has data for, with their columns explained, and the commands that print them. Tables "
     "are sorted and filtered in the page, and saved as CSV. The address of the page names what it "
     "shows, so links and Back work. Filters in force apply to the page. With --base BASE it also "
     "compares.",
     "report report.html\n"
     "report gpu.html -device GPU:0 -max-size 5MB",
     kStepOption | kPlaceOptions | kWritingOptions | kPageOptions, WriteReport, CheckSources, false,
     ".html", true},
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
     "Every execution is a slice on a track of its device, with flows from its inputs. Steps and "
     "the memory in use are also drawn. Without -step all steps are written. -show_name_regexes "
     "and -hide_name_regexes select executions by name, -account_type_regexes by operation type, "
     "-min_micros by duration, -device and -host by device. All other events are written. -details "
     "adds all recorded attributes of each execution, which makes the file several times larger. "
     "OUT.json.gz is compressed; both viewers open it.",
     "timeline timeline.json\n"
     "timeline step.json.gz -step 1 -min_micros 10us",
     kEventOptions | kStepOption | kPlaceOptions | kWritingOptions | kDetailsOption, WriteTimeline,
     nullptr, false, ".json"},
};

}  // namespace

std::span<const WritingCommand> WritingCommands() { return kWritingCommands; }

const WritingCommand* FindWritingCommand(std::string_view name) {
  return FindNamed(kWritingCommands, name);
}

}  // namespace tfprof
