// SPDX-License-Identifier: Apache-2.0
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
#include "views/reports/hlo.h"
#include "views/reports/input.h"
#include "views/reports/kernels.h"
#include "views/reports/op_stats.h"
#include "views/reports/overview.h"
#include "views/reports/planes.h"
#include "views/reports/pod.h"
#include "views/reports/roofline.h"
#include "views/reports/sync.h"
#include "views/steps/steps.h"
#include "views/tfdata/tfdata.h"
#include "views/transfers/transfers.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr unsigned kClassicOptions = kTreeOptions | kStepOption | kSelectOptions | kTableOptions |
                                     kPlaceOptions | kNameOptions | kAnswerOptions;

// Questions about nodes that are answered by lists.
constexpr unsigned kNodeOptions =
    kStepOption | kTableOptions | kPlaceOptions | kNameOptions | kAnswerOptions;

constexpr EventsRead kOfDevices{.hosts = false};
constexpr EventsRead kDurationsOfDevices{.hosts = false, .starts = false};

constexpr View kViews[] = {
    {"scope", "the model by its name scopes",
     "Rows are name scopes: the parts of node names between slashes. A row's own values are those "
     "of the graph node of that name; its totals add all nodes below that count "
     "(-account_type_regexes). Scopes are cut at -max_depth; their totals are not.",
     "scope -max_depth 3 -select micros,bytes -order_by micros\n"
     "scope -account_type_regexes .*Variable.* -select params -max_depth 10",
     kClassicOptions | kFoldOptions, true, false, OnNodes<Scope>, ScopeTables, false, Subject::none,
     0, RowsAre::things},
    {"graph", "the model from its results back along the inputs",
     "Rows are graph nodes; below a node stand the nodes that make its inputs, each under the "
     "first path that reaches it from a node nobody takes as input. Nodes that do not count "
     "(-account_type_regexes) give their inputs to the row above them.",
     "graph -max_depth 5 -select micros\n"
     "graph -start_name_regexes .*loss.* -select device,micros,occurrence -max_depth 20",
     kClassicOptions | kFoldOptions, true, false, OnNodes<Graph>, GraphTables, true, Subject::none,
     0, RowsAre::things},
    {"op", "cost by operation type",
     "Rows are operation types with the sums of their graph nodes; a node counts once for each "
     "expression of -account_type_regexes that matches one of its types. Classic text shows two "
     "percentages: of the row and all rows below it, and of the row alone. It looks at -max_depth "
     "+ 1 rows; thresholds test the sum of a row and all rows below it.",
     "op -select micros,occurrence -order_by micros\n"
     "op -select bytes,device -order_by bytes -max_depth 5",
     kClassicOptions, true, true, OnNodes<Op>, OpTables, false, Subject::none, 0, RowsAre::types},
    {"code", "cost by line of the program that made the graph",
     "Rows are frames, file:line:function, of the code traces recorded with the profile; a graph "
     "node belongs to its innermost frame, a gradient to the frames of its forward node, marked "
     "(gradient). Of a trace they are the source lines that instructions tell, else the Python "
     "calls around an operation or its launch. Totals add what is below. -min_occurrence and "
     "-account_displayed_op_only have "
     "no effect; occurrence, input_shapes and tensor_value have no values.",
     "code -max_depth 20 -select micros -order_by micros\n"
     "code -max_depth 20 -show_name_regexes .*train.* -select params,float_ops",
     kClassicOptions, true, false, OnNodes<Code, NodesAre::one_per_stack>, CodeTables},
    {"advise", "what stands out, and what to do about it",
     "Rows are findings, the severest first: a sentence, the numbers behind it, what a step would "
     "be shorter at most if it were gone, and a command that shows the first number. -checker "
     "picks checkers (help checkers), -fail-if makes a finding a failure. Classic text has the "
     "sections of the original's three checkers instead.",
     "advise\n"
     "advise -checker DeviceIdleChecker,StepVariationChecker",
     kAdviseOptions | kTableOptions | kAnswerOptions, true, true, Advise, AdviseTables},
    {"steps", "how long each step took, and what the devices did",
     "One row per step with its duration from the first start to the last end, and one per step "
     "and device with busy and idle time between the device's own first start and last end. Steps "
     "of a trace are those that the program marks, and as long as their marker; -step and -device "
     "pick some.",
     "steps\n"
     "steps -where 'device ~ cpu' -order_by idle_us",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Steps, StepsTables},
    {"summary", "the profile on one screen",
     "What was read, where and how long it ran, the most expensive operation types, what the "
     "profile has and lacks, and two commands to go on with.",
     "summary", kStepOption | kTableOptions | kAnswerOptions, false, true, Summary, SummaryTables,
     false, Subject::none, 0, RowsAre::types},
    {"info", "what was read, devices, steps, and what is absent",
     "The files, the devices with the time of their records, the steps with their spans, and for "
     "each kind of facts how many there are or how to record it.",
     "info\n"
     "info -where 'count > 0'",
     kTableOptions | kAnswerOptions, false, true, ProfileInfo, ProfileInfoTables},
    {"top", "the operation types that cost most, and how steadily",
     "Rows are operation types by time, ten of them or as many as the word after it says: share, "
     "running share, runs, time of a run, and the least, median and most time of a step.",
     "top\n"
     "top 3 -focus conv",
     kNodeOptions, false, true, OnNodes<Top>, TopTables, false, Subject::rows, 10, RowsAre::types},
    {"peek", "what is around a node, scope or operation type",
     "The facts of one node, scope or operation type; then what a node takes and what takes its "
     "outputs, or what a scope or type consists of; where it ran; its time step by step. The word "
     "is "
     "its name, a part of its name that no other has, or the number of a row of the last answer.",
     "peek MatMul\n"
     "peek MatMul -where 'time_us > 0'",
     kNodeOptions | kFoldOptions, false, true, OnNodes<Peek>, PeekTables, false, Subject::name, 0,
     RowsAre::things},
    {"why", "what makes a node, scope or operation type expensive",
     "A sentence per reason: its share, how often it runs and how long each time, its costliest "
     "part, how steps differ, sizes, speed, devices, and of a node how long it waited after its "
     "inputs were there. The word is as of peek.",
     "why MatMul", kNodeOptions, false, true, OnNodes<Why>, WhyTables, false, Subject::name},
    {"find", "names with a text in them, the costliest first",
     "Operation types, scopes and nodes whose name has the text, in any case of letters; a scope "
     "stands for all that is in it.",
     "find mul\n"
     "find conv -where 'kind = scope'",
     kNodeOptions | kFoldOptions, false, true, OnNodes<Find>, FindTables, false, Subject::text, 0,
     RowsAre::things},
    {"ls", "what is directly in a scope, the costliest first",
     "Rows are the scopes and nodes in a scope: that of the word after it, else the one that cd "
     "went "
     "to, else the whole model; with their time, its share of the scope, and the nodes in them. "
     "Names "
     "of scopes end with a slash.",
     "ls\n"
     "ls gradients",
     kNodeOptions | kFoldOptions, false, true, OnNodes<ListScope>, ListScopeTables, false,
     Subject::scope, 0, RowsAre::things},
    {"diff", "what changed since another profile, for people and for CI",
     "Rows are those of op (or of -view) of this profile and of the base, paired by name, the "
     "largest change first: before, after, change, and which are new or gone. The base is the FILE "
     "after diff, or what --base or `load FILE as base` named. -fail-if 'step>+5%' or "
     "'op:MatMul.micros>+10%' makes what got worse a failure: exit status 6.",
     "diff testdata/tensorflow/convnet/profile.pb -n 5\n"
     "diff testdata/tensorflow/convnet/profile.pb -view scope -max_depth 3",
     kTreeOptions | kStepOption | kTableOptions | kPlaceOptions | kNameOptions | kDiffOptions |
         kAnswerOptions,
     false, true, Diff, DiffTables, false, Subject::base, 0, RowsAre::things},
    {"planes", "what a trace consists of: planes, lines, devices",
     "A plane is what a trace keeps apart: the threads of a host process, a device, a table. Its "
     "lines are threads and streams, or were computed from those. Times are sums over the events "
     "of a line; busy is the time in which at least one of them runs. Of devices, only lines that "
     "measure their work count, and events that take time.",
     "planes\n"
     "planes -where 'events > 0' -order_by busy_us",
     kTableOptions | kPlaceOptions | kAnswerOptions, false, true, Planes, PlanesTables},
    {"events", "the events themselves, a row each",
     "A row per event, by line and start, with nothing added up; self is its duration less the "
     "events directly within it. -columns, -where and -order_by also take every attribute that "
     "some event has, such as correlation or kernel_details. With -n the first rows, or the best "
     "of an order; csv, tsv, json and jsonl write any number of rows.",
     "events -n 20\n"
     "events -where 'duration_us > 1' -order_by duration_us -n 10",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, EventsView,
     EventsTables},
    {"kernels", "what the GPUs ran, kernel by kernel",
     "One row per kernel, launch parameters and operation over all GPUs, the longest total first. "
     "A kernel is an event of a stream with launch parameters that takes a nanosecond at least. "
     "Tensor cores are told from the names of kernels and operations. -host and -device pick "
     "GPUs, -step a step.",
     "kernels -n 10\n"
     "kernels -columns kernel,launches,time_us -where 'share_pct > 1%'",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Kernels,
     KernelsTables, false, Subject::none, 0, RowsAre::facts, kDurationsOfDevices},
    {"op_stats", "framework operations by their own time, on devices and hosts",
     "One row per operation, those of devices first, the longest self time first: its time less "
     "that of operations within. Kernels and instructions of compiled programs count for the "
     "operation they came from. with_idle has rows for the time in no operation, without_idle has "
     "not; shares are of the rows of a side. -host and -device pick machines and devices.",
     "op_stats -n 10\n"
     "op_stats -where 'side = Host' -order_by runs",
     kTableOptions | kPlaceOptions | kStepOption | kFoldOptions | kAnswerOptions, false, true,
     OpStats, OpStatsTables},
    {"hlo", "instructions of compiled programs, with their costs",
     "One row per instruction of a program of XLA that ran on a device or a CPU, the longest self "
     "time first; then the programs. TPUs tell flops and bytes; for GPUs they are worked out from "
     "the "
     "program by XLA's own rules. Calls of libraries have no known cost.",
     "hlo -n 10\n"
     "hlo -columns instruction,time_us,text -n 3",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Hlo, HloTables},
    {"roofline", "how near operations come to what the device can do",
     "Flops over bytes of an operation say whether computing or memory limits it; the roof is what "
     "the device could reach with that. Rows: all operations of known cost together, each program, "
     "each instruction; then the devices with their peaks. Efficiency is the share of the nearer "
     "peak.",
     "roofline -n 10\n"
     "roofline -where 'kind = program'",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Roofline,
     RooflineTables, false, Subject::none, 0, RowsAre::facts, kOfDevices},
    {"memory",
     "what allocators gave out, and who holds it at the peak",
     "One row per allocator with the most it had in use; below it the allocations that were alive "
     "at that moment, alike ones together; then every allocation and free in order of time. -host "
     "picks machines, -device allocators by name.",
     "memory\n"
     "memory -where 'peak_bytes > 1MiB'",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     false,
     true,
     Memory,
     MemoryTables,
     false,
     Subject::none,
     0,
     RowsAre::facts,
     {},
     true},
    {"overview", "a trace on one screen: steps, costly operations, what to do",
     "What the trace was taken on, how long steps took and for what, the ten operations with most "
     "self time on devices, and what is worth doing, with the reason. Steps are those of input.",
     "overview\n"
     "overview -device GPU:0",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Overview,
     OverviewTables},
    {"input", "whether steps wait for input, and what to do",
     "What the steps were spent on, over all hosts; one row per step and per operation that makes "
     "input on the hosts; below, what to do and why. Input is waiting for it and copies to "
     "devices. "
     "Of more than five steps the first and the last are left out: recording began and ended in "
     "them.",
     "input\n"
     "input -where 'input_us > 1ms'",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Input, InputTables},
    {"pod", "the steps of every host side by side",
     "One row per step and host, for the steps that all hosts have; they are matched by time. All "
     "devices of a host count together. A part is the time in which nothing above it in rank was "
     "active; bottleneck names the largest.",
     "pod\n"
     "pod -order_by duration_us -n 5",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Pod, PodTables},
    {"tfdata", "input pipelines of tf.data, what their slowest calls waited for, and what to do",
     "A pipeline is a root iterator and what works for it, on its thread or, where elements are "
     "handed over, on others. Its calls of more than 50 us are slow. The bottleneck of a call is "
     "the iterator with most time of its own among those the program had to wait for. Pipelines "
     "that only bring elements onto a device are listed and not judged.",
     "tfdata\n"
     "tfdata -where 'time_us > 1us' -order_by time_us",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, TfData,
     TfDataTables},
    {"transfers", "copies to, from and between devices",
     "One row per device, direction and kind of memory, with bytes, time, bandwidth and the time "
     "that kernels on the same device hide; then every copy, the longest first. Only what devices "
     "recorded counts, not the calls of hosts that ask for copies.",
     "transfers\n"
     "transfers -where 'direction = host to device' -n 5",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Transfers,
     TransfersTables},
    {"sync", "who waits for a device, and how long",
     "One row per thread and call that returns when a device is done, and per stream and event "
     "that waits for another; then what each of those lines spends waiting. Calls are known by "
     "their names: cudaStreamSynchronize, BlockHostUntilDone, block_until_ready, ...",
     "sync\n"
     "sync -where 'time_us > 100us'",
     kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions, false, true, Sync, SyncTables},
};

}  // namespace

std::span<const View> Views() { return kViews; }

const View* FindView(std::string_view name) {
  for (const View& view : kViews) {
    if (view.name == name) return &view;
  }
  return nullptr;
}

EventsRead ReadBy(const View& view, const Query& query) {
  // Hosts mark the steps, and times tell which events are within.
  return query.place.step >= 0 ? EventsRead() : view.reads;
}

}  // namespace tfprof
