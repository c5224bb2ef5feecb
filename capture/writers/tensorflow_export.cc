// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/tensorflow_export.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "capture/writers/atomic_file.h"
#include "capture/writers/wire.h"
#include "proto/graph_fields.h"
#include "proto/run_metadata_fields.h"
#include "proto/step_stats_fields.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof::capture {
namespace {

namespace field = tfprof::field;

// Of TensorFlow 1.15. A graph without a version looks truncated: it is stored at the end.
constexpr uint64_t kProducer = 134;
constexpr std::string_view kTask = "/job:localhost/replica:0/task:0";

std::string HostDevice() { return std::string(kTask) + "/device:CPU:0"; }
std::string LaunchDevice(uint32_t device) {
  return std::string(kTask) + "/device:GPU:" + std::to_string(device);
}
std::string StreamDevice(uint32_t device, const std::string& stream) {
  return "/device:GPU:" + std::to_string(device) + "/stream:" + stream;
}

int WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = write(file, bytes.data(), bytes.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return done < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<size_t>(done));
  }
  return 0;
}

}  // namespace

bool TensorflowExport::IsExported(int32_t* step) const {
  if (definitions_.steps.empty()) *step = 0;
  return *step >= 0 && static_cast<uint32_t>(*step) < std::max(most_steps_, 1U);
}

void TensorflowExport::Declare(const std::string& name, std::string_view op, std::string_view type,
                               bool is_on_device, const std::string& after, uint32_t stack) {
  const auto [node, is_new] = nodes_.try_emplace(name, Node{is_on_device});
  std::string& last = last_of_[after];
  if (is_new) {
    const std::string code = CodeOf(stack);
    node->second.id = profile_.AddNode(name, op, type, code,
                                       last.empty() ? ProfileExport::kNone : nodes_.at(last).id);
    std::string def;
    wire::Bytes(field::NodeDef::name, name, &def);
    wire::Bytes(field::NodeDef::op, op, &def);
    // What began later depends on what began before: without inputs a graph would be a mere list.
    if (!last.empty()) wire::Bytes(field::NodeDef::input, "^" + last, &def);
    wire::Bytes(field::GraphDef::node, def, &graph_);
    std::string entry;
    wire::Bytes(field::OpLogEntry::name, name, &entry);
    wire::Bytes(field::OpLogEntry::types, type, &entry);
    if (!code.empty()) wire::Bytes(field::OpLogEntry::code_def, code, &entry);
    wire::Bytes(field::OpLogProto::log_entries, entry, &op_log_);
  }
  last = name;
}

int64_t TensorflowExport::TextId(const std::string& text) {
  const auto [known, is_new] = texts_.try_emplace(text, static_cast<int64_t>(texts_.size()));
  if (is_new) {
    std::string entry;
    wire::Number(wire::MapEntry::key, static_cast<uint64_t>(known->second), &entry);
    wire::Bytes(wire::MapEntry::value, text, &entry);
    wire::Bytes(field::OpLogProto::id_to_string, entry, &op_log_);
  }
  return known->second;
}

std::string TensorflowExport::CodeOf(uint32_t stack) {
  using Trace = field::CodeDef_Trace;
  std::string code;
  const auto found = definitions_.stacks.find(stack);
  if (found == definitions_.stacks.end()) return code;
  const std::vector<uint32_t>& frames = found->second;
  TextId("");  // 0 is the source text, which is not known
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    const auto known = definitions_.frames.find(*frame);
    if (known == definitions_.frames.end()) continue;
    const FrameRecord& facts = known->second;
    std::string trace;
    wire::Number(Trace::lineno, facts.line, &trace);
    wire::Number(Trace::func_start_line, facts.first_line, &trace);
    wire::Number(Trace::file_id, static_cast<uint64_t>(TextId(definitions_.Name(facts.file).base)),
                 &trace);
    wire::Number(Trace::function_id,
                 static_cast<uint64_t>(TextId(definitions_.Name(facts.function).base)), &trace);
    wire::Bytes(field::CodeDef::traces, trace, &code);
  }
  return code;
}

void TensorflowExport::AddRange(int32_t step, std::string_view path, std::string_view type,
                                uint32_t thread, uint64_t start, uint64_t own_ns) {
  if (!IsExported(&step)) return;
  const std::string name(path);
  const size_t slash = name.rfind('/');
  const std::string scope = slash == name.npos ? "" : name.substr(0, slash);
  Declare(name, type, "range", false, scope + " of thread " + std::to_string(thread), 0);
  const std::string device = HostDevice();
  AddExecution(static_cast<uint32_t>(step), device, name, start, start + own_ns,
               Microseconds(device, own_ns), nullptr, thread);
}

// The same name must not be on the host and on a device, nor on two devices. A node has one place
// in the code, so what is launched from further ones is numbered.
std::string TensorflowExport::NodeOf(const ExportedWork& work) {
  std::string name(work.scope);
  if (!name.empty()) name += '/';
  name += work.name;
  if (work.device != 0) name += "_gpu" + std::to_string(work.device);
  const auto taken = nodes_.find(name);
  if (taken != nodes_.end() && !taken->second.is_on_device) name += "_on_gpu";
  const auto stack = definitions_.stacks.find(work.stack);
  if (stack == definitions_.stacks.end()) return name;
  std::map<std::vector<uint32_t>, size_t>& places = places_[name];
  const size_t place = places.try_emplace(stack->second, places.size()).first->second;
  if (place > 0) name += "_" + std::to_string(place);
  return name;
}

void TensorflowExport::AddWork(int32_t step, const ExportedWork& work) {
  if (!IsExported(&step)) return;
  const std::string name = NodeOf(work);
  Declare(name, work.op, work.type, true,
          std::string(work.scope) + " of stream " + std::to_string(work.stream), work.stack);
  const auto at = static_cast<uint32_t>(step);
  const std::string launch = LaunchDevice(work.device);
  const bool has_call = work.call_start != 0;
  const uint64_t from = has_call ? work.call_start : work.start;
  const uint64_t to = has_call ? work.call_end : work.start;
  // A call may start many kernels of one name: it ran once.
  uint32_t& last = nodes_[name].last_correlation;
  if (last != work.correlation || work.correlation == 0) {
    AddExecution(at, launch, name, from, to, Microseconds(launch, to - from), &work, work.thread);
  }
  last = work.correlation;
  const std::string all = StreamDevice(work.device, "all");
  const uint64_t us = Microseconds(all, work.end - work.start);
  AddExecution(at, all, name, work.start, work.end, us, &work, work.thread);
  AddExecution(at, StreamDevice(work.device, std::to_string(work.stream)), name, work.start,
               work.end, us, &work, work.thread);
}

uint64_t TensorflowExport::Microseconds(const std::string& device, uint64_t ns) {
  uint64_t& remainder = remainders_[device];
  remainder += ns;
  const uint64_t us = remainder / 1000;
  remainder %= 1000;
  return us;
}

void TensorflowExport::AddExecution(uint32_t step, const std::string& device, std::string_view node,
                                    uint64_t start, uint64_t end, uint64_t own_us,
                                    const ExportedWork* work, uint32_t thread) {
  using Stats = field::NodeExecStats;
  const auto [line, is_new] = lines_.try_emplace({step, device});
  if (is_new) line->second = events_.AddLine();
  std::string stats;
  wire::Bytes(Stats::node_name, node, &stats);
  wire::Number(Stats::all_start_micros, start / 1000, &stats);
  wire::Number(Stats::op_end_rel_micros, own_us, &stats);
  wire::Number(Stats::all_end_rel_micros, own_us, &stats);
  if (work != nullptr && !work->label.empty())
    wire::Bytes(Stats::timeline_label, work->label, &stats);
  const uint64_t scheduled = work != nullptr && work->call_start != 0 ? work->call_start : start;
  wire::Number(Stats::scheduled_micros, scheduled / 1000, &stats);
  wire::Number(Stats::thread_id, thread, &stats);
  wire::Number(Stats::all_start_nanos, start, &stats);
  wire::Number(Stats::op_end_rel_nanos, end - start, &stats);
  wire::Number(Stats::all_end_rel_nanos, end - start, &stats);
  wire::Bytes(field::DeviceStepStats::node_stats, stats, events_.Open(line->second));
  events_.AppendedTo(line->second);
  profile_.AddExecution(nodes_.at(std::string(node)).id, NumberOf(step), device, start / 1000,
                        own_us);
}

int64_t TensorflowExport::NumberOf(uint32_t step) const {
  return definitions_.steps.empty() ? 0 : definitions_.steps[step].number;
}

int TensorflowExport::WriteFile(const std::string& path, std::string_view bytes) {
  const int error = WriteWhole(path, bytes);
  if (error == 0) written_.push_back(path);
  return error;
}

int TensorflowExport::WriteStep(const std::string& path, uint32_t step) {
  uint64_t bytes = 0;
  std::vector<std::pair<std::string, LineBytes::Id>> devices;  // what precedes the events
  for (auto at = lines_.lower_bound({step, {}}); at != lines_.end() && at->first.first == step;
       ++at) {
    std::string name;
    wire::Bytes(field::DeviceStepStats::device, at->first.second, &name);
    std::string head;
    wire::Tag(field::StepStats::dev_stats, wire::Type::bytes, &head);
    const uint64_t inner = name.size() + events_.BytesOf(at->second);
    wire::Varint(inner, &head);
    bytes += head.size() + inner;
    devices.emplace_back(head + name, at->second);
  }
  if (devices.empty()) return 0;
  AtomicFile file(path);
  if (file.descriptor() < 0) return file.error();
  std::string head;
  wire::Tag(field::RunMetadata::step_stats, wire::Type::bytes, &head);
  wire::Varint(bytes, &head);
  int error = WriteAll(file.descriptor(), head);
  for (const auto& [before, line] : devices) {
    if (error == 0) error = WriteAll(file.descriptor(), before);
    const bool is_whole = events_.EachPart(line, [&](std::string_view part) {
      if (error == 0) error = WriteAll(file.descriptor(), part);
    });
    if (!is_whole) error = events_.error();
  }
  written_.push_back(path);
  return error != 0 ? error : file.Commit();
}

int TensorflowExport::Write(const std::string& base) {
  if (nodes_.empty()) return 0;
  std::string versions;
  wire::Number(field::VersionDef::producer, kProducer, &versions);
  wire::Bytes(field::GraphDef::versions, versions, &graph_);
  int error = WriteFile(base + ".graph", graph_);
  if (error == 0) error = WriteFile(base + ".op_log", op_log_);
  const auto steps = static_cast<uint32_t>(std::max<size_t>(definitions_.steps.size(), 1));
  std::vector<int64_t> numbers;
  for (uint32_t step = 0; step < std::min(steps, std::max(most_steps_, 1U)); ++step) {
    numbers.push_back(NumberOf(step));
    const std::string path = base + ".run_meta_step" + std::to_string(numbers.back());
    if (error == 0) error = WriteStep(path, step);
  }
  return error != 0 ? error : WriteFile(base + ".profile", profile_.Finish(numbers, texts_));
}

}  // namespace tfprof::capture
