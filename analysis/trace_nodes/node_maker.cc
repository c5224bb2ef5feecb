// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/node_maker.h"

#include <charconv>

namespace tfprof {
namespace {

NodeId CopyOf(NodeId node, uint32_t number, NodeMaker* maker) {
  StoreBuilder& builder = maker->builder;
  const Node of = builder.node(node);
  const std::string first(builder.Text(of.name));
  NameId name;
  do {
    name = builder.Name(first + "/(" + std::to_string(number++) + ")");
  } while (builder.FindNode(name).some());
  const NodeId copy = builder.AddNode(name, of.type, of.defined);
  builder.node(copy).float_ops = of.float_ops;
  const auto [begin, end] = maker->by_call.categories.equal_range(node.value);
  for (auto category = begin; category != end; ++category) builder.AddType(copy, category->second);
  return copy;
}

StackId StackOf(uint32_t call, NodeMaker* maker) {
  std::vector<StackId>& known = maker->by_call.stack_of_call;
  known.resize(maker->python.calls.size());
  if (known[call].some()) return known[call];
  StoreBuilder& builder = maker->builder;
  std::vector<Frame> frames;
  for (uint32_t at = call; at != PythonStacks::kNone; at = maker->python.calls[at].caller) {
    const NameId name = maker->python.calls[at].name;
    const PythonFrame frame = ParsePythonFrame(maker->trace.Text(name));
    frames.push_back(
        {builder.Name(frame.file), builder.Name(frame.function), NameId(), frame.line, frame.line});
  }
  std::reverse(frames.begin(), frames.end());
  return known[call] = builder.AddStack(frames);
}

void SetCalls(NodeId node, uint32_t call, NodeMaker* maker) {
  if (call == PythonStacks::kNone) return;
  maker->builder.node(node).stack = StackOf(call, maker);
  maker->builder.node(node).has_trace = true;
  maker->builder.SetCodeTraces();
}

}  // namespace

NodeId NodeMaker::NodeOf(std::string_view name, std::string_view type) {
  const NameId id = builder.Name(name);
  const NodeId known = builder.FindNode(id);
  return known.some() ? known : builder.AddNode(id, builder.Name(type), false);
}

void NodeMaker::AddCategory(NodeId node, std::string_view category) {
  const NameId name = builder.Name(category);
  builder.AddType(node, name);
  if (!python.empty()) by_call.categories.emplace(node.value, name);
}

NodeId NodeMaker::Below(NodeId node, uint32_t call) {
  if (python.empty()) return node;
  std::vector<uint32_t>& counts = by_call.counts;
  if (node.value >= counts.size()) counts.resize(node.value + size_t{1});
  if (counts[node.value] == 0 && builder.node(node).has_trace) return node;
  const uint64_t key = uint64_t{node.value} << 32 | call;
  const auto [known, is_new] = by_call.copies.try_emplace(key, node);
  if (!is_new) return known->second;
  if (++counts[node.value] > 1) known->second = CopyOf(node, counts[node.value], this);
  SetCalls(known->second, call, this);
  return known->second;
}

int64_t NodeMaker::RunsOf(uint32_t row) const {
  if (trace.events.start_ps[row] != kNoTime) return 1;
  const auto found =
      std::ranges::lower_bound(trace.aggregates, EventId(row), {}, &Aggregate::event);
  const bool recorded = found != trace.aggregates.end() && found->event == EventId(row);
  return recorded ? std::max<int64_t>(0, found->occurrences) : 1;
}

std::vector<const Lane*> LanesThatMeasure(const Store& trace, ProcessId process, Measures what) {
  std::vector<const Lane*> found;
  for (const Lane& lane : trace.LanesOf(trace.processes[process.value])) {
    if (lane.measures == what && lane.rows.count > 0) found.push_back(&lane);
  }
  return found;
}

namespace {

// "a/b.py:12" or "a/b.py:12:5".
bool TakeNumber(std::string_view* text, int32_t* number) {
  const size_t colon = text->rfind(':');
  if (colon == text->npos) return false;
  const std::string_view digits = text->substr(colon + 1);
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), *number);
  if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return false;
  *text = text->substr(0, colon);
  return true;
}

}  // namespace

void SetSourceLines(NodeId node, std::string_view lines, NodeMaker* maker) {
  StoreBuilder& builder = maker->builder;
  std::vector<Frame> frames;
  while (!lines.empty()) {
    const size_t end = std::min(lines.find('\n'), lines.size());
    std::string_view line = lines.substr(0, end);
    lines.remove_prefix(std::min(end + 1, lines.size()));
    int32_t last = 0, before = 0;
    if (!TakeNumber(&line, &last)) continue;
    const bool has_column = TakeNumber(&line, &before);
    frames.push_back(
        {builder.Name(line), builder.Name(""), NameId(), has_column ? before : last, 0});
  }
  if (frames.empty()) return;
  const StackId stack = builder.AddStack(frames);
  builder.node(node).stack = stack;
  builder.node(node).has_trace = true;
  builder.SetCodeTraces();
}

}  // namespace tfprof
