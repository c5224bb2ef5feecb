// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/node_maker.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>
#include <vector>

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

std::string_view LastPart(std::string_view text, char separator) {
  return text.substr(text.rfind(separator) + 1);  // npos + 1: all of it
}

// Returns how many calls of a program's stack are around the outermost traced one; 0: none, or the
// stack lacks it.
size_t CallersOf(const Frame& outermost, std::span<const Frame> recorded, StoreBuilder& builder) {
  const auto name = [&](const Frame& frame) {
    return std::pair(LastPart(builder.Text(frame.file), '/'),
                     LastPart(builder.Text(frame.function), '.'));
  };
  for (size_t i = recorded.size(); i-- > 0;) {
    if (name(recorded[i]) == name(outermost)) return i;
  }
  return 0;
}

bool IsSameCall(const Frame& a, const Frame& b) {
  return a.file == b.file && a.function == b.function && a.line == b.line;
}

// Finds the calls around the outermost traced one in the programs of all operations. Programs keep
// a limited number of calls, those nearest to the operation, so the longest list counts. Returns
// nothing if the lists disagree: the function is called from several places.
std::vector<Frame> FindCallers(const Frame& outermost, NodeMaker* maker) {
  std::span<const Frame> found;
  for (const auto& [node, recorded] : maker->by_call.recorded) {
    const size_t count = CallersOf(outermost, recorded, maker->builder);
    std::span<const Frame> longer = std::span(recorded).first(count), shorter = found;
    if (longer.size() < shorter.size()) std::swap(longer, shorter);
    if (!std::ranges::equal(longer.last(shorter.size()), shorter, IsSameCall)) return {};
    found = longer;
  }
  return {found.begin(), found.end()};
}

// Returns the calls around the outermost traced one: the tracer began within them. `recorded` is
// the stack in the operation's own program, if it has one.
std::span<const Frame> CallersAround(const Frame& outermost, std::span<const Frame> recorded,
                                     NodeMaker* maker) {
  const size_t own = CallersOf(outermost, recorded, maker->builder);
  if (own > 0) return recorded.first(own);
  const uint64_t key = uint64_t{outermost.file.value} << 32 | outermost.function.value;
  const auto [known, is_new] = maker->by_call.callers.try_emplace(key);
  if (is_new) known->second = FindCallers(outermost, maker);
  return known->second;
}

// Sets the Python calls as the stack of a node that counts for `of` below them.
void SetCalls(NodeId node, NodeId of, uint32_t call, NodeMaker* maker) {
  const auto found = maker->by_call.recorded.find(of.value);
  std::span<const Frame> recorded;
  if (found != maker->by_call.recorded.end()) recorded = found->second;
  if (call == PythonStacks::kNone) {
    if (node != of) maker->SetFrames(node, recorded);
    return;
  }
  StoreBuilder& builder = maker->builder;
  std::vector<Frame> frames;
  for (uint32_t at = call; at != PythonStacks::kNone; at = maker->python.calls[at].caller) {
    const LabelId label = maker->python.calls[at].label;
    const PythonFrame frame = PythonFrameOf(maker->trace, maker->trace.labels[label.value]);
    frames.push_back(
        {builder.Name(frame.file), builder.Name(frame.function), NameId(), frame.line, frame.line});
  }
  std::reverse(frames.begin(), frames.end());
  const std::span<const Frame> callers = CallersAround(frames.front(), recorded, maker);
  frames.insert(frames.begin(), callers.begin(), callers.end());
  maker->SetFrames(node, frames);
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
  const uint64_t key = uint64_t{node.value} << 32 | call;
  const auto [known, is_new] = by_call.copies.try_emplace(key, node);
  if (!is_new) return known->second;
  if (++counts[node.value] > 1) known->second = CopyOf(node, counts[node.value], this);
  SetCalls(known->second, node, call, this);
  return known->second;
}

NodeId NodeMaker::InScope(NodeId node, uint32_t row) {
  if (!HasScopes() || scopes->of_event[row] == ModuleScopes::kNone) return node;
  const uint32_t scope = scopes->of_event[row];
  const auto [known, is_new] = in_scope.try_emplace(uint64_t{node.value} << 32 | scope);
  if (is_new) {
    const std::string name =
        scopes->paths[scope] + "/" + std::string(builder.Text(builder.node(node).name));
    const std::string type(builder.Text(builder.node(node).type));
    known->second = NodeOf(name, type);
  }
  return known->second;
}

void NodeMaker::SetFrames(NodeId node, std::span<const Frame> frames) {
  if (frames.empty()) return;
  builder.node(node).stack = builder.AddStack(frames);
  builder.node(node).has_trace = true;
  builder.SetCodeTraces();
}

int64_t NodeMaker::RunsOf(uint32_t row) const {
  if (trace.events.start_ps[row] != kNoTime) return 1;
  const auto found =
      std::ranges::lower_bound(trace.aggregates, EventId(row), {}, &Aggregate::event);
  const bool recorded = found != trace.aggregates.end() && found->event == EventId(row);
  return recorded ? std::max<int64_t>(0, found->occurrences) : 1;
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
  maker->SetFrames(node, frames);
}

}  // namespace tfprof
