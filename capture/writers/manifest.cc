// SPDX-License-Identifier: Apache-2.0
#include "capture/writers/manifest.h"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <string_view>
#include <utility>

#include "capture/spool/step_names.h"

namespace tfprof::capture {
namespace {

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + "\"";
}

class Object {
 public:
  explicit Object(std::string indent) : indent_(std::move(indent)) {}

  void Raw(std::string_view key, const std::string& value) {
    text_ += (text_.empty() ? "\n" : ",\n") + indent_ + "  " + Quoted(key) + ": " + value;
  }
  void Text(std::string_view key, std::string_view value) {
    if (!value.empty()) Raw(key, Quoted(value));
  }
  void Number(std::string_view key, uint64_t value) { Raw(key, std::to_string(value)); }
  void Bool(std::string_view key, bool value) { Raw(key, value ? "true" : "false"); }
  void Texts(std::string_view key, const std::vector<std::string>& values) {
    std::string list;
    for (const std::string& value : values) list += (list.empty() ? "" : ", ") + Quoted(value);
    Raw(key, "[" + list + "]");
  }
  std::string Finish() const { return "{" + text_ + "\n" + indent_ + "}"; }

 private:
  std::string indent_;
  std::string text_;
};

struct CountName {
  RecordKind kind;
  std::string_view name;
};
constexpr CountName kCounts[] = {
    {RecordKind::push, "ranges"},
    {RecordKind::mark, "marks"},
    {RecordKind::call, "calls"},
    {RecordKind::kernel, "kernels"},
    {RecordKind::copy, "copies"},
    {RecordKind::fill, "fills"},
    {RecordKind::graph, "graph_launches"},
    {RecordKind::memory, "memory_operations"},
    {RecordKind::wait, "waits"},
    {RecordKind::overhead, "overheads"},
    {RecordKind::api, "api_calls"},
    {RecordKind::stack, "python_stacks"},
    {RecordKind::sample, "python_samples"},
};

std::vector<std::string> FactsOf(const Definitions& definitions, const std::string& key) {
  std::vector<std::string> values;
  const auto [from, to] = definitions.facts.equal_range(key);
  for (auto at = from; at != to; ++at) values.push_back(at->second);
  return values;
}

std::string Counts(const CapturedProcess& process) {
  Object counts("      ");
  for (const CountName& count : kCounts) {
    const auto found = process.definitions.counts.find(count.kind);
    counts.Number(count.name, found == process.definitions.counts.end() ? 0 : found->second);
  }
  return counts.Finish();
}

std::string Clocks(const Definitions& definitions) {
  std::string list;
  // The first and the last say how the wall clock moved.
  const auto& clocks = definitions.clocks;
  for (size_t i = 0; i < clocks.size(); ++i) {
    if (i != 0 && i + 1 != clocks.size()) continue;
    Object clock("        ");
    clock.Number("realtime_ns", clocks[i].realtime);
    clock.Number("monotonic_ns", clocks[i].monotonic);
    if (clocks[i].cupti != 0) clock.Number("cupti_ns", clocks[i].cupti);
    list += (list.empty() ? "" : ", ") + clock.Finish();
  }
  return "[" + list + "]";
}

constexpr std::string_view kCauses[] = {"start",   "time",    "steps", "capture range",
                                        "program", "control", "ring"};

std::string Windows(const Definitions& definitions) {
  std::string list;
  for (const WindowRecord& window : definitions.windows) {
    Object object("        ");
    object.Number("start_ns", window.start);
    object.Number("end_ns", window.end);
    const auto cause = static_cast<size_t>(window.cause);
    if (cause < std::size(kCauses)) object.Text("began_by", kCauses[cause]);
    if (window.step >= 0) object.Number("first_step", static_cast<uint64_t>(window.step));
    list += (list.empty() ? "" : ", ") + object.Finish();
  }
  return "[" + list + "]";
}

void AddPython(const Definitions& facts, Object* object) {
  for (const std::string_view key :
       {"python.version", "python.stacks", "python.samples", "python.error"}) {
    object->Text(key, facts.Fact(std::string(key)));
  }
  // The interpreter was asked and did not answer.
  if (!facts.Fact("python.version").empty() && facts.Fact("python.stacks").empty() &&
      facts.Fact("python.samples").empty() && facts.Fact("python.error").empty()) {
    object->Text("python.error", "the main thread ran no Python code after CUDA began");
  }
}

std::string Process(const CapturedProcess& process) {
  const Definitions& facts = process.definitions;
  Object object("    ");
  object.Text("source", process.trace);
  object.Text("spool", process.spool);
  if (!process.exports.empty()) object.Texts("exports", process.exports);
  object.Text("error", process.error);
  for (const std::string_view key : {"host", "exe", "args", "rank", "rank.from"}) {
    object.Text(key, facts.Fact(std::string(key)));
  }
  for (const std::string_view key : {"pid", "parent"}) {
    const std::string_view number = facts.Fact(std::string(key));
    if (IntegerOf(number).has_value()) object.Raw(key, std::string(number));
  }
  object.Text(kSkippedFact, facts.Fact(kSkippedFact));
  object.Bool("complete", facts.has_end);
  object.Bool("running", process.is_running);
  for (const std::string_view key : {"cupti.version", "cupti.path", "cupti.error", "cupti.fix"}) {
    object.Text(key, facts.Fact(std::string(key)));
  }
  AddPython(facts, &object);
  object.Texts("kinds", FactsOf(facts, "kind.on"));
  object.Texts("refused_kinds", FactsOf(facts, "kind.refused"));
  object.Number("events", process.events);
  object.Number("steps", facts.steps.size());
  if (facts.has_windows) object.Raw("windows", Windows(facts));
  object.Raw("recorded", Counts(process));
  object.Texts("losses", LossesOf(process));
  object.Raw("clocks", Clocks(facts));
  return object.Finish();
}

std::string_view LossName(uint32_t reason) {
  switch (static_cast<DropReason>(reason)) {
    case DropReason::memory: return "records dropped: memory limit (raise it with --max-mem)";
    case DropReason::device_memory:
      return "bytes of GPU records dropped: memory limit (raise it with --max-mem)";
    case DropReason::cupti: return "GPU records dropped by CUPTI";
    case DropReason::unknown_kind: return "GPU records of an unknown kind";
    case DropReason::names: return "range names recorded as one: too many different names";
    case DropReason::stacks: return "calls without their Python stack: too many different stacks";
  }
  return "records dropped";
}

}  // namespace

std::vector<std::string> LossesOf(const CapturedProcess& process) {
  std::vector<std::string> losses;
  const auto add = [&](uint64_t count, std::string_view what) {
    if (count != 0) losses.push_back(std::to_string(count) + " " + std::string(what));
  };
  for (const auto& [reason, count] : process.definitions.dropped) add(count, LossName(reason));
  add(process.counts.zero_time, "GPU records without times (no device memory for CUPTI)");
  add(process.counts.out_of_window, "GPU records dated before the recording");
  add(process.counts.unattributed, "GPU records whose launch was not recorded");
  if (!process.definitions.Fact(kSkippedFact).empty()) return losses;
  if (process.definitions.has_windows && process.definitions.windows.empty()) {
    losses.emplace_back("nothing was recorded: the recorder was paused all the time");
  }
  add(process.counts.unfinished, "ranges were open at the end");
  add(process.definitions.damage.bytes, "bytes of the spool are damaged or truncated");
  add(process.definitions.damage.lost_blocks, "blocks of the spool are missing");
  add(process.definitions.damage.records, "blocks of the spool have malformed records");
  return losses;
}

std::string ManifestJson(const std::vector<const CapturedProcess*>& processes, int exit_status,
                         uint64_t last_ns) {
  Object object("");
  object.Number("format", 1);
  object.Text("recorder", "tfprof-capture");
  if (exit_status >= 0) object.Number("exit_status", static_cast<uint64_t>(exit_status));
  const bool is_part = std::ranges::any_of(processes, &CapturedProcess::is_part);
  if (is_part) object.Number("last_ns", last_ns);
  std::string list;
  for (const CapturedProcess* process : processes) {
    list += (list.empty() ? "\n    " : ",\n    ") + Process(*process);
  }
  object.Raw("processes", "[" + list + (list.empty() ? "]" : "\n  ]"));
  return object.Finish() + "\n";
}

}  // namespace tfprof::capture
