// SPDX-License-Identifier: Apache-2.0
#include "tests/support/facts/profile_facts.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "tests/support/store_rows.h"

namespace tfprof {
namespace {

std::string Lower(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return text;
}

// Facts from libprotobuf's reading of the same file. Only events that a profile records itself are
// compared here (those of 0 occurrences belong to accounting, tested below).
struct Oracle {
  const pb::ProfileProto& profile;
  std::vector<std::string> lines;
  std::map<int64_t, std::string> names;  // node id -> name
  std::map<std::string, int64_t> first_of_name;

  std::string Text(const std::string& text, int64_t id) const {
    if (!text.empty()) return text;
    const auto at = profile.id_to_string().find(id);
    return at == profile.id_to_string().end() ? "" : at->second;
  }

  static std::string Shape(const google::protobuf::RepeatedField<int64_t>& dims) {
    return fmt::format("{}[{}]", dims.empty() ? -2 : dims.size(), fmt::join(dims, ","));
  }

  std::vector<std::string> Inputs(const pb::ProfileNode& node) const {
    std::map<int32_t, std::string> sorted;
    for (const auto& [slot, id] :
         std::map<int32_t, int64_t>(node.inputs().begin(), node.inputs().end())) {
      const auto source = node.src_output_index().find(id);
      const auto name = names.find(id);
      sorted[slot] = fmt::format("{}{}:{}", slot, name == names.end() ? "-" : "=" + name->second,
                                 source == node.src_output_index().end() ? 0 : source->second);
    }
    for (const auto& [slot, id] : node.outputs()) {  // -1: the graph lacked an input
      if (id == -1) sorted.try_emplace(slot, fmt::format("{}-:0", slot));
    }
    std::vector<std::string> texts;
    for (const auto& [slot, text] : sorted) texts.push_back(text);
    return texts;
  }

  void Node(size_t id, const pb::ProfileNode& node) {
    std::set<std::string> types(node.op_types().begin(), node.op_types().end());
    types.erase(node.op());
    types.erase(node.canonical_device());
    std::vector<std::string> shapes;
    std::map<int32_t, std::string> sorted;
    for (const auto& [slot, shape] : node.output_shapes())
      sorted[slot] = Shape(shape.int64_values());
    for (const auto& [slot, shape] : sorted) shapes.push_back(fmt::format("{}:{}", slot, shape));
    std::string trace = node.has_trace() ? "" : "no";
    for (const auto& t : node.trace().traces()) {
      trace += fmt::format("({}:{}:{}:{}:{})", Text(t.file(), t.file_id()), t.lineno(),
                           Text(t.function(), t.function_id()), t.func_start_line(),
                           Text(t.line(), t.line_id()));
    }
    lines.push_back(
        fmt::format("node {} id={} type={} types={} inputs={} parameter={} shapes={} "
                    "ops={} trace={}",
                    node.name(), id, node.op(), fmt::join(types, "|"), fmt::join(Inputs(node), "|"),
                    Shape(node.shape()), fmt::join(shapes, "|"), node.float_ops(), trace));
    std::string format;
    for (const pb::AttrEntry& entry : node.attrs()) {
      if (entry.key() == "data_format") format = entry.value().s();
    }
    if (!format.empty()) lines.push_back(fmt::format("data_format ={} {}", node.name(), format));
  }

  // `ends`: the times in us at which the memory of each run was recorded. A run that ended when it
  // began took no time, although profiles record it as 1 us.
  bool Times(const std::string& name, int64_t step, const pb::ExecTimeEntry& times,
             const std::vector<int64_t>& ends) {
    size_t run = 0;
    for (const auto& pair : times.value().times()) {
      if (pair.int64_values_size() < 2) continue;
      RowText row{Lower(times.key()), name, "=" + name, "", "1", step};
      row.start_us = std::max<int64_t>(0, pair.int64_values(0));
      row.duration_us = std::max<int64_t>(0, pair.int64_values(1));
      if (run < ends.size() && row.duration_us == 1 && ends[run] > 0 && ends[run] == row.start_us) {
        row.duration_us = 0;
      }
      ++run;
      lines.push_back(Line(row));
    }
    return run > 0;
  }

  static std::string Memory(const pb::ExecMemory& memory) {
    ExecMemory row;
    row.requested = memory.requested_bytes();
    row.peak = memory.peak_bytes();
    row.residual = memory.residual_bytes();
    row.output = memory.output_bytes();
    row.temp = memory.host_temp_bytes() + memory.accelerator_temp_bytes();
    row.persistent = memory.host_persistent_bytes() + memory.accelerator_persistent_bytes();
    if (memory.allocator_bytes_in_use() != 0) row.in_use = memory.allocator_bytes_in_use();
    std::vector<OutputMemory> outputs;
    for (const auto& [slot, output] : memory.output_memory()) {
      outputs.push_back({slot, output.bytes(), output.ptr()});
    }
    return MemoryText(row, std::max<int64_t>(0, memory.memory_micros()), outputs);
  }

  void Exec(const pb::ProfileNode& node, int64_t step, const pb::ExecProfile& exec) {
    const std::string& name = node.name();
    std::map<std::string, pb::ExecTimeEntry> cpu, accelerator;
    for (const auto& entry : exec.cpu_execs()) cpu[entry.key()] = entry;
    for (const auto& entry : exec.accelerator_execs()) accelerator[entry.key()] = entry;
    std::vector<int64_t> ends;
    for (const auto& memory : exec.memory_execs()) ends.push_back(memory.memory_micros());
    for (const auto& devices : {cpu, accelerator}) {
      for (const auto& [device, entry] : devices) {
        const bool counts = device == node.canonical_device();
        const bool any = Times(name, step, entry, counts ? ends : std::vector<int64_t>());
        if (counts && any) ends.clear();
      }
    }
    for (const auto& memory : exec.memory_execs()) {
      const std::string text = Memory(memory);
      if (text.find_first_of("123456789", text.find(' ')) != std::string::npos) {
        lines.push_back("memory " + text);
      }
    }
    for (const auto& change : exec.allocations()) {
      lines.push_back(AllocationText(name, "", std::max<int64_t>(0, change.alloc_micros()),
                                     change.alloc_bytes()));
    }
  }

  std::vector<std::string> Lines() {
    std::map<int64_t, const pb::ProfileNode*> nodes;
    for (const auto& [id, node] : profile.nodes()) nodes[id] = &node;
    for (const auto& [id, node] : nodes) names[id] = node->name();
    for (const auto& [id, node] : nodes) {
      if (!first_of_name.try_emplace(node->name(), id).second) continue;
      Node(first_of_name.size() - 1, *node);
      for (const auto& [step, exec] : node->execs()) Exec(*node, step, exec);
    }
    lines.push_back(fmt::format("traces {}", profile.has_trace()));
    return lines;
  }
};

}  // namespace

// The lines of the store that the oracle can produce.
std::vector<std::string> ProfileFacts(const Store& store) {
  std::vector<std::string> own;
  for (std::string line : StoreRows(store)) {
    const auto begins = [&](const char* with) { return line.rfind(with, 0) == 0; };
    if (begins("lane ") || begins("step ") || begins("declared ")) continue;
    if (begins("node ")) {
      const size_t lanes = line.rfind(" lanes="), inputs = line.rfind(" inputs=");
      line.erase(lanes, inputs - lanes);
    }
    if (begins("event ")) {
      for (size_t at = line.find(" <"); at != std::string::npos; at = line.find('<', at + 3)) {
        const size_t from = line[at] == ' ' ? at + 1 : at;
        const std::string text = line.substr(from, line.find('>', from) + 1 - from);
        // A row of zeros on an unplaced event has no information.
        if (text.find_first_of("123456789", text.find(' ')) != std::string::npos) {
          own.push_back("memory " + text);
        }
      }
      if (line.find(" runs=1 ") == std::string::npos) continue;
      line = line.substr(0, line.find(" runs=1 ") + 8);
    }
    own.push_back(line);
  }
  return own;
}

std::vector<std::string> ProfileFacts(const pb::ProfileProto& profile) {
  Oracle oracle{profile, {}, {}, {}};
  return oracle.Lines();
}

}  // namespace tfprof
