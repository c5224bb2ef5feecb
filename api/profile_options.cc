// SPDX-License-Identifier: Apache-2.0
#include <tfprof/profiler.h>

#include <string>
#include <utility>
#include <vector>

namespace tfprof::v1 {
namespace {

constexpr int64_t kDeep = 10000;

ProfileOptions Everything() {
  ProfileOptions options;
  options.account_type_regexes = {".*"};
  options.start_name_regexes = {".*"};
  options.show_name_regexes = {".*"};
  return options;
}

ProfileOptions Preset(std::string order_by, std::vector<std::string> select) {
  ProfileOptions options = Everything();
  options.max_depth = kDeep;
  options.order_by = std::move(order_by);
  options.account_displayed_op_only = true;
  options.select = std::move(select);
  return options;
}

}  // namespace

ProfileOptionBuilder::ProfileOptionBuilder() : options_(Everything()) {
  options_.max_depth = 100;
  options_.select = {"micros"};
}

ProfileOptions ProfileOptionBuilder::TrainableVariablesParameter() {
  ProfileOptions options = Preset("name", {"params"});
  options.account_type_regexes = {"_trainable_variables"};
  return options;
}

ProfileOptions ProfileOptionBuilder::FloatOperation() {
  ProfileOptions options = Preset("float_ops", {"float_ops"});
  options.min_float_ops = 1;
  return options;
}

ProfileOptions ProfileOptionBuilder::TimeAndMemory(const Minimums& min) {
  ProfileOptions options = Preset("micros", {"micros", "bytes"});
  options.min_micros = min.micros;
  options.min_bytes = min.bytes;
  options.min_accelerator_micros = min.accelerator_micros;
  options.min_cpu_micros = min.cpu_micros;
  options.min_peak_bytes = min.peak_bytes;
  options.min_residual_bytes = min.residual_bytes;
  options.min_output_bytes = min.output_bytes;
  return options;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMaxDepth(int64_t max_depth) {
  options_.max_depth = max_depth;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMinMemory(int64_t min_bytes, int64_t min_peak_bytes,
                                                          int64_t min_residual_bytes,
                                                          int64_t min_output_bytes) {
  options_.min_bytes = min_bytes;
  options_.min_peak_bytes = min_peak_bytes;
  options_.min_residual_bytes = min_residual_bytes;
  options_.min_output_bytes = min_output_bytes;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMinExecutionTime(int64_t min_micros,
                                                                 int64_t min_accelerator_micros,
                                                                 int64_t min_cpu_micros) {
  options_.min_micros = min_micros;
  options_.min_accelerator_micros = min_accelerator_micros;
  options_.min_cpu_micros = min_cpu_micros;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMinParameters(int64_t min_params) {
  options_.min_params = min_params;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMinOccurrence(int64_t min_occurrence) {
  options_.min_occurrence = min_occurrence;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithMinFloatOperations(int64_t min_float_ops) {
  options_.min_float_ops = min_float_ops;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithAccountedTypes(std::vector<std::string> regexes) {
  options_.account_type_regexes = std::move(regexes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithStartNames(std::vector<std::string> regexes) {
  options_.start_name_regexes = std::move(regexes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithShowNames(std::vector<std::string> regexes) {
  options_.show_name_regexes = std::move(regexes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithHideNames(std::vector<std::string> regexes) {
  options_.hide_name_regexes = std::move(regexes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithTrimNames(std::vector<std::string> regexes) {
  options_.trim_name_regexes = std::move(regexes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::AccountDisplayedOpOnly(bool is_true) {
  options_.account_displayed_op_only = is_true;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithEmptyOutput() {
  options_.output = "none";
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithStdoutOutput() {
  options_.output = "stdout";
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithFileOutput(const std::string& path) {
  options_.output = "file:outfile=" + path;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithTimelineOutput(const std::string& path) {
  options_.output = "timeline:outfile=" + path;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithPprofOutput(const std::string& path) {
  options_.output = "pprof:outfile=" + path;
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::OrderBy(std::string attribute) {
  options_.order_by = std::move(attribute);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::Select(std::vector<std::string> attributes) {
  options_.select = std::move(attributes);
  return *this;
}

ProfileOptionBuilder& ProfileOptionBuilder::WithStep(int64_t step) {
  options_.step = step;
  return *this;
}

}  // namespace tfprof::v1
