// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tfprof/profile.h>

// The programming interface of the original tfprof: same names, same defaults, same numbers.
// Messages are serialized bytes.

namespace TFPROF_NAMESPACE {

// The original's OptionsProto. An empty list of expressions matches nothing. Sizes are in bytes,
// times in microseconds. Expressions are RE2's and match whole texts.
struct ProfileOptions {
  int64_t max_depth = 10;
  int64_t min_bytes = 0;
  int64_t min_peak_bytes = 0;
  int64_t min_residual_bytes = 0;
  int64_t min_output_bytes = 0;
  int64_t min_micros = 0;
  int64_t min_accelerator_micros = 0;
  int64_t min_cpu_micros = 0;
  int64_t min_params = 0;
  int64_t min_float_ops = 0;
  int64_t min_occurrence = 0;
  int64_t step = -1;  // -1: the mean of all steps
  std::string order_by = "name";
  std::vector<std::string> account_type_regexes;
  std::vector<std::string> start_name_regexes;
  std::vector<std::string> trim_name_regexes;
  std::vector<std::string> show_name_regexes;
  std::vector<std::string> hide_name_regexes;
  bool account_displayed_op_only = false;
  std::vector<std::string> select;
  // stdout, none, file:outfile=F, timeline:outfile=F, pprof:outfile=F
  std::string output = "stdout";
};

// Methods change the options and return the builder.
class TFPROF_EXPORT ProfileOptionBuilder {
 public:
  ProfileOptionBuilder();  // max_depth 100, select micros, all nodes
  explicit ProfileOptionBuilder(ProfileOptions options) : options_(std::move(options)) {}

  struct Minimums {
    int64_t micros = 1;
    int64_t bytes = 1;
    int64_t accelerator_micros = 0;
    int64_t cpu_micros = 0;
    int64_t peak_bytes = 0;
    int64_t residual_bytes = 0;
    int64_t output_bytes = 0;
  };
  static ProfileOptions TrainableVariablesParameter();
  static ProfileOptions FloatOperation();
  static ProfileOptions TimeAndMemory(const Minimums& min);
  static ProfileOptions TimeAndMemory() { return TimeAndMemory(Minimums()); }

  ProfileOptionBuilder& WithMaxDepth(int64_t max_depth);
  ProfileOptionBuilder& WithMinMemory(int64_t min_bytes = 0, int64_t min_peak_bytes = 0,
                                      int64_t min_residual_bytes = 0, int64_t min_output_bytes = 0);
  ProfileOptionBuilder& WithMinExecutionTime(int64_t min_micros = 0,
                                             int64_t min_accelerator_micros = 0,
                                             int64_t min_cpu_micros = 0);
  ProfileOptionBuilder& WithMinParameters(int64_t min_params);
  ProfileOptionBuilder& WithMinOccurrence(int64_t min_occurrence);
  ProfileOptionBuilder& WithMinFloatOperations(int64_t min_float_ops);
  ProfileOptionBuilder& WithAccountedTypes(std::vector<std::string> regexes);
  ProfileOptionBuilder& WithStartNames(std::vector<std::string> regexes);
  ProfileOptionBuilder& WithShowNames(std::vector<std::string> regexes);
  ProfileOptionBuilder& WithHideNames(std::vector<std::string> regexes);
  ProfileOptionBuilder& WithTrimNames(std::vector<std::string> regexes);
  ProfileOptionBuilder& AccountDisplayedOpOnly(bool is_true);
  ProfileOptionBuilder& WithEmptyOutput();
  ProfileOptionBuilder& WithStdoutOutput();
  ProfileOptionBuilder& WithFileOutput(const std::string& path);
  ProfileOptionBuilder& WithTimelineOutput(const std::string& path);
  ProfileOptionBuilder& WithPprofOutput(const std::string& path);
  ProfileOptionBuilder& OrderBy(std::string attribute);
  ProfileOptionBuilder& Select(std::vector<std::string> attributes);
  ProfileOptionBuilder& WithStep(int64_t step);
  ProfileOptions Build() const { return options_; }

 private:
  ProfileOptions options_;
};

// The fields of a GraphNodeProto or MultiGraphNodeProto. Tensor values, and the graph nodes of a
// MultiGraphNodeProto, are only in the message. Times are in microseconds, sizes in bytes.
struct ProfileNode {
  uint32_t parent = kNoRow;  // the index of its parent
  std::string name;
  int64_t exec_micros = 0, accelerator_exec_micros = 0, cpu_exec_micros = 0;
  int64_t requested_bytes = 0, peak_bytes = 0, residual_bytes = 0, output_bytes = 0;
  int64_t parameters = 0, float_ops = 0;
  int64_t run_count = 0;  // of graph nodes
  int64_t total_exec_micros = 0, total_accelerator_exec_micros = 0, total_cpu_exec_micros = 0;
  int64_t total_requested_bytes = 0, total_peak_bytes = 0, total_residual_bytes = 0,
          total_output_bytes = 0;
  int64_t total_parameters = 0, total_float_ops = 0;
  int64_t total_run_count = 0, total_definition_count = 0;  // of graph nodes
  std::vector<std::string> devices;                         // of graph nodes
  // Of graph nodes, by the number of the input; without inputs of unknown rank.
  std::map<int32_t, std::vector<int64_t>> input_shapes;
};

struct ProfileResult {
  std::string message;  // a GraphNodeProto (scope, graph) or MultiGraphNodeProto (op, code)
  std::vector<ProfileNode> nodes;  // the same: the root, and each node after its parent
  std::string text;  // what the original prints to standard output: empty unless `output` is stdout
  std::string messages;  // what it prints to standard error
};

struct AdviceResult {
  std::string message;                                       // an AdviceProto
  std::map<std::string, std::vector<std::string>> checkers;  // by name: reports
  std::string text;                                          // what the original prints
};

// A profiler of several steps. Any number may exist at once. Functions that are const may be called
// by several threads at once; AddStep may not run beside others.
//
// AddStep costs the size of the step, and so does a question about that step after it, whatever was
// added before. Each step is read once, by the first question after it. The first question about
// another step, or about all of them, copies and sorts the records of all steps; those after it do
// not, until a step is added.
class TFPROF_EXPORT Profiler {
 public:
  // `graph`: a GraphDef; `op_log`: an OpLogProto. Either may be empty.
  explicit Profiler(std::string graph = {}, std::string op_log = {});
  Profiler(Profiler&&) noexcept;
  Profiler& operator=(Profiler&&) noexcept;
  ~Profiler();

  // Adds the RunMetadata of a run. Runs with equal `step` (>= 0) make one step. `op_log`: facts
  // about nodes that are known since; empty: none. Errors: usage (a negative step), corrupt (no
  // RunMetadata). The bytes within are checked by the next question.
  Result<bool> AddStep(int64_t step, std::string run_meta, std::string op_log = {});
  // Nodes that the graph has gained since.
  void UpdateGraph(std::string graph);

  // The share of the graph's nodes that have run, of the steps that questions read; 0..1.
  Result<double> Coverage() const;

  // The views scope, graph, op and code. Errors: corrupt (of the steps), usage, unwritable,
  // cancelled.
  Result<ProfileResult> ProfileNameScope(const ProfileOptions& options,
                                         const std::atomic<bool>* stop = nullptr) const;
  Result<ProfileResult> ProfileGraph(const ProfileOptions& options,
                                     const std::atomic<bool>* stop = nullptr) const;
  Result<ProfileResult> ProfileOperations(const ProfileOptions& options,
                                          const std::atomic<bool>* stop = nullptr) const;
  Result<ProfileResult> ProfilePython(const ProfileOptions& options,
                                      const std::atomic<bool>* stop = nullptr) const;

  // `checkers`: ExpensiveOperationChecker, AcceleratorUtilizationChecker, OperationChecker,
  // JobChecker; empty: none runs. Errors: as above.
  Result<AdviceResult> Advise(const std::vector<std::string>& checkers = AllCheckers(),
                              const std::atomic<bool>* stop = nullptr) const;
  static std::vector<std::string> AllCheckers();

  // A ProfileProto of the graph and all steps, which Open reads.
  Result<std::string> SerializeToString() const;

  // The same profile for the other views.
  Result<Profile> Open(const std::atomic<bool>* stop = nullptr) const;

 private:
  struct Behind;
  std::unique_ptr<Behind> behind_;
};

}  // namespace TFPROF_NAMESPACE
