// SPDX-License-Identifier: Apache-2.0
// The texts of all findings, one row each; no other file contains such texts.
#include <fmt/format.h>

#include <iterator>

#include "views/advice/finding.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

using enum FindingId;

constexpr std::string_view kSeverities[] = {"high", "medium", "low", "info"};

// Commands that several findings share.
constexpr std::string_view kStepsOfDevice =
    "steps -where 'device ~ ^{device_pattern}$'[ -host {host_word}]";
constexpr std::string_view kSteps = "steps[ -host {host_word}]";
constexpr std::string_view kNodeTimes =
    "scope -show_name_regexes {pattern} -select micros,device -max_depth {depth}";

constexpr std::string_view kTimeRunning =
    "mean over all steps of the time in which at least one of them runs";
constexpr std::string_view kNodeEvidence = "{time} for {node} ({type})";
constexpr std::string_view kTypeWhat =
    "{type} takes {share} of operation time[, up to {of_steps} of step time][, up to {of_trace} of "
    "the time that the trace covers]";
constexpr std::string_view kTypeEvidence =
    "{time} in {operations|operation}[; {costliest_share} in {costliest} alone][; {runs|run}, "
    "{each} each][; more on the CPU ({cpu}) than on the accelerator ({accelerator})]";
constexpr std::string_view kTypeCommand =
    "op -show_name_regexes {pattern} -select micros,occurrence";
constexpr std::string_view kTypeThreshold =
    "{limit}% of operation time; of a trace also of step time";
constexpr std::string_view kLongestInStep = "{longest} in {step}";
constexpr std::string_view kMeanOfCopies =
    "mean over the steps of the copy time in which nothing computes";
constexpr std::string_view kSlowFirstWhat =
    "{step} takes {times} times as long as the others; averages over the steps include it";

constexpr std::string_view kWallFormula =
    "wall time in which that happens while devices are idle, per step (without steps: in all)";
constexpr std::string_view kWallText = "{limit}% of wall time";
constexpr std::string_view kOverview = "overview";

constexpr FindingText kCatalogue[] = {
    {accelerator_underused, "accelerator_underused", "AcceleratorUtilizationChecker",
     "{device} is busy for {share} of its step time[; {found} of {all} devices are below the "
     "threshold]",
     "{busy} busy of {step_time} in step {step}[; {for_other_steps} for other steps]",
     "mean over all steps of (step duration - time in which anything runs on the device)",
     kBusyThreshold, "busy for less than {limit}% of step time",
     "Give the device more work per launch: larger batches, XLA, CUDA graphs. Have its input ready "
     "earlier.",
     kStepsOfDevice},
    {dominant_type, "dominant_type", "ExpensiveOperationChecker", kTypeWhat, kTypeEvidence,
     kTimeRunning, kTypeShareThreshold, kTypeThreshold,
     "Run `why` to see what makes it expensive. Fuse operations that are short and run often.[ "
     "{code}`code` shows the lines that create it.]",
     kTypeCommand},
    {dominant_async_done_type, "dominant_awaiting_type", "ExpensiveOperationChecker",
     "{type} waits for {share} of operation time[, up to {of_steps} of step time][, up to "
     "{of_trace} of the time that the trace covers]",
     "{time} in {operations|operation}; it only waits for concurrent work, such as copies",
     kTimeRunning, kTypeShareThreshold, kTypeThreshold,
     "Shorten what it waits for, or start it earlier: see `transfers` or `timeline OUT.json`.[ "
     "{code}`code` shows the lines that create it.]",
     kTypeCommand},
    {dominant_scope, "dominant_scope", "ExpensiveOperationChecker",
     "[{is_scope}scope ][{is_operation}operation ]{scope} takes {share} of operation time[, up to "
     "{of_steps} of step time][, up to {of_trace} of the time that the trace covers]",
     "{time} in[{is_operation} one operation][ {parts} nodes and scopes, none of which takes half "
     "of all]",
     kTimeRunning, kScopeThreshold, "{limit}% of operation time; of a trace also 20% of step time",
     "Run `why` to see what makes it expensive.[ {code}`code` shows the lines that create it.]",
     "scope -show_name_regexes {pattern} -select micros -max_depth {depth}"},
    {nhwc_on_accelerator, "nhwc_on_accelerator", "OperationChecker",
     "{operations|convolution or pooling operation} on an accelerator with data_format NHWC",
     kNodeEvidence, kTimeRunning, kNoReal, "any that ran",
     "Try data_format NCHW, which is usually faster on GPUs, and measure again.", kNodeTimes},
    {unfused_batch_norm, "unfused_batch_norm", "OperationChecker",
     "batch normalization consists of {operations|operation}", kNodeEvidence, kTimeRunning, kNoReal,
     "any that ran", "Use FusedBatchNorm, which is a single operation, and measure again.",
     kNodeTimes},
    {no_run, "no_run", "JobChecker", "no run was recorded: only the graph is known",
     "{graph_nodes} graph nodes, no step", "", kNoReal, "no run", "Record a run; `info` shows how.",
     "info"},
    {no_step, "no_step", "JobChecker", "no step was recorded: steps are not judged",
     "[{graph_nodes} graph nodes][{executions} executions of operations], no step", "", kNoReal,
     "no step", "Mark the steps; `info` shows how.", "info"},
    {one_step, "one_step", "JobChecker", "one step was recorded, which may not be typical",
     "{duration} is the duration of step {step}", "", 2, "fewer than {limit} steps",
     "Record several steps.", kSteps},
    {input_not_recorded, "input_not_recorded", "JobChecker",
     "it is unknown whether steps wait for input: no event that makes input or waits for it was "
     "recorded",
     "longest self time {longest} ({event}); self times in steps: {work}", "", kNoReal,
     "steps of hosts without input events",
     "Check whether one of these events makes the input. If so, let it work ahead on a thread of "
     "its own, or make the input with tf.data.",
     "events[ -where 'name ~ ^{event_pattern}$'] -order_by self_us"},
    {low_coverage, "low_coverage", "JobChecker",
     "the runs cover {share} of the graph: other nodes did not run, or ran under names that the "
     "graph lacks",
     "{covered} of {known} nodes after {file}", "", kCovered, "less than {limit}% of the nodes",
     "Record runs of the same graph.", "info"},
    {few_shapes, "few_shapes", "JobChecker",
     "{share} of the graph's nodes have output shapes: input_shapes are not known for the rest",
     "{with_shapes} of {graph_nodes} nodes", "", kCovered, "less than {limit}% of the nodes",
     "Save the graph with add_shapes=True.", "info"},
    {streams_not_traced, "streams_not_traced", "JobChecker",
     "operations ran on {device}, but its streams were not traced: accelerator times are not "
     "recorded",
     "{executions} executions, seen from the host only", "", kNoReal, "any device",
     "Record on a machine with the accelerator's tracing library (for NVIDIA: CUPTI).", "info"},
    {device_idle, "device_idle", "DeviceIdleChecker",
     "{device} is idle for {share} of its step time[; {found} of {all} devices are above the "
     "threshold]",
     "longest gap {gap} (step {step}, before {before}); {gaps|gap} in {steps|step}",
     "mean over all steps of the time in which nothing runs on it", kIdleThreshold,
     "{limit}% of the time of the steps in which it runs",
     "See in `timeline OUT.json` what the host does during the gaps.", kStepsOfDevice},
    {cpu_between_accelerator, "cpu_between_accelerator", "PlacementChecker",
     "{operations|CPU operation} between accelerator operations: the accelerator waits for the CPU "
     "and two copies",
     kNodeEvidence, kTimeRunning, kNoReal, "any that ran",
     "Place them on the accelerator, or outside of the step.", kNodeTimes},
    {copy_engine_busy, "copy_engine_busy", "CopyChecker",
     "{device} copies between host and device for {share} of a step",
     "{longest} in step {step}; {largest_time} of {time} are {largest}",
     "mean over all steps of the time in which at least one copy runs", kCopiesThreshold,
     "{limit}% of a step",
     "Copy less and earlier: smaller types, prefetch_to_device. Read results every few steps.",
     kStepsOfDevice},
    {exposed_copies_in, "exposed_copies_in", "CopyChecker",
     "copies to devices take {share} of step time while nothing computes", kLongestInStep,
     kMeanOfCopies, kCopiesThreshold, "{limit}% of step time",
     "Have the next batch on the device before the step needs it: "
     "tf.data.experimental.prefetch_to_device at the end of the pipeline, or jax.device_put one "
     "step ahead. Copy smaller types and convert them there.",
     "pod -order_by input_us"},
    {exposed_copies_out, "exposed_copies_out", "CopyChecker",
     "copies from devices[, called by {function},] take {share} of step time while nothing "
     "computes",
     kLongestInStep, kMeanOfCopies, kCopiesThreshold, "{limit}% of step time",
     "Read results back less often: losses and metrics every few steps, and not within the step.",
     "pod -order_by output_us"},
    {exposed_collectives, "exposed_collectives", "CollectiveChecker",
     "exposed communication takes {share} of step time: devices exchange data and compute nothing",
     "{longest} in {step}; collectives run for {running} of step time, {overlapped} of that "
     "overlapped",
     "mean over the steps of the time of collectives in which nothing computes",
     kModerateCollectives, "{limit}% of step time",
     "Overlap communication with compute, or reduce it: fewer and larger pieces, smaller types, "
     "gradient accumulation over several steps.",
     "pod -order_by collectives_us"},
    {stalled_on_async, "stalled_on_async", "StallChecker",
     "devices are stalled on async copies and collectives for {share} of step time", kLongestInStep,
     "mean over the steps of the time in which devices only wait for async work", kModerateStalls,
     "{limit}% of step time",
     "Keep what each step needs in device memory instead of host memory. Copy it in fewer and "
     "larger pieces, and start copies earlier.",
     "pod -order_by stalled_us"},
    {step_time_without_device_work, "step_time_without_device_work", "OtherTimeChecker",
     "devices are idle for {share} of step time: they wait for launches or for the host",
     kLongestInStep, "mean over the steps of their part `other`", kHighOther,
     "{limit}% of step time",
     "Give the device more work per launch: larger batches, several steps in one tf.function or "
     "jit[{gpu}, XLA (jit_compile=True)], and no results read in between.[{gpu} On GPUs, "
     "TF_GPU_THREAD_MODE=gpu_private gives launches a thread of their own.]",
     "pod -order_by other_us"},
    {step_time_without_operations, "step_time_without_operations", "OtherTimeChecker",
     "no operation was recorded for {share} of step time", kLongestInStep,
     "mean over the steps of their part `other`", kHighOther, "{limit}% of step time",
     "Check what Python does within the steps: logging, metrics, callbacks, creating arrays. "
     "python_tracer_level=1 records it.",
     "pod -order_by other_us"},
    {time_between_steps, "time_between_steps", "StepGapChecker",
     "{share} of the time from the first step to the last is between steps[{has_devices}, device "
     "idle]",
     "mean gap {mean}, max {longest}",
     "mean time from the end of a step to the start of the next one", kModerateGaps,
     "{limit}% of the time from the first step to the last",
     "See in `timeline OUT.json` what the program does between steps: evaluation, checkpoints, "
     "summaries, callbacks, waiting for input or for results.",
     "overview"},
    {late_device, "late_device", "StragglerChecker",
     "{device} comes last to collectives: others wait for it for {share} of step time[; {also} of "
     "{others} other devices of its host are late too]",
     "{exchange} in collectives in step {step}; the median of the others is {others_exchange}",
     "mean over the steps of (median exchange time of the others - its own)", kStragglerThreshold,
     "{limit}% of step time",
     "Compare it with the others: `pod` and `steps` list hosts and devices. Check its input, its "
     "clock, and other programs on it.",
     kStepsOfDevice},
    {slow_host, "slow_host", "StragglerChecker",
     "steps take {times} times as long on {host} as on the other hosts[{not_in_step}; hosts do not "
     "run in step]",
     "{longest} in {step}; the mean is {mean}, the median of the others {others_mean}",
     "mean wall time of a step there - median of the means of the other hosts", kSlowestHost,
     "{limit} times the median of the others",
     "Compare it with the others: `pod` lists steps by host. Check its input and other programs on "
     "it.",
     "pod -columns host,step_name,wall_us,duration_us -order_by wall_us"},
    {slow_first_step, "slow_first_step", "FirstStepChecker", kSlowFirstWhat,
     "{duration} against a median of {median} for {others|other step}",
     "(first step - median of the others) / number of steps: what it adds to the mean", kSlowFirst,
     "{limit} times the median of the others",
     "Start recording some steps later: the first one traces, compiles and fills caches. `-step "
     "{other_step}` shows another step.",
     kSteps},
    {steps_vary, "steps_vary", "StepVariationChecker",
     "the slowest step takes {times} times as long as the fastest[, mostly by {work}][{same_work}; "
     "all do nearly the same work]",
     "{slowest} in {slow_step}, {fastest} in step {fast_step}[; {grown}]",
     "[{of_time}mean step duration - the fastest one][{of_work}mean of the work that varies - its "
     "lower quartile], without the first step[{without_last} and the last]",
     kVaries, "slowest - fastest step is {limit}% of the median",
     "Compare the slowest step with another one: `-step N`.", kSteps},
    {memory_at_peak, "memory_at_peak", "PeakMemoryChecker",
     "largest holder of memory at the peak of {allocator}: {operation}, {share}",
     "{in_use} in use[, {of_capacity} of its capacity]: {holders}", "", kNoReal,
     "any allocations that were recorded",
     "Use smaller batches or types, or recompute activations instead of keeping them.",
     "memory -where 'allocator ~ ^{allocator_pattern}$'[ -host {host_word}]"},
    {largest_peak_memory, "largest_peak_memory", "PeakMemoryChecker",
     "{operation} has the largest peak memory: {share} of the peaks of all operations",
     "{peak} at its peak ({type})[; then {then}][; its allocator had {allocator_in_use} in use "
     "after {after}]",
     "", kNoReal, "10% of 1 GiB: no device has less",
     "Use smaller batches or types, or recompute activations instead of keeping them.",
     "scope -show_name_regexes {pattern} -select peak_bytes,output_bytes -max_depth {depth}"},
    {input_bound, "input_bound", "InputBoundChecker",
     "input takes {share} of[{of_capture} the capture][{of_steps} step time][ on {host}]:[{waits} "
     "waiting for it][{waits_and_copies} and][{copies} copying it to devices while nothing "
     "computes][, mostly for {loader}][, which calls {maker}][ and sleeps ({sleeps})][; the stage "
     "{stage} takes most][{pyfunc}: it calls Python (PyFunc)][, mostly in "
     "{in_operation}][{serial}: one element at a "
     "time][{inline}; it runs in the step: no prefetch at the end]",
     "{share} of the time of {steps|step}; {longest} in {step}[; {iterator} takes the most time, "
     "{iterator_time} in {calls|call}][. {python}]",
     "mean over the steps[ of that host {of_host}] of the time that goes into input",
     kModerateInput, "{limit}% of step time",
     "[Make {iterator} faster. {iterator_advice}][{no_iterator}Read and prepare input ahead of the "
     "step: dataset.prefetch(tf.data.AUTOTUNE) in tf.data, DataLoader(num_workers=N) in "
     "PyTorch.][{only_copies}Have the next batch on the device before the step needs it: "
     "tf.data.experimental.prefetch_to_device, or jax.device_put one step ahead. Copy smaller "
     "types and convert them there.]",
     "input[ -host {host_word}]"},
    {float32_products, "float32_products", "PrecisionChecker",
     "products of float32 matrices use no tensor cores: {of_kernels} of kernel time, {share} of "
     "{whole}",
     "{share} is {time}[{per_step} a step] in such kernels", kWallFormula, kMuchOfWall, kWallText,
     "[{has_tf32}Let tensor cores round factors to TF32: "
     "torch.set_float32_matmul_precision('high') in PyTorch, "
     "jax_default_matmul_precision='tensorfloat32' in JAX. Or compute in 16 bit: torch.autocast, "
     "bfloat16 arrays in JAX, "
     "tf.keras.mixed_precision.set_global_policy('mixed_bfloat16').][{only_float16}Compute in "
     "float16, the only type of such GPUs for tensor cores: torch.autocast('cuda', torch.float16) "
     "with a GradScaler in PyTorch, float16 arrays in JAX, "
     "tf.keras.mixed_precision.set_global_policy('mixed_float16').]",
     kOverview},
    {compiles_again, "compiles_again", "ProgramCallChecker",
     "[{function} is compiled again][{programs} programs ({names}) are compiled] in the steps "
     "({compiles|time}): compiling takes {share} of {whole}",
     "{share} is {time}[{per_step} a step] in calls[ of {function}] that compile", kWallFormula,
     kWallThreshold, kWallText,
     "Give it arguments of the same shapes and types: pad or bucket batches. Call jax.jit once, "
     "outside of the loop: a new lambda or partial in each step is a new function. "
     "JAX_LOG_COMPILES=1 or TORCH_LOGS=recompiles prints what is compiled; torch.compile takes "
     "dynamic=True.",
     kOverview},
    {compiles_first_step, "compiles_first_step", "ProgramCallChecker",
     "{step} compiles [{function}][{programs} programs ({names})]: it takes {times} times as long "
     "as the others, {share} of {whole}",
     "{share} is {time}[{per_step} a step] in calls[ of {function}] that compile", kWallFormula,
     kWallThreshold, kWallText,
     "Start recording after the first step, or skip it with `-step`: training itself compiles "
     "once.",
     kOverview},
    {traces_again, "traces_again", "ProgramCallChecker",
     "{function} is traced again in {traced} of {calls|call}: building its graph takes {share} of "
     "{whole}",
     "{share} is {time}[{per_step} a step] in calls of {function} that trace it", kWallFormula,
     kWallThreshold, kWallText,
     "Pass tensors instead of Python numbers, and tensors of the same shapes, or declare them with "
     "input_signature or reduce_retracing=True. Create the tf.function once, outside of the loop.",
     kOverview},
    {python_callback, "python_callback", "ProgramCallChecker",
     "{program} waits for [{python}Python][{printing}printing][{summaries}writing summaries]: "
     "{callback}[ calls {function}] for {share} of {whole}",
     "{share} is {time}[{per_step} a step] in {callback}", kWallFormula, kWallThreshold, kWallText,
     "Compute it in the program, or do it every few steps.", kOverview},
    {creates_iterators, "creates_iterators", "ProgramCallChecker",
     "input iterators are created in the steps ({iterators|time}): creating them takes {share} of "
     "{whole}",
     "{share} is {time}[{per_step} a step] in which nothing computes", kWallFormula, kWallThreshold,
     "more than once, and {limit}% of wall time",
     "Create the iterator once, outside of the loop: each new one starts the data set over. "
     "Keras's fit, evaluate and predict create one per call: call the model itself, or "
     "predict_on_batch().",
     kOverview},
    {eager_execution, "eager_execution", "ProgramCallChecker",
     "eager execution: {ops|operation} a step[ beside {function}] started one by one from Python "
     "take {share} of {whole}[{alone} (no tf.function, or run_eagerly=True)]",
     "{share} is {time}[{per_step} a step] in which nothing computes", kWallFormula, kWallThreshold,
     "more than 20 operations a step and {limit}% of wall time",
     "Put the step into a tf.function. In Keras, do not compile with run_eagerly=True.", kOverview},
    {small_operations, "small_operations", "ProgramCallChecker",
     "{ops}[{small} tiny] [{operations}operations][{launches}launches] a step[, most in {places}] "
     "({names}): starting them one by one takes {share} of {whole}",
     "{share} is {time}[{per_step} a step][{small} in operations shorter than 20 us, and between "
     "them]",
     kWallFormula, kWallThreshold, "more than 20 operations a step and {limit}% of wall time",
     "Compute on whole tensors instead of in loops. torch.compile and CUDA graphs start many "
     "operations at once; optimizers do with foreach=True or fused=True.",
     kOverview},
    {many_programs, "many_programs", "ProgramCallChecker",
     "{programs|program} a step ({names}): starting them takes {share} of {whole}",
     "{share} is {time}[{per_step} a step] in which nothing computes", kWallFormula, kWallThreshold,
     "more than 10 programs a step and {limit}% of wall time",
     "Many small programs: [{several}put {jit} around the whole step.][call {one} for all "
     "parameters in one program: {jit} around the loop.][{map} Or call it in jax.tree.map.]",
     kOverview},
    {small_program, "small_program", "ProgramCallChecker",
     "{program} computes for {compute} a step: starting it and waiting for it takes {share} of "
     "{whole}[{keras} (train function: larger batch)][; a loop of small operations in "
     "its graph: {pieces} pieces a step]",
     "{share} is {time}[{per_step} a step] in which nothing computes", kWallFormula, 50,
     "{limit}% of wall time in which single programs are started",
     "Use larger batches.[{loops} Unroll the loop, or compile it with XLA "
     "(jit_compile=True).][{jax} Run several steps in one program with jax.lax.scan.][{keras} "
     "Keras: steps_per_execution runs several steps per call of the train function.]",
     kOverview},
    {other_programs, "other_programs", "ProgramCallChecker",
     "beside {main}, steps start {names}: starting other programs and single operations takes "
     "{share} of {whole}[{keras} (predict or evaluate in a callback?)]",
     "{share} is {time}[{per_step} a step] in which nothing computes", kWallFormula, kMuchOfWall,
     "{limit}% of wall time in such starts",
     "Run them every few steps, or make them part of the step's program.", kOverview},
    {waits_for_results, "waits_for_results", "ProgramCallChecker",
     "{call} of an array waits for the program in each step, so that {function} runs while devices "
     "are idle: {share} of {whole}",
     "{share} is {time}[{per_step} a step] in {function}, device idle", kWallFormula, kMuchOfWall,
     "{limit}% of wall time in such waits, and in the function",
     "Read results every few steps, or one step late: until then the host works ahead.", kOverview},
    {waits_for_devices, "waits_for_devices", "ProgramCallChecker",
     "the host waits for the device {waits|time} a step, mostly in {call}[, called by {function}]: "
     "the device then has no work and is idle for {share} of {whole}",
     "{recorded|wait} of that thread; idle times in which one ends are {time}[{per_step} a step]",
     kWallFormula, kWallThreshold, "more than 3 waits a step, and {limit}% of wall time",
     "Keep results on the device, and read them together every few steps: one tensor instead of "
     "item() for each. torch.where or a product with the mask needs no number of elements on the "
     "host. Time kernels with torch.cuda.Event instead of torch.cuda.synchronize().",
     "sync"},
    {python_function, "python_function", "HostTimeChecker",
     "steps wait for the Python function {function} for {share} of {whole}[, which "
     "sleeps ({sleeps})][, which waits ({waits})][{computes}, which computes in Python][, mostly "
     "in {calls}]",
     "{share} is {time}[{per_step} a step] in {function}, device idle", kWallFormula,
     kWallThreshold, kWallText,
     "Let it work ahead on a thread of its own while the device computes, make it cheaper, or call "
     "it every few steps.",
     kOverview},
    {host_region, "host_region", "HostTimeChecker",
     "devices are idle in the region {region} for {share} of {whole}",
     "{share} is {time}[{per_step} a step] in {region}, device idle", kWallFormula, kWallThreshold,
     kWallText,
     "Let it work ahead on a thread of its own while the device computes, or make it cheaper.",
     kOverview},
    {host_operation, "host_operation", "HostTimeChecker",
     "steps wait for {operation}, which runs on the host, for {share} of {whole}",
     "{share} is {time}[{per_step} a step] in {operation}, device idle", kWallFormula,
     kWallThreshold, kWallText,
     "Keep its inputs on the device, so that it runs there, or let it work ahead on another "
     "thread.",
     kOverview},
    {device_memory, "device_memory", "HostTimeChecker",
     "steps wait for the driver, which allocates and frees memory of the device ({calls})[, called "
     "by {function}]: {share} of {whole}",
     "{share} is {time}[{per_step} a step] in such calls, device idle", kWallFormula,
     kWallThreshold, kWallText,
     "Let the framework keep memory that it got: no torch.cuda.empty_cache() in steps. Without "
     "such calls, memory is nearly full or in pieces: "
     "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True, smaller batches.",
     kOverview},
    {garbage_collector, "garbage_collector", "HostTimeChecker",
     "[{called}gc.collect()][{by_itself}Python's garbage collector] takes {share} of {whole}[, "
     "while {function} makes objects]",
     "{share} is {time}[{per_step} a step] of garbage collection, device idle", kWallFormula,
     kWallThreshold, kWallText,
     "[{called}Call it every few hundred steps.][{by_itself}Make fewer objects (arrays instead of "
     "lists of Python objects). gc.freeze() after setup and a higher gc.set_threshold() let it run "
     "less often.]",
     kOverview},
    {checkpoint_in_steps, "checkpoint_in_steps", "HostTimeChecker",
     "[steps wait for {function}, which writes a checkpoint][{no_function}a checkpoint is written "
     "in the steps][ ({ops})]: {share} of {whole}",
     "{share} is {time}[{per_step} a step] between train functions", kWallFormula, kWallThreshold,
     kWallText, "Write checkpoints every few hundred steps, or asynchronously.", kOverview},
    {waits_for_queue, "waits_for_queue", "HostTimeChecker",
     "steps wait in {call} for {share} of {whole}[: the thread that fills the queue is "
     "in {other}][{other_sleeps}, which sleeps]",
     "{share} is {time}[{per_step} a step] in {call}, device idle", kWallFormula, kWallThreshold,
     kWallText, "Make the producer faster: more threads, or processes where Python computes.",
     kOverview},
    {waits_for_lock, "waits_for_lock", "HostTimeChecker",
     "[{function} waits][{no_function}steps wait] for a lock[ ({call})] for {share} of {whole}[: "
     "another thread holds it in {other}][: another thread holds it, in "
     "{other_call}][{other_sleeps}, which sleeps]",
     "{share} is {time}[{per_step} a step] waiting for it, device idle", kWallFormula,
     kWallThreshold, kWallText, "Hold the lock for a shorter time, or let the loop read a copy.",
     kOverview},
    {copies_in_steps, "copies_in_steps", "HostTimeChecker",
     "copies between host and device take {share} of {whole}[: {calls}]",
     "{share} is {time}[{per_step} a step] in copies, device idle", kWallFormula, kWallThreshold,
     kWallText, "Keep arrays on the device from step to step, and copy every few steps.",
     kOverview},
    {device_copies, "device_copies", "HostTimeChecker",
     "devices only copy, or wait for copies, for {share} of {whole}: nothing computes "
     "meanwhile",
     "{share} is {time}[{per_step} a step] of exposed copies", kWallFormula, kWallThreshold,
     kWallText,
     "Keep what each step needs in device memory. Copy it in fewer and larger pieces, and start "
     "copies earlier.",
     kOverview},
    {device_communication, "device_communication", "HostTimeChecker",
     "exposed communication takes {share} of {whole}: devices exchange data and "
     "compute nothing",
     "{share} is {time}[{per_step} a step] of exposed communication", kWallFormula, kWallThreshold,
     kWallText,
     "Overlap communication with compute, or reduce it: fewer and larger pieces, smaller types, "
     "gradient accumulation over several steps.",
     kOverview},
    {unrecorded_time, "unrecorded_time", "HostTimeChecker",
     "the device is idle for {share} of {whole}[, between executions of {program}], "
     "and the host recorded nothing[ but {beside}][{keras} (a callback? ModelCheckpoint?)]",
     "{share} is {time}[{per_step} a step] without events, device idle", kWallFormula,
     kWallThreshold, kWallText,
     "[{no_python}Record Python calls (tfprof-capture: --python-samples; JAX: "
     "python_tracer_level=1; PyTorch: with_stack=True), or mark what the program does there: "
     "][{python}Mark what the program does there: ]TraceAnnotation, "
     "tf.profiler.experimental.Trace, record_function or NVTX.",
     kOverview},
    {late_host, "late_host", "StragglerChecker",
     "{late} is the straggler: {other} waits for it in {collective} for {share} of {other_whole}[, "
     "while {late} is in {function}][, which sleeps ({sleeps})][{idle}, while {late} is idle and "
     "recorded nothing]",
     "{share} is {time}[{per_step} a step] longer in collectives than {late}",
     "mean over the steps of (exposed communication of the median host - its own)",
     kStragglerThreshold, "{limit}% of wall time",
     "Compare the hosts: `pod` lists their steps. Check the input of that host and other programs "
     "on it.",
     kOverview},
    {layout_changes, "layout_changes", "LayoutChecker",
     "layout changes ({opcodes})[ in {function}] take {of_ops} of the instruction time of "
     "{program}, {share} of {whole}",
     "{share} is {time}[{per_step} a step] in such instructions",
     "share of instruction time of compute time", 10, "{limit}% of the time of instructions",
     "Keep one layout through the program: let the model use the order of dimensions that its "
     "operations need.",
     kOverview},
    {array_copies, "array_copies", "LayoutChecker",
     "devices copy arrays to change their [{layout}layout][{type}type or layout] ({ops})[, called "
     "by {function}]: {share} of {whole}",
     "{share} is {time}[{per_step} a step] in such copies", "sum of the copies of a step",
     kMuchOfWall, "{limit}% of wall time",
     "[{layout}Keep one layout through the model, such as torch.channels_last for convolutions, "
     "instead of permute() and contiguous() back and forth.][{type}Convert what does not change "
     "once, before the loop, and keep arrays in the type in which they are used.]",
     kOverview},
    {steps_get_longer, "steps_get_longer", "GrowthChecker",
     "[{steps}each step takes {growth} longer than the one before][{function} takes {growth} "
     "longer in each step than in the one before][, in {part}]: {share} of {whole}",
     "{share} is beyond {first},[{steps} that of the second step; the last one takes "
     "{last}][{of_part} its median in the first third of the steps; in the last third {last}]",
     "mean over the steps of the time beyond that at the beginning", 1.5,
     "{limit} times as long at the end as at the beginning, and rising from step to step",
     "Look for lists, dictionaries or files that grow in each step.", kOverview},
    {arrays_kept, "arrays_kept", "GrowthChecker",
     "each step keeps [{vary}at least ]{kept|array}[, at most {bytes}] (results of {programs}): "
     "activations or gradients in a list?",
     "{freed|release} of arrays; {alive|array} more after the last step than after the second one"
     "[, each at most {largest}]",
     "", 4,
     "at least {limit} steps, each of which makes more arrays than are freed, by more than its "
     "results of one element",
     "Keep numbers instead of arrays: float(loss) every few steps, and no lists of activations.",
     "sync -where 'call ~ donation'"},
    {memory_grows, "memory_grows", "GrowthChecker",
     "memory in use grows by {growth} in each step[, allocated by {operation}]: it is never freed",
     "{first} after the second step, {last} after the last one", "", 4,
     "at least {limit} steps, each with more memory in use than the one before; 1,000 steps add "
     "more than the peak, and 1,000,000 fill 10% of the memory",
     "Look for lists of tensors that grow in each step, such as losses or activations.",
     "memory -where 'allocator ~ {allocator}'"},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kCatalogue); ++i) {
    if (kCatalogue[i].id != static_cast<FindingId>(i)) return false;
  }
  return true;
}
static_assert(InOrder());
static_assert(std::size(kCatalogue) == static_cast<size_t>(memory_grows) + 1);

}  // namespace

std::string_view NameOf(Severity severity) { return kSeverities[static_cast<size_t>(severity)]; }

std::span<const std::string_view> SeverityNames() { return kSeverities; }

std::span<const FindingText> FindingCatalogue() { return kCatalogue; }

const FindingText& TextOf(FindingId id) { return kCatalogue[static_cast<size_t>(id)]; }

std::string WhatOf(const Finding& finding) {
  return Worded(TextOf(finding.id).what, finding.values);
}

std::string EvidenceOf(const Finding& finding) {
  return Worded(TextOf(finding.id).evidence, finding.values);
}

std::string FormulaOf(const Finding& finding) {
  if (finding.cost_ps == kNoInt) return {};
  return Worded(TextOf(finding.id).formula, finding.values);
}

std::string ThresholdOf(const FindingText& text) {
  const Value limit{"limit", fmt::format("{:g}", text.limit)};
  return Worded(text.threshold, {&limit, 1});
}

std::string RecommendationOf(const Finding& finding) {
  return Worded(TextOf(finding.id).recommendation, finding.values);
}

std::string CommandOf(const Finding& finding) {
  return Worded(TextOf(finding.id).command, finding.values);
}

}  // namespace tfprof
