// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "views/advice/advise.h"
#include "views/classic/code.h"
#include "views/classic/graph.h"
#include "views/classic/node_tables.h"
#include "views/classic/op.h"
#include "views/classic/scope.h"
#include "views/diff/diff.h"
#include "views/events/events.h"
#include "views/explore/find.h"
#include "views/explore/info.h"
#include "views/explore/ls.h"
#include "views/explore/peek.h"
#include "views/explore/summary.h"
#include "views/explore/top.h"
#include "views/explore/why.h"
#include "views/memory/memory.h"
#include "views/on_nodes.h"
#include "views/reports/collectives.h"
#include "views/reports/hlo.h"
#include "views/reports/input.h"
#include "views/reports/kernels.h"
#include "views/reports/op_stats.h"
#include "views/reports/overview.h"
#include "views/reports/planes.h"
#include "views/reports/pod.h"
#include "views/reports/roofline.h"
#include "views/reports/sync.h"
#include "views/reports/utilization.h"
#include "views/steps/steps.h"
#include "views/tfdata/tfdata.h"
#include "views/transfers/transfers.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr unsigned kClassicOptions = kTreeOptions | kStepOption | kSelectOptions | kTableOptions |
                                     kPlaceOptions | kNameOptions | kAnswerOptions;

// Options of node views whose answers are lists.
constexpr unsigned kNodeOptions =
    kStepOption | kTableOptions | kPlaceOptions | kNameOptions | kAnswerOptions;

constexpr EventsRead kOfDevices{.hosts = false};
constexpr EventsRead kDurationsOfDevices{.hosts = false, .starts = false};

constexpr View kViews[] = {
    {.name = "scope",
     .summary = "the model by its name scopes",
     .help = "Rows are name scopes: the parts of node names between slashes. A row's own values "
             "are those of the graph node of that name; its totals add all nodes below that count "
             "(-account_type_regexes). Scopes are cut at -max_depth; their totals are not.",
     .example = "scope -max_depth 3 -select micros,bytes -order_by micros\n"
                "scope -account_type_regexes .*Variable.* -select params -max_depth 10",
     .options = kClassicOptions | kFoldOptions,
     .classic = true,
     .make = OnNodes<Scope>,
     .tables = ScopeTables,
     .rows_are = RowsAre::things},
    {.name = "graph",
     .summary = "the model from its results back along the inputs",
     .help = "Rows are graph nodes; below a node stand the nodes that make its inputs, each under "
             "the first path that reaches it from a node nobody takes as input. Nodes that do not "
             "count (-account_type_regexes) give their inputs to the row above them.",
     .example = "graph -max_depth 5 -select micros\n"
                "graph -start_name_regexes .*loss.* -select device,micros,occurrence -max_depth 20",
     .options = kClassicOptions | kFoldOptions,
     .classic = true,
     .make = OnNodes<Graph>,
     .tables = GraphTables,
     .draws_one_step = true,
     .rows_are = RowsAre::things},
    {.name = "op",
     .summary = "cost by operation type",
     .help =
         "Rows are operation types with the sums of their graph nodes; a node counts once for each "
         "expression of -account_type_regexes that matches one of its types. Classic text shows "
         "two percentages: of the row and all rows below it, and of the row alone. It looks at "
         "-max_depth + 1 rows; thresholds test the sum of a row and all rows below it.",
     .example = "op -select micros,occurrence -order_by micros\n"
                "op -select bytes,device -order_by bytes -max_depth 5",
     .options = kClassicOptions,
     .classic = true,
     .flat = true,
     .make = OnNodes<Op>,
     .tables = OpTables,
     .rows_are = RowsAre::types},
    {.name = "code",
     .summary = "cost by line of the program that made the graph",
     .help = "Rows are frames, file:line:function, of the code traces recorded with the profile; a "
             "graph node belongs to its innermost frame, a gradient to the frames of its forward "
             "node, marked (gradient). Of a trace they are the source lines that instructions "
             "tell, else the Python calls around an operation or its launch. Totals add what is "
             "below. -min_occurrence and -account_displayed_op_only have no effect; occurrence, "
             "input_shapes and tensor_value have no values.",
     .example = "code -max_depth 20 -select micros -order_by micros\n"
                "code -max_depth 20 -show_name_regexes .*train.* -select params,float_ops",
     .options = kClassicOptions,
     .classic = true,
     .make = OnNodes<Code, NodesAre::one_per_stack>,
     .tables = CodeTables},
    {.name = "advise",
     .summary = "what stands out, and what to do about it",
     .help = "Rows are findings, the severest first: a sentence, the numbers behind it, what a "
             "step would be shorter at most if it were gone, and a command that shows the first "
             "number. -checker picks checkers (help checkers), -fail-if makes a finding a failure. "
             "Classic text has the sections of the original's three checkers instead.",
     .example = "advise\n"
                "advise -checker DeviceIdleChecker,StepVariationChecker",
     .options = kAdviseOptions | kTableOptions | kAnswerOptions,
     .classic = true,
     .flat = true,
     .make = Advise,
     .tables = AdviseTables},
    {.name = "steps",
     .summary = "how long each step took, and what the devices did",
     .help = "One row per step with its duration from the first start to the last end, and one per "
             "step and device with busy and idle time between the device's own first start and "
             "last end. Steps of a trace are those that the program marks, and as long as their "
             "marker; -step and -device pick some.",
     .example = "steps\n"
                "steps -where 'device ~ cpu' -order_by idle_us",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Steps,
     .tables = StepsTables},
    {.name = "summary",
     .summary = "the profile on one screen",
     .help = "What was read, where and how long it ran, the most expensive operation types, what "
             "the profile has and lacks, and two commands to go on with.",
     .example = "summary",
     .options = kStepOption | kTableOptions | kAnswerOptions,
     .flat = true,
     .make = Summary,
     .tables = SummaryTables,
     .rows_are = RowsAre::types},
    {.name = "info",
     .summary = "what was read, devices, steps, and what is absent",
     .help = "The files, the devices with the time of their records, the steps with their spans, "
             "and for each kind of facts how many there are or how to record it.",
     .example = "info\n"
                "info -where 'count > 0'",
     .options = kTableOptions | kAnswerOptions,
     .flat = true,
     .make = ProfileInfo,
     .tables = ProfileInfoTables},
    {.name = "top",
     .summary = "the operation types that cost most, and how steadily",
     .help = "Rows are operation types by time, ten of them or as many as the word after it says: "
             "share, running share, runs, time of a run, and the least, median and most time of a "
             "step.",
     .example = "top\n"
                "top 3 -focus conv",
     .options = kNodeOptions,
     .flat = true,
     .make = OnNodes<Top>,
     .tables = TopTables,
     .subject = Subject::rows,
     .rows_for_people = 10,
     .rows_are = RowsAre::types},
    {.name = "peek",
     .summary = "what is around a node, scope or operation type",
     .help = "The facts of one node, scope or operation type; then what a node takes and what "
             "takes its outputs, or what a scope or type consists of; where it ran; its time step "
             "by step. The word is its name, a part of its name that no other has, or the number "
             "of a row of the last answer.",
     .example = "peek MatMul\n"
                "peek MatMul -where 'time_us > 0'",
     .options = kNodeOptions | kFoldOptions,
     .flat = true,
     .make = OnNodes<Peek>,
     .tables = PeekTables,
     .subject = Subject::name,
     .rows_are = RowsAre::things},
    {.name = "why",
     .summary = "what makes a node, scope or operation type expensive",
     .help = "A sentence per reason: its share, how often it runs and how long each time, its "
             "costliest part, how steps differ, sizes, speed, devices, and of a node how long it "
             "waited after its inputs were there. The word is as of peek.",
     .example = "why MatMul",
     .options = kNodeOptions,
     .flat = true,
     .make = OnNodes<Why>,
     .tables = WhyTables,
     .subject = Subject::name},
    {.name = "find",
     .summary = "names with a text in them, the costliest first",
     .help = "Operation types, scopes and nodes whose name has the text, in any case of letters; a "
             "scope stands for all that is in it.",
     .example = "find mul\n"
                "find conv -where 'kind = scope'",
     .options = kNodeOptions | kFoldOptions,
     .flat = true,
     .make = OnNodes<Find>,
     .tables = FindTables,
     .subject = Subject::text,
     .rows_are = RowsAre::things},
    {.name = "ls",
     .summary = "what is directly in a scope, the costliest first",
     .help = "Rows are the scopes and nodes in a scope: that of the word after it, else the one "
             "that cd went to, else the whole model; with their time, its share of the scope, and "
             "the nodes in them. Names of scopes end with a slash.",
     .example = "ls\n"
                "ls gradients",
     .options = kNodeOptions | kFoldOptions,
     .flat = true,
     .make = OnNodes<ListScope>,
     .tables = ListScopeTables,
     .subject = Subject::scope,
     .rows_are = RowsAre::things},
    {.name = "diff",
     .summary = "what changed since another profile, for people and for CI",
     .help = "Rows are those of op (or of -view) of this profile and of the base, paired by name, "
             "the largest change first: before, after, change, and which are new or gone. The base "
             "is the FILE after diff, or what --base or `load FILE as base` named. -fail-if "
             "'step>+5%' or 'op:MatMul.micros>+10%' makes what got worse a failure: exit status 6.",
     .example = "diff testdata/tensorflow/convnet/profile.pb -n 5\n"
                "diff testdata/tensorflow/convnet/profile.pb -view scope -max_depth 3",
     .options = kTreeOptions | kStepOption | kTableOptions | kPlaceOptions | kNameOptions |
                kDiffOptions | kAnswerOptions,
     .flat = true,
     .make = Diff,
     .tables = DiffTables,
     .subject = Subject::base,
     .rows_are = RowsAre::things},
    {.name = "planes",
     .summary = "what a trace consists of: planes, lines, devices",
     .help = "A plane is what a trace keeps apart: the threads of a host process, a device, a "
             "table. Its lines are threads and streams, or were computed from those. Times are "
             "sums over the events of a line; busy is the time in which at least one of them runs. "
             "Of devices, only lines that measure their work count, and events that take time.",
     .example = "planes\n"
                "planes -where 'events > 0' -order_by busy_us",
     .options = kTableOptions | kPlaceOptions | kAnswerOptions,
     .flat = true,
     .make = Planes,
     .tables = PlanesTables},
    {.name = "events",
     .summary = "the events themselves, a row each",
     .help =
         "A row per event, by line and start, with nothing added up; self is its duration less the "
         "events directly within it. -columns, -where and -order_by also take every attribute that "
         "some event has, such as correlation or kernel_details. With -n the first rows, or the "
         "best of an order; csv, tsv, json and jsonl write any number of rows.",
     .example = "events -n 20\n"
                "events -where 'duration_us > 1' -order_by duration_us -n 10",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = EventsView,
     .tables = EventsTables},
    {.name = "kernels",
     .summary = "what the GPUs ran, kernel by kernel",
     .help = "One row per kernel, launch parameters and operation over all GPUs, the longest total "
             "first. A kernel is an event of a stream with launch parameters that takes a "
             "nanosecond at least. Tensor cores are told from the names of kernels and operations. "
             "-host and -device pick GPUs, -step a step.",
     .example = "kernels -n 10\n"
                "kernels -columns kernel,launches,time_us -where 'share_pct > 1%'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Kernels,
     .tables = KernelsTables,
     .reads = kDurationsOfDevices},
    {.name = "op_stats",
     .summary = "framework operations by their own time, on devices and hosts",
     .help = "One row per operation, those of devices first, the longest self time first: its time "
             "less that of operations within. Kernels and instructions of compiled programs count "
             "for the operation they came from. with_idle has rows for the time in no operation, "
             "without_idle has not; shares are of the rows of a side. -host and -device pick "
             "machines and devices.",
     .example = "op_stats -n 10\n"
                "op_stats -where 'side = Host' -order_by runs",
     .options = kTableOptions | kPlaceOptions | kStepOption | kFoldOptions | kAnswerOptions,
     .flat = true,
     .make = OpStats,
     .tables = OpStatsTables},
    {.name = "hlo",
     .summary = "instructions of compiled programs, with their costs",
     .help =
         "One row per instruction of a program of XLA that ran on a device or a CPU, the longest "
         "self time first; then the programs. TPUs tell flops and bytes; for GPUs they are worked "
         "out from the program by XLA's own rules. Calls of libraries have no known cost.",
     .example = "hlo -n 10\n"
                "hlo -columns instruction,time_us,text -n 3",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Hlo,
     .tables = HloTables},
    {.name = "roofline",
     .summary = "how near operations come to what the device can do",
     .help = "Flops over bytes of an operation say whether computing or memory limits it; the roof "
             "is what the device could reach with that. Rows: all operations of known cost "
             "together, each program, each instruction; then the devices with their peaks. "
             "Efficiency is the share of the nearer peak.",
     .example = "roofline -n 10\n"
                "roofline -where 'kind = program'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Roofline,
     .tables = RooflineTables,
     .reads = kOfDevices},
    {.name = "memory",
     .summary = "what allocators gave out, and who holds it at the peak",
     .help = "One row per allocator with the most it had in use; below it the allocations that "
             "were alive at that moment, alike ones together; then every allocation and free in "
             "order of time. -host picks machines, -device allocators by name.",
     .example = "memory\n"
                "memory -where 'peak_bytes > 1MiB'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Memory,
     .tables = MemoryTables,
     .device_is_allocator = true},
    {.name = "overview",
     .summary = "a trace on one screen: steps, costly operations, what to do",
     .help = "What the trace was taken on, how long steps took and for what, the ten operations "
             "with most self time on devices, and what is worth doing, with the reason. Steps are "
             "those of input.",
     .example = "overview\n"
                "overview -device GPU:0",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Overview,
     .tables = OverviewTables},
    {.name = "input",
     .summary = "whether steps wait for input, and what to do",
     .help = "What the steps were spent on, over all hosts; one row per step and per operation "
             "that makes input on the hosts; below, what to do and why. Input is waiting for it "
             "and copies to devices. Of more than five steps the first and the last are left out: "
             "recording began and ended in them.",
     .example = "input\n"
                "input -where 'input_us > 1ms'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Input,
     .tables = InputTables},
    {.name = "pod",
     .summary = "the steps of every host side by side",
     .help = "One row per step and host, for the steps that all hosts have; they are matched by "
             "time. All devices of a host count together. A part is the time in which nothing "
             "above it in rank was active; bottleneck names the largest.",
     .example = "pod\n"
                "pod -order_by duration_us -n 5",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Pod,
     .tables = PodTables},
    {.name = "tfdata",
     .summary = "input pipelines of tf.data, what their slowest calls waited for, and what to do",
     .help =
         "A pipeline is a root iterator and what works for it, on its thread or, where elements "
         "are handed over, on others. Its calls of more than 50 us are slow. The bottleneck of a "
         "call is the iterator with most time of its own among those the program had to wait for. "
         "Pipelines that only bring elements onto a device are listed and not judged.",
     .example = "tfdata\n"
                "tfdata -where 'time_us > 1us' -order_by time_us",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = TfData,
     .tables = TfDataTables},
    {.name = "transfers",
     .summary = "copies to, from and between devices",
     .help = "One row per device, direction and kind of memory, with bytes, time, bandwidth and "
             "the time that kernels on the same device hide; then every copy, the longest first. "
             "Only what devices recorded counts, not the calls of hosts that ask for copies.",
     .example = "transfers\n"
                "transfers -where 'direction = host to device' -n 5",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Transfers,
     .tables = TransfersTables},
    {.name = "collectives",
     .summary = "what devices exchange: bytes, bandwidth, exposed time, who waits for whom",
     .help = "One row per device and operation that exchanges data with other devices, the longest "
             "first; then what each device waited for the one that came last. Bandwidths are those "
             "of nccl-tests. Exposed time is time in which nothing else computes on the device. "
             "-host and -device pick devices, -step a step.",
     .example = "collectives\n"
                "collectives -where 'exposed_us > 100us'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Collectives,
     .tables = CollectivesTables},
    {.name = "sync",
     .summary = "who waits for a device, and how long",
     .help =
         "One row per thread and call that returns when a device is done, and per stream and event "
         "that waits for another; then what each of those lines spends waiting. Calls are known by "
         "their names: cudaStreamSynchronize, BlockHostUntilDone, block_until_ready, ...",
     .example = "sync\n"
                "sync -where 'time_us > 100us'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .flat = true,
     .make = Sync,
     .tables = SyncTables},
    {.name = "utilization",
     .summary = "how busy each device was over the capture",
     .help = "One row per device and bucket of time; then each device over the whole capture. All "
             "devices have the same buckets: 60 at most, of 1, 2 or 5 times a power of ten. A "
             "device is busy while a kernel, an operation or a copy runs on one of its streams. "
             "Idle time is that of planes: within the steps, where there are any.",
     .example = "utilization\n"
                "utilization -where 'busy_pct < 50%' -n 10",
     .options = kTableOptions | kPlaceOptions | kAnswerOptions,
     .flat = true,
     .make = Utilization,
     .tables = UtilizationTables},
};

// A name that no view has does not compile.
consteval size_t IndexOf(std::string_view name) {
  size_t i = 0;
  while (kViews[i].name != name) ++i;
  return i;
}

}  // namespace

const View& ScopeView() { return kViews[IndexOf("scope")]; }
const View& OpView() { return kViews[IndexOf("op")]; }
const View& CodeView() { return kViews[IndexOf("code")]; }

std::span<const View> Views() { return kViews; }

const View* FindView(std::string_view name) {
  for (const View& view : kViews) {
    if (view.name == name) return &view;
  }
  return nullptr;
}

EventsRead ReadBy(const View& view, const Query& query) {
  // The hosts' events mark the steps, and their times decide which events are in a step.
  return query.place.step >= 0 ? EventsRead() : view.reads;
}

}  // namespace tfprof
