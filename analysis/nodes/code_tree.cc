// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/code_tree.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "analysis/contents.h"
#include "analysis/indexes.h"
#include "analysis/nodes/framework_files.h"
#include "analysis/nodes/name_order.h"
#include "core/base/sorting.h"
#include "core/query/query.h"
#include "core/text/pattern.h"

namespace tfprof {
namespace {

struct FrameKey {
  uint32_t file;
  uint32_t function;
  int32_t line;
  bool operator==(const FrameKey&) const = default;
};
struct HashFrame {
  size_t operator()(const FrameKey& key) const {
    return HashPair(uint64_t{key.file} << 32 | key.function, static_cast<uint32_t>(key.line));
  }
};
struct HashOfPair {
  size_t operator()(uint64_t pair) const { return HashPair(pair, 0); }
};

FrameKey KeyOf(const Frame& frame) { return {frame.file.value, frame.function.value, frame.line}; }

// The original cuts the names of functions.
constexpr size_t kLongest = 20;
constexpr size_t kKept = 17;

std::string FrameText(const CallStacks& stacks, const Frame& frame) {
  const std::string_view file = stacks.Text(frame.file);
  const std::string_view function = stacks.Text(frame.function);
  std::string text(file.substr(file.rfind('/') + 1));  // npos + 1: the whole path
  text += ':' + std::to_string(frame.line) + ':';
  text += function.substr(0, function.size() < kLongest ? kLongest : kKept);
  if (function.size() >= kLongest) text += "...";
  return text;
}

// A tree under construction. Frames are identified by their display text, not by their file: the
// first frame with a text keeps the row.
struct TreeGrowth {
  const Store& store;
  CodeFrames shown;
  CodeTree tree;
  std::unordered_map<uint32_t, bool> is_framework;  // by NameId of a file
  std::unordered_map<std::string_view, uint32_t> text_ids;
  std::vector<std::string_view> texts;                               // by text id
  std::unordered_map<FrameKey, uint32_t, HashFrame> frame_texts[2];  // [gradient]: text id
  std::unordered_map<uint64_t, uint32_t, HashOfPair> child_rows;     // parent << 32 | text id: row
  struct Path {
    Range frames;                // of the last placed stack
    bool whole = true;           // with the frames of frameworks
    std::vector<uint32_t> rows;  // by frame
  } paths[2];                    // [gradient]
  Column<uint32_t>
      stack_rows[2];  // [gradient], by place in CallStacks::stacks: its innermost row, or kNoRow
  Column<uint32_t> node_rows;  // by node: its row, or kNoRow

  TreeGrowth(const Store& of, CodeFrames frames, CallStacks stacks) : store(of), shown(frames) {
    tree.stacks = std::move(stacks);
    stack_rows[0].Resize(tree.stacks.stacks.size(), kNoRow);
    stack_rows[1].Resize(tree.stacks.stacks.size(), kNoRow);
    node_rows.Resize(store.nodes.size(), kNoRow);
    AddRow(kNoRow, TextId(std::string(kRootName)), kNoRow, false);
  }

  uint32_t TextId(std::string text) {
    const auto known = text_ids.find(text);
    if (known != text_ids.end()) return known->second;
    texts.push_back(tree.pool.Keep(std::move(text)));
    const auto id = static_cast<uint32_t>(texts.size() - 1);
    text_ids.emplace(texts.back(), id);
    return id;
  }

  uint32_t TextIdOf(const Frame& frame, bool gradient) {
    const auto [at, is_new] = frame_texts[gradient].try_emplace(KeyOf(frame), 0);
    if (is_new)
      at->second = TextId(FrameText(tree.stacks, frame) + (gradient ? " (gradient)" : ""));
    return at->second;
  }

  uint32_t AddRow(uint32_t parent, uint32_t text, uint32_t frame, bool gradient) {
    const auto row = static_cast<uint32_t>(tree.parent.size());
    tree.parent.Push(parent);
    tree.text.push_back(texts[text]);
    tree.frame.Push(frame);
    tree.gradient.Push(gradient);
    return row;
  }

  uint32_t ChildOf(uint32_t parent, uint32_t frame, bool gradient) {
    const uint32_t text = TextIdOf(tree.stacks.frames[frame], gradient);
    const uint64_t key = uint64_t{parent} << 32 | text;
    const auto [at, is_new] = child_rows.try_emplace(key, 0);
    if (is_new) at->second = AddRow(parent, text, frame, gradient);
    return at->second;
  }

  bool IsFramework(const Frame& frame) {
    const auto [at, is_new] = is_framework.try_emplace(frame.file.value, false);
    if (is_new) at->second = IsFrameworkFile(tree.stacks.Text(frame.file), store.has_trimmed_paths);
    return at->second;
  }

  bool ShowsWhole(Range frames) {
    const auto stack = tree.stacks.frames.Rows(frames.first, frames.count);
    return shown == CodeFrames::all ||
           std::ranges::all_of(stack, [&](const Frame& frame) { return IsFramework(frame); });
  }

  // Returns the innermost row of a stack that has frames. Nodes with adjacent names mostly come
  // from the same lines, so only the difference from the previous stack is looked up.
  uint32_t RowOf(StackId id, bool gradient) {
    const uint32_t stack = tree.stacks.of_id[id.value];
    uint32_t& row = stack_rows[gradient][stack];
    if (row != kNoRow) return row;
    const Range frames = tree.stacks.stacks[stack];
    Path& path = paths[gradient];
    const bool whole = ShowsWhole(frames);
    path.rows.resize(whole == path.whole ? SameFrames(path.frames, frames) : 0);
    for (auto i = static_cast<uint32_t>(path.rows.size()); i < frames.count; ++i) {
      const uint32_t caller = i == 0 ? 0 : path.rows.back();
      const bool folds = !whole && IsFramework(tree.stacks.frames[frames.first + i]);
      path.rows.push_back(folds ? caller : ChildOf(caller, frames.first + i, gradient));
    }
    path.frames = frames;
    path.whole = whole;
    row = path.rows.back();
    return row;
  }

  // Returns the number of outer frames that two stacks share.
  uint32_t SameFrames(Range a, Range b) const {
    const uint32_t max = std::min(a.count, b.count);
    uint32_t same = 0;
    while (same < max &&
           KeyOf(tree.stacks.frames[a.first + same]) == KeyOf(tree.stacks.frames[b.first + same])) {
      ++same;
    }
    return same;
  }
};

bool HasFrames(const CallStacks& stacks, const Node& node) {
  return !stacks.Of(node.stack).empty();
}

struct Gradient {
  std::string_view forward;
  NodeId node;
};

Result<std::vector<Gradient>> PlaceForwardNodes(const Column<NodeId>& by_name, TreeGrowth* growth,
                                                Context& context) {
  const Store& store = growth->store;
  std::vector<Gradient> gradients;
  for (size_t i = 0; i < by_name.size(); ++i) {
    if (i % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Node& node = store.nodes[by_name[i].value];
    if (!HasFrames(growth->tree.stacks, node)) continue;
    const std::string_view forward = ForwardName(store.Text(node.name));
    if (forward.data() != nullptr) {
      gradients.push_back({forward, by_name[i]});
    } else {
      growth->node_rows[by_name[i].value] = growth->RowOf(node.stack, false);
    }
  }
  return gradients;
}

// Returns the row for gradients of the node named `forward`, or kNoRow if that node has no row
// itself.
uint32_t GradientRow(std::string_view forward, TreeGrowth* growth) {
  const Store& store = growth->store;
  const NodeId node = store.NodeNamed(store.names.Find(forward));
  if (!node.some() || growth->node_rows[node.value] == kNoRow) return kNoRow;
  if (ForwardName(forward).data() != nullptr) return kNoRow;  // a gradient itself
  return growth->RowOf(store.nodes[node.value].stack, true);
}

// Adds the groups by forward node, in order of its name.
Result<void> PlaceGradients(std::vector<Gradient> gradients, TreeGrowth* growth, Context& context) {
  TFPROF_TRY(Poll(context));
  StableSort(gradients, {}, &Gradient::forward);
  for (size_t first = 0, next = 0; first < gradients.size(); first = next) {
    const std::string_view forward = gradients[first].forward;
    const uint32_t row = GradientRow(forward, growth);
    if (row == kNoRow) ++growth->tree.unknown_forward;
    for (; next < gradients.size() && gradients[next].forward == forward; ++next) {
      growth->node_rows[gradients[next].node.value] = row;
    }
  }
  return {};
}

// Turns counts by row (in first[row]) into the start positions of rows + 1 lists.
void StartsFromCounts(Column<uint32_t>* first) {
  uint32_t start = 0;
  for (uint32_t& count : *first) start += std::exchange(count, start);
}

// Returns, by row in order of insertion, its depth-first position; siblings keep the order of
// insertion. Fills `end`, by new row.
std::vector<uint32_t> DepthFirst(const Column<uint32_t>& parent, Column<uint32_t>* end) {
  const size_t rows = parent.size();
  std::vector<uint32_t> size(rows, 1);
  for (size_t row = rows; row-- > 1;) size[parent[row]] += size[row];
  std::vector<uint32_t> place(rows, 0);
  std::vector<uint32_t> next(rows, 1);  // by row: the position of its next child
  end->Resize(rows, static_cast<uint32_t>(rows));
  for (size_t row = 1; row < rows; ++row) {
    place[row] = next[parent[row]];
    next[parent[row]] += size[row];
    next[row] = place[row] + 1;
    (*end)[place[row]] = place[row] + size[row];
  }
  return place;
}

template <class T>
Column<T> Moved(const Column<T>& from, const std::vector<uint32_t>& place) {
  Column<T> to;
  to.Resize(from.size());
  for (size_t row = 0; row < from.size(); ++row) to[place[row]] = from[row];
  return to;
}

// Reorders rows from order of insertion to depth-first order.
void Reorder(TreeGrowth* growth) {
  CodeTree& tree = growth->tree;
  const std::vector<uint32_t> place = DepthFirst(tree.parent, &tree.end);
  for (uint32_t& parent : tree.parent) parent = parent == kNoRow ? kNoRow : place[parent];
  tree.parent = Moved(tree.parent, place);
  tree.frame = Moved(tree.frame, place);
  tree.gradient = Moved(tree.gradient, place);
  std::vector<std::string_view> text(tree.text.size());
  for (size_t row = 0; row < text.size(); ++row) text[place[row]] = tree.text[row];
  tree.text = std::move(text);
  for (uint32_t& row : growth->node_rows) row = row == kNoRow ? kNoRow : place[row];
}

void LinkNodes(const Column<NodeId>& by_name, const Column<uint32_t>& node_rows, CodeTree* tree) {
  tree->first_node.Resize(tree->parent.size() + 1, 0);
  for (const uint32_t row : node_rows) {
    if (row != kNoRow) ++tree->first_node[row];
  }
  StartsFromCounts(&tree->first_node);
  std::vector<uint32_t> next(tree->first_node.begin(), tree->first_node.end());
  tree->nodes.Resize(tree->first_node.back());
  for (const NodeId node : by_name) {
    const uint32_t row = node_rows[node.value];
    if (row != kNoRow) tree->nodes[next[row]++] = node;
  }
}

}  // namespace

std::string FramesNamed(const CodeTree& tree, std::string_view name) {
  const std::string text = ExpressionFor(name.size() < kLongest ? name : name.substr(0, kKept));
  const std::string cut = name.size() < kLongest ? "" : "[.]{3}";
  for (const std::string& expression :
       {".*:" + text + cut + "( .gradient.)?", ".*" + ExpressionFor(name) + ".*"}) {
    const PatternList frames({expression});
    const bool found = std::ranges::any_of(
        tree.text, [&](std::string_view frame) { return frames.Matches(frame); });
    if (found) return expression;
  }
  return {};
}

std::string_view ForwardName(std::string_view name) {
  constexpr std::string_view kPrefix = "gradients/";
  const size_t prefix = name.find(kPrefix);
  const size_t suffix = name.find("_grad/");
  if (prefix == name.npos || suffix == name.npos) return {};
  const size_t start = prefix + kPrefix.size();
  if (suffix == start) return {};
  return name.substr(start, suffix < start ? name.npos : suffix - start);
}

Result<CodeTree> CodeTree::Build(const Indexes& indexes, CodeFrames frames, Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const auto all_by_name, indexes.Get<NodesByName>(context));
  const Column<NodeId>& by_name = *all_by_name;
  TFPROF_ASSIGN(CallStacks stacks, ReadCallStacks(store, context));
  TreeGrowth growth(store, frames, std::move(stacks));
  TFPROF_ASSIGN(std::vector<Gradient> gradients, PlaceForwardNodes(by_name, &growth, context));
  TFPROF_TRY(PlaceGradients(std::move(gradients), &growth, context));
  TFPROF_TRY(Poll(context));
  Reorder(&growth);
  TFPROF_TRY(Poll(context));
  LinkNodes(by_name, growth.node_rows, &growth.tree);
  return std::move(growth.tree);
}

}  // namespace tfprof
