// SPDX-License-Identifier: Apache-2.0
#include <cstddef>

#include "views/categories/tables.h"
#include "views/on_nodes.h"
#include "views/views.h"

namespace tfprof {
namespace {

constexpr unsigned kClassicOptions = kTreeOptions | kFlopsOptions | kStepOption | kSelectOptions |
                                     kTableOptions | kPlaceOptions | kNameOptions | kAnswerOptions;

// Options of node views whose answers are lists.
constexpr unsigned kNodeOptions =
    kStepOption | kTableOptions | kPlaceOptions | kNameOptions | kAnswerOptions;

constexpr EventsRead kDurationsOfDevices{.hosts = false, .starts = false};

constexpr RowsBy kKernelRows[] = {RowsBy::name, RowsBy::op, RowsBy::launch};
constexpr RowsBy kInstructionRows[] = {RowsBy::category, RowsBy::program};

constexpr View kViews[] = {
    {.name = "scope",
     .summary = "cost by name scope of the model",
     .help = "Rows are name scopes: the parts of node names between slashes. A row's own values "
             "are those of the graph node with that name; its totals include all counted nodes "
             "below it (-account_type_regexes). -max_depth limits the rows, not the totals.",
     .example = "scope -max_depth 3 -select micros,bytes -order_by micros\n"
                "scope -account_type_regexes .*Variable.* -select params -max_depth 10",
     .options = kClassicOptions | kFoldOptions,
     .classic = true,
     .tree = true,
     .make = OnNodes<Scope>,
     .tables = ScopeTables,
     .subject = Subject::scope,
     .row_meaning = RowMeaning::entities},
    {.name = "graph",
     .summary = "the graph from its results back along the inputs",
     .help =
         "Rows are graph nodes; the children of a node are the nodes that produce its inputs. Each "
         "node appears once, under the first path that reaches it from a node without consumers. "
         "Nodes that are not counted (-account_type_regexes) pass their inputs to their parent.",
     .example = "graph -max_depth 5 -select micros\n"
                "graph -start_name_regexes .*loss.* -select device,micros,occurrence -max_depth 20",
     .options = kClassicOptions | kFoldOptions,
     .classic = true,
     .tree = true,
     .make = OnNodes<Graph>,
     .tables = GraphTables,
     .exports_one_step = true,
     .subject = Subject::scope,
     .row_meaning = RowMeaning::entities},
    {.name = "op",
     .summary = "cost by operation type",
     .help =
         "Rows are operation types with the sums of their graph nodes, as means over the steps. "
         "Classic text shows two percentages: that of the row and all rows below it, and that of "
         "the row. It shows -max_depth + 1 rows, its thresholds test the sum of a row and all rows "
         "below it, and a node counts once for each expression of -account_type_regexes that "
         "matches one of its types.",
     .example = "op -select micros,occurrence -order_by micros\n"
                "op -select bytes,device -order_by bytes -max_depth 5",
     .options = kClassicOptions,
     .classic = true,
     .make = OnNodes<Op>,
     .tables = OpTables,
     .subject = Subject::scope,
     .row_meaning = RowMeaning::types},
    {.name = "code",
     .summary = "cost by source line",
     .help = "Rows are frames (file:line:function) of the recorded code traces. A graph node "
             "belongs to its innermost frame, a gradient to the frames of its forward node, marked "
             "(gradient). For a trace, frames are the source lines of instructions, else the "
             "Python calls around an operation or its launch. Totals include all frames below. "
             "A name that is no scope but is in frames, such as a function, a file or FILE:LINE, "
             "starts the tree there. "
             "-min_occurrence and -account_displayed_op_only have no effect; occurrence, "
             "input_shapes and tensor_value have no values.",
     .example = "code -max_depth 20 -select micros -order_by micros\n"
                "code -max_depth 20 -show_name_regexes .*train.* -select params,float_ops",
     .options = kClassicOptions | kFrameOption,
     .classic = true,
     .tree = true,
     .make = OnNodes<Code, NodeGranularity::one_per_stack>,
     .tables = CodeTables,
     .subject = Subject::scope,
     .row_meaning = RowMeaning::entities},
    {.name = "advise",
     .summary = "findings, with evidence and recommendations",
     .help = "Rows are findings, most severe first: a sentence, its evidence, an upper bound on "
             "what a step would save, and a command that shows the first number. -checker selects "
             "checkers (help checkers); -fail-if turns a finding into a failure. Classic text has "
             "the sections of the original's three checkers instead.",
     .example = "advise\n"
                "advise -checker DeviceIdleChecker,StepVariationChecker",
     .options = kAdviseOptions | kTableOptions | kAnswerOptions,
     .classic = true,
     .make = Advise,
     .tables = AdviseTables},
    {.name = "steps",
     .summary = "duration of each step, and device activity in it",
     .help = "One row per step, with its duration from first start to last end, and one per step "
             "and device, with busy and idle time. In a trace, steps are those that the program "
             "marks, with the duration of the marker. -step and -device select rows.",
     .example = "steps\n"
                "steps -where 'device ~ cpu' -order_by idle_us",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Steps,
     .tables = StepsTables,
     .by_category = AddStepTable},
    {.name = "summary",
     .summary = "the profile on one screen",
     .help = "Shows the files, the devices, the step times, the most expensive operation types, "
             "what was and was not recorded, and the next commands to try.",
     .example = "summary",
     .options = kStepOption | kTableOptions | kAnswerOptions,
     .make = Summary,
     .tables = SummaryTables,
     .row_meaning = RowMeaning::types},
    {.name = "info",
     .summary = "files, devices, steps, and what was not recorded",
     .help = "Shows the files, the devices with their recorded time, the steps with their "
             "durations, and for each kind of data how much was recorded or how to record it.",
     .example = "info\n"
                "info -where 'count > 0'",
     .options = kTableOptions | kAnswerOptions,
     .make = ProfileInfo,
     .tables = ProfileInfoTables},
    {.name = "top",
     .summary = "the most expensive operation types, with their spread over steps",
     .help = "Rows are operation types by time (ten, or the number given): share, cumulative "
             "share, runs, mean time of a run, and the min, median and max time per step.",
     .example = "top\n"
                "top 3 -focus conv",
     .options = kNodeOptions,
     .make = OnNodes<Top>,
     .tables = TopTables,
     .subject = Subject::rows,
     .rows_for_humans = 10,
     .row_meaning = RowMeaning::types},
    {.name = "peek",
     .summary = "a node, scope, operation type or source line with its neighborhood",
     .help = "Shows one node, scope, operation type or source line; then the inputs and consumers "
             "of a node, or the parts of the others; the operations of a line; the source lines "
             "that created the nodes; devices; time per step. NAME is a name, a unique part of a "
             "name, FILE.py:LINE, FILE.py, or the number of a row of the last answer.",
     .example = "peek MatMul\n"
                "peek MatMul -where 'time_us > 0'",
     .options = kNodeOptions | kFoldOptions,
     .make = Peek,
     .tables = PeekTables,
     .subject = Subject::name,
     .row_meaning = RowMeaning::entities,
     .counts_flops = true},
    {.name = "why",
     .summary = "why a node, scope, operation type or source line is expensive",
     .help =
         "One sentence per reason: share, runs and the time of each, most expensive part, "
         "variation over steps, sizes, rates, devices, source lines, for a line its operations, "
         "and for a node the delay after its inputs were ready. For a function of Python or a "
         "region "
         "of a trace: calls, and the time in which devices are idle in it. NAME is as for peek.",
     .example = "why MatMul",
     .options = kNodeOptions,
     .make = Why,
     .tables = WhyTables,
     .subject = Subject::name,
     .counts_flops = true},
    {.name = "find",
     .summary = "names that contain a text, most expensive first",
     .help = "Rows are operation types, scopes and nodes whose name contains the text, in any "
             "case; a scope includes everything in it. So are source lines, with everything below "
             "them: a text with a dot or colon is part of FILE:LINE, others of a function. Rows of "
             "a trace are also functions of Python and regions, on the threads of hosts.",
     .example = "find mul\n"
                "find conv -where 'kind = scope'",
     .options = kNodeOptions | kFoldOptions,
     .make = Find,
     .tables = FindTables,
     .subject = Subject::text,
     .row_meaning = RowMeaning::entities},
    {.name = "ls",
     .summary = "contents of a scope, most expensive first",
     .help = "Rows are the scopes and nodes directly in a scope (the one named, else that of cd, "
             "else the whole model), with their time, its share of the scope, and their nodes. "
             "Names of scopes end with a slash.",
     .example = "ls\n"
                "ls gradients",
     .options = kNodeOptions | kFoldOptions,
     .make = OnNodes<ListScope>,
     .tables = ListScopeTables,
     .subject = Subject::scope,
     .row_meaning = RowMeaning::entities},
    {.name = "diff",
     .summary = "changes against another profile, with limits for CI",
     .help =
         "Rows are those of op (or of -view) in this profile and in the base, paired by name, "
         "largest change first: before, after, change, and whether a row is new or gone. Tables "
         "hide rows without a change; -unchanged shows them. p and significance compare a change "
         "with the spread of the steps, if each profile has at least 4. The base is the FILE after "
         "diff, or that of --base or `load FILE as base`. -fail-if 'step>+5%' or "
         "'op:MatMul.micros>+10%' sets a limit: exceeding it gives exit status 6; with 'step>+5% "
         "p<0.05' only if the change is significant. `flame OUT.html -diff` draws the changes.",
     .example = "diff testdata/tensorflow/convnet/profile.pb -n 5\n"
                "diff testdata/tensorflow/convnet/profile.pb -view scope -max_depth 3",
     .options = kTreeOptions | kFlopsOptions | kStepOption | kTableOptions | kPlaceOptions |
                kNameOptions | kDiffOptions | kPairOptions | kAnswerOptions,
     .make = Diff,
     .tables = DiffTables,
     .subject = Subject::base,
     .row_meaning = RowMeaning::entities},
    {.name = "planes",
     .summary = "lists planes, lines and devices of a trace",
     .help =
         "A plane is a host process, a device or a table of the trace. Its lines are threads, "
         "streams, or derived from those. Times are sums over the events of a line; busy is their "
         "union. For devices, only lines that measure work count, and only events with a duration.",
     .example = "planes\n"
                "planes -where 'events > 0' -order_by busy_us",
     .options = kTableOptions | kPlaceOptions | kAnswerOptions,
     .make = Planes,
     .tables = PlanesTables,
     .by_category = AddThreadTables,
     .needs = Needs::trace},
    {.name = "events",
     .summary = "the recorded events, one per row",
     .help = "One row per event, by line and start, without aggregation; self time is the duration "
             "minus the events directly inside. -columns, -where and -order_by also accept any "
             "recorded attribute, such as correlation or kernel_details. -n limits the rows; csv, "
             "tsv, json and jsonl write any number.",
     .example = "events -n 20\n"
                "events -where 'duration_us > 1' -order_by duration_us -n 10",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = EventsView,
     .tables = EventsTables},
    {.name = "kernels",
     .summary = "GPU kernels, with launch parameters",
     .help = "One row per kernel, launch parameters and operation over all GPUs, longest total "
             "first. A kernel is a stream event with launch parameters. Tensor-core use is "
             "inferred from names of kernels and operations. -by name, "
             "op or launch merges rows. -host and -device select GPUs, -step a step.",
     .example = "kernels -n 10\n"
                "kernels -by op -n 10\n"
                "kernels -columns kernel,launches,time_us -where 'share_pct > 1%'",
     .options =
         kTableOptions | kPlaceOptions | kStepOption | kKernelOptions | kByOption | kAnswerOptions,
     .make = Kernels,
     .tables = KernelsTables,
     .by_category = AddKernelTable,
     .reads = kDurationsOfDevices,
     .reads_programs = true,
     .needs = Needs::gpu,
     .rows_by = kKernelRows},
    {.name = "op_stats",
     .summary = "framework operations by self time, on devices and hosts",
     .help = "One row per operation, devices first, longest self time first: its time minus that "
             "of nested operations. Kernels and HLO instructions count for their framework "
             "operation. Table with_idle has rows for idle time, without_idle has none; shares are "
             "within a side (device or host). -host and -device select hosts and devices.",
     .example = "op_stats -n 10\n"
                "op_stats -where 'side = Host' -order_by runs",
     .options = kTableOptions | kPlaceOptions | kStepOption | kFoldOptions | kAnswerOptions,
     .make = OpStats,
     .tables = OpStatsTables,
     .by_category = AddOpTable,
     .reads_programs = true,
     .needs = Needs::trace},
    {.name = "hlo",
     .summary = "HLO instructions and executions of compiled programs, with their cost",
     .help = "One row per XLA instruction that ran, longest self time first; then the programs, "
             "with the number of their executions and the mean, shortest and longest one. "
             "TPUs record flops and bytes; for GPUs they are computed from the program by XLA's "
             "rules, and those of library calls from the shapes of their operands. -all, -program "
             "and -stage show all instructions, whether they ran or not, and so do dumped "
             "programs; -instruction shows one with its operands, its users and what it fuses. "
             "-output text prints them as XLA does, -output dot draws them. -by category or "
             "program is a tree with utilization and wasted flops.",
     .example = "hlo -n 10\n"
                "hlo -by category -n 10\n"
                "hlo -columns instruction,time_us,text -n 3\n"
                "hlo -all -n 10",
     .options =
         kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions | kProgramOptions | kByOption,
     .make = Hlo,
     .tables = HloTables,
     .reads_programs = true,
     .needs = Needs::trace,
     .rows_by = kInstructionRows},
    {.name = "critical_path",
     .summary = "the chain of instructions or graph nodes that bounds the time of parallel work",
     .help = "Rows are the instructions of a compiled program, or the nodes of a graph, each of "
             "which needs the result of the one before it, and whose self times sum to most: more "
             "devices or streams do not make it shorter. Of several programs, the one with most "
             "time comes first. Paths lead into loops and calls and out again. Instructions "
             "without a measured time are passed, but are no rows.",
     .example = "critical_path\n"
                "critical_path -where 'share_pct > 10'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = CriticalPath,
     .tables = CriticalPathTables,
     .reads_programs = true},
    {.name = "compile",
     .summary = "what was traced and compiled, how often, and for how long",
     .help =
         "One row per function that was traced or compiled in a call, longest first: its calls, "
         "how many of them traced and compiled it, and the time of that; then each of these "
         "calls. A function that is traced or compiled in many calls is called with ever new "
         "arguments, or is a new function each time: if the trace has its programs, the "
         "arguments in which they differ are below the rows.",
     .example = "compile\n"
                "compile -where 'compiles > 1'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Compile,
     .tables = CompileTables,
     .reads_programs = true,
     .needs = Needs::trace},
    {.name = "roofline",
     .summary = "operations against the peaks of the device",
     .help = "The intensity of an operation (flops per byte) decides whether compute or memory "
             "limits it; the roofline is what the device can attain at that intensity. Rows are "
             "the total of all operations with known cost, each program and each instruction; then "
             "the devices with their peaks. Efficiency is the share of the closer peak.",
     .example = "roofline -n 10\n"
                "roofline -where 'kind = program'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Roofline,
     .tables = RooflineTables,
     .reads_programs = true,
     .needs = Needs::device},
    {.name = "memory",
     .summary = "memory of allocators, and what holds it at the peak",
     .help =
         "One row per allocator with its peak memory in use; then the allocations that were "
         "live at the peak, equal ones grouped; then every allocation and free in time order. "
         "-host selects hosts, -device allocators by name. -at peak shows the peaks alone, and of "
         "compiled programs the buffers that they hold when they hold most. -at times shows memory "
         "over time: in use, reserved, on the heap and free, with fragmentation. -at 12.5ms, or "
         "any "
         "other time from time 0 of the profile, shows what was in use and allocated then.",
     .example = "memory\n"
                "memory -where 'peak_bytes > 1MiB'\n"
                "memory -at times\n"
                "memory -at 12.5ms\n"
                "memory -at peak",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions | kMomentOptions,
     .make = Memory,
     .tables = MemoryTables,
     .by_category = AddMemoryTables,
     .device_is_allocator = true},
    {.name = "overview",
     .summary = "a trace on one screen: step breakdown, top operations, recommendations",
     .help =
         "Shows the hardware, the step time and its breakdown, the ten device operations with "
         "the longest self time, and findings with recommendations. Steps are those of `input`.",
     .example = "overview\n"
                "overview -device GPU:0",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Overview,
     .tables = OverviewTables,
     .by_category = AddDeviceTable,
     .reads_programs = true,
     .needs = Needs::trace},
    {.name = "input",
     .summary = "whether steps wait for input, and recommendations",
     .help = "Shows the step breakdown over all hosts, one row per step and one per input pipeline "
             "operation, and findings with recommendations. Input time is waiting for input and "
             "host-to-device copies. With more than five steps the first and last are excluded: "
             "recording started and ended in them.",
     .example = "input\n"
                "input -where 'input_us > 1ms'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = InputView,
     .tables = InputTables,
     .reads_programs = true,
     .needs = Needs::trace},
    {.name = "pod",
     .summary = "the steps of all hosts side by side",
     .help = "One row per step and host, for the steps that all hosts have, matched by time. All "
             "devices of a host count together. Each part is the time in which no part ranked "
             "above it was active; bottleneck names the largest.",
     .example = "pod\n"
                "pod -order_by duration_us -n 5",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Pod,
     .tables = PodTables,
     .needs = Needs::trace},
    {.name = "jobs",
     .summary = "several jobs side by side",
     .help =
         "One row per job: each folder or file that was opened is one. A folder of tfprof-capture "
         "is "
         "a job of as many processes as its manifest names. Nothing of different jobs is added up. "
         "Busy and idle times are means of the devices of a job, by the definition of `summary`; "
         "the finding is its first one there. Other commands are about one job: `load` opens "
         "another one.",
     .example = "jobs\n"
                "jobs -order_by idle_pct",
     .options = kTableOptions | kAnswerOptions,
     .make = Jobs,
     .tables = JobsTables,
     .reads_programs = true,
     .shows_jobs = true},
    {.name = "tfdata",
     .summary = "tf.data input pipelines: slow calls, bottlenecks, recommendations",
     .help =
         "A pipeline is a root iterator and the iterators that work for it, on its thread or "
         "on others. Calls longer than 50 us are slow. The bottleneck of a call is the "
         "iterator with the longest self time among those the program waited for. Pipelines "
         "that only copy elements to a device are listed without a verdict. -output dot draws the "
         "stages of the pipelines.",
     .example = "tfdata\n"
                "tfdata -where 'time_us > 1us' -order_by time_us",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = TfData,
     .tables = TfDataTables,
     .needs = Needs::trace},
    {.name = "transfers",
     .summary = "copies to, from and between devices",
     .help = "One row per device, direction and memory kind, with bytes, time, bandwidth and the "
             "time overlapped by kernels on the same device; then every copy, longest exposed "
             "first. Only "
             "copies recorded on devices count, not the host calls that request them.",
     .example = "transfers\n"
                "transfers -where 'direction = host to device' -n 5",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Transfers,
     .tables = TransfersTables,
     .reads_programs = true,
     .needs = Needs::copies},
    {.name = "collectives",
     .summary = "collective communication: bytes, bandwidth, exposed time, waits",
     .help = "One row per device and collective operation, longest first; then the time that each "
             "device waited for the last. Bandwidths are those of nccl-tests. Exposed time is time "
             "in which nothing else computes on the device. -host and -device select devices, "
             "-step a step.",
     .example = "collectives\n"
                "collectives -where 'exposed_us > 100us'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Collectives,
     .tables = CollectivesTables,
     .reads_programs = true,
     .needs = Needs::device},
    {.name = "sync",
     .summary = "host and stream waits for devices",
     .help = "One row per thread and blocking call, and per stream and event that waits for "
             "another stream; then the waiting time of each track. Blocking calls are recognized "
             "by name: cudaStreamSynchronize, BlockHostUntilDone, block_until_ready, ...",
     .example = "sync\n"
                "sync -where 'time_us > 100us'",
     .options = kTableOptions | kPlaceOptions | kStepOption | kAnswerOptions,
     .make = Sync,
     .tables = SyncTables,
     .needs = Needs::trace},
    {.name = "launch",
     .summary = "delays between launches and device work, and queues of streams",
     .help =
         "One row per device and kernel, copy or fill: the time from the end and from the start "
         "of the call that launched it to its own start. Then one row per stream with the "
         "length of its queue: the work that was launched and has not started. Calls and work "
         "are linked by the correlation numbers that the recorder gives to both.",
     .example = "launch -n 10\n"
                "launch -where 'max_launch_delay_us > 100us'",
     .options = kTableOptions | kFoldOptions | kAnswerOptions,
     .make = Launch,
     .tables = LaunchTables,
     .by_category = AddLaunchTables,
     .needs = Needs::device},
    {.name = "utilization",
     .summary = "how busy each device was over the capture",
     .help = "One row per device and bucket of time; then each device over the whole capture. All "
             "devices have the same buckets: 60 at most, of 1, 2 or 5 times a power of ten. A "
             "device is busy while a kernel, an operation or a copy runs on one of its streams. "
             "Idle time is that of planes: within the steps, if there are any.",
     .example = "utilization\n"
                "utilization -where 'busy_pct < 50%' -n 10",
     .options = kTableOptions | kPlaceOptions | kAnswerOptions,
     .make = Utilization,
     .tables = UtilizationTables,
     .reads_programs = true,
     .needs = Needs::device},
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
  // The hosts' events mark the steps, and their times decide which events are in a step. They also
  // launch kernels.
  const bool reads_hosts = query.place.step >= 0 || query.rows_by == RowsBy::launch;
  return reads_hosts ? EventsRead() : view.reads;
}

}  // namespace tfprof
