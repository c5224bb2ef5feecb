// SPDX-License-Identifier: Apache-2.0
#include "tests/support/store_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>

#include "core/store/call_stacks.h"
#include "core/store/check.h"
#include "core/store/details.h"
#include "core/store/rounded_time.h"
#include "loaders/formats.h"

namespace tfprof {
namespace {

int64_t Micros(int64_t time_ps, const Store& store) {
  return time_ps == kNoTime ? 0 : time_ps / kPsPerUs + store.epoch_ns / kNsPerUs;
}

std::string NodeText(NodeId id, const Store& store) {
  return id.some() ? "=" + std::string(store.Text(store.nodes[id.value].name)) : "-";
}

std::map<uint32_t, std::string> Memories(const Store& store) {
  std::map<uint32_t, std::string> of_event;
  for (size_t i = 0; i < store.exec_memory.size(); ++i) {
    const ExecMemory& row = store.exec_memory[i];
    const Range range = store.OutputsOf(i);
    const auto outputs = store.outputs.Rows(range.first, range.count);
    of_event[row.event.value] +=
        MemoryText(row, Micros(row.time_ps, store), {outputs.begin(), outputs.end()});
  }
  return of_event;
}

void EventRows(const Store& store, std::vector<std::string>* lines) {
  const auto memories = Memories(store);
  std::map<uint32_t, int64_t> occurrences;
  for (const Aggregate& row : store.aggregates) occurrences[row.event.value] = row.occurrences;
  for (const Lane& lane : store.lanes) {
    uint32_t run = lane.step_runs.first;
    for (uint32_t i = lane.rows.first; i < lane.rows.first + lane.rows.count; ++i) {
      while (run + 1 < lane.step_runs.first + lane.step_runs.count &&
             store.step_runs[run + 1].first_row <= i) {
        ++run;
      }
      const Label& label = store.labels[store.events.label[i].value];
      RowText row;
      row.lane = store.Text(lane.name);
      row.label = store.Text(label.name);
      row.node = NodeText(label.node, store);
      const StepId step = store.step_runs[run].step;
      row.step = step.some() ? store.steps[step.value].number : -1;
      row.start_us = Micros(RoundedStart(store, static_cast<uint32_t>(i)), store);
      row.duration_us = RoundedLength(store, static_cast<uint32_t>(i)) / kPsPerUs;
      if (memories.count(i) > 0) row.memory = memories.at(i);
      row.runs = occurrences.count(i) > 0 ? fmt::format("({})", occurrences[i]) : "1";
      lines->push_back(Line(row));
    }
  }
}

void AllocationRows(const Store& store, std::vector<std::string>* lines) {
  Context context;
  const std::vector<Allocation> allocations = ReadAllocations(store, context).value();
  for (const Allocation& row : allocations) {
    const Label& label = store.labels[store.events.label[row.event.value].value];
    lines->push_back(AllocationText(store.Text(label.name), row.allocator,
                                    Micros(row.time_ps, store), row.bytes));
  }
}

std::string ShapeText(ShapeRef shape, const Store& store) {
  return fmt::format("{}[{}]", shape.rank, fmt::join(store.Dims(shape), ","));
}

std::string StackText(StackId id, const CallStacks& stacks) {
  std::string text;
  for (const Frame& frame : stacks.Of(id)) {
    text += fmt::format("({}:{}:{}:{}:{})", stacks.Text(frame.file), frame.line,
                        stacks.Text(frame.function), frame.function_line, stacks.Text(frame.text));
  }
  return text;
}

void NodeRows(const Store& store, std::vector<std::string>* lines) {
  Context context;
  const CallStacks stacks = ReadCallStacks(store, context).value();
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    const Node& node = store.nodes[i];
    std::vector<std::string> types, lanes, inputs, shapes;
    for (const NameId type : store.node_types.Rows(node.types.first, node.types.count)) {
      types.emplace_back(store.Text(type));
    }
    std::sort(types.begin(), types.end());
    for (const LaneId lane : store.node_lanes.Rows(node.lanes.first, node.lanes.count)) {
      lanes.emplace_back(store.Text(store.lanes[lane.value].name));
    }
    for (const Edge& edge : store.Inputs(node)) {
      inputs.push_back(fmt::format("{}{}:{}", edge.input_slot, NodeText(edge.producer, store),
                                   edge.output_slot));
    }
    for (const OutputShape& shape :
         store.output_shapes.Rows(node.output_shapes.first, node.output_shapes.count)) {
      shapes.push_back(fmt::format("{}:{}", shape.slot, ShapeText(shape.shape, store)));
    }
    lines->push_back(fmt::format(
        "node {} id={} type={} types={} lanes={} inputs={} parameter={} shapes={} ops={} trace={}",
        store.Text(node.name), i, store.Text(node.type), fmt::join(types, "|"),
        fmt::join(lanes, "|"), fmt::join(inputs, "|"), ShapeText(node.parameter, store),
        fmt::join(shapes, "|"), node.float_ops,
        node.has_trace ? StackText(node.stack, stacks) : "no"));
  }
}

}  // namespace

std::string Line(const RowText& row) {
  return fmt::format("event lane={} step={} label={} node={} start={} duration={} runs={} {}",
                     row.lane, row.step, row.label, row.node, row.start_us, row.duration_us,
                     row.runs, row.memory);
}

std::string MemoryText(const ExecMemory& row, int64_t time_us, std::vector<OutputMemory> outputs) {
  std::sort(outputs.begin(), outputs.end(),
            [](const auto& a, const auto& b) { return a.slot < b.slot; });
  std::string text =
      fmt::format("<{} requested={} peak={} residual={} output={} temp={} persistent={} in_use={}",
                  time_us, row.requested, row.peak, row.residual, row.output, row.temp,
                  row.persistent, row.in_use == kNoInt ? "none" : std::to_string(row.in_use));
  for (const OutputMemory& output : outputs) {
    text += fmt::format(" {}:{}@{}", output.slot, output.bytes, output.address);
  }
  return text + ">";
}

std::string AllocationText(std::string_view label, std::string_view allocator, int64_t time_us,
                           int64_t bytes) {
  return fmt::format("allocation {} {} {} {}", label, allocator, time_us, bytes);
}

std::vector<std::string> StoreRows(const Store& store) {
  std::vector<std::string> lines;
  EventRows(store, &lines);
  AllocationRows(store, &lines);
  NodeRows(store, &lines);
  for (const DataFormat& row : store.data_formats) {
    lines.push_back(
        fmt::format("data_format {} {}", NodeText(row.node, store), store.Text(row.format)));
  }
  for (const Step& step : store.steps) {
    lines.push_back(fmt::format("step {} {}", step.number, step.lacks_accelerator_stream));
  }
  for (const Lane& lane : store.lanes) {
    lines.push_back(fmt::format("lane {}", store.Text(lane.name)));
  }
  for (const Declared& row : store.declared) {
    lines.push_back(fmt::format("declared {} {} {} {}", NodeText(row.node, store),
                                store.steps[row.step.value].number,
                                Micros(row.first_start_ps, store), Micros(row.last_end_ps, store)));
  }
  lines.push_back(fmt::format("traces {}", store.has_code_traces));
  return lines;
}

std::string Difference(std::vector<std::string> ours, std::vector<std::string> theirs) {
  std::sort(ours.begin(), ours.end());
  std::sort(theirs.begin(), theirs.end());
  std::vector<std::string> only[2];
  std::set_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(),
                      std::back_inserter(only[0]));
  std::set_difference(theirs.begin(), theirs.end(), ours.begin(), ours.end(),
                      std::back_inserter(only[1]));
  std::string text;
  for (const int side : {0, 1}) {
    for (size_t i = 0; i < std::min<size_t>(3, only[side].size()); ++i) {
      text += (side == 0 ? "ours:   " : "theirs: ") + only[side][i] + "\n";
    }
  }
  return text;
}

StorePtr LoadProfile(const std::string& bytes) {
  StoreBuilder builder;
  Context context;
  REQUIRE(kProfileLoader.load(MemoryFile(bytes), {}, builder, context));
  const StorePtr store = builder.Finish().value();
  REQUIRE(BrokenInvariant(*store) == "");
  return store;
}

SourceFile MemoryFile(const std::string& bytes, const std::string& path) {
  const auto kept = std::make_shared<std::string>(bytes);
  kept->append(SourceFile::kPadding, '\0');
  SourceFile file;
  file.path = path;
  file.bytes = std::string_view(*kept).substr(0, bytes.size());
  file.file_bytes = bytes.size();
  file.keep = kept;
  return file;
}

std::vector<std::string> ReferenceFiles(const std::string& name_part) {
  namespace fs = std::filesystem;
  const char* set = std::getenv("TFPROF_REFERENCE");
  std::vector<std::string> paths;
  for (const fs::path& top :
       {fs::path(set == nullptr ? "../shared/reference" : set) / "classic", fs::path("testdata")}) {
    if (!fs::exists(top)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(top)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && name.find(name_part) == 0) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string ReadWhole(const std::string& path) {
  Context context;
  return std::string(OpenSource(path, context).value().bytes);
}

}  // namespace tfprof
