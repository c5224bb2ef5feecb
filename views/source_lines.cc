// SPDX-License-Identifier: Apache-2.0
#include "views/source_lines.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "core/base/ascii.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

std::string_view NameOfFile(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1: the whole path
}

// FILE or FILE:LINE; what follows the line is a function.
struct TypedLine {
  std::string_view file;
  std::optional<int64_t> line;  // none: the whole file
};

TypedLine ReadTypedLine(std::string_view typed) {
  for (size_t colon = typed.find(':'); colon != typed.npos; colon = typed.find(':', colon + 1)) {
    const char* const begin = typed.data() + colon + 1;
    const char* const end = typed.data() + typed.size();
    int64_t line = 0;
    const auto [rest, error] = std::from_chars(begin, end, line);
    if (error == std::errc() && (rest == end || *rest == ':'))
      return {typed.substr(0, colon), line};
  }
  return {typed, {}};
}

bool IsPath(std::string_view path, std::string_view typed) {
  if (!path.ends_with(typed)) return false;
  return path.size() == typed.size() || path[path.size() - typed.size() - 1] == '/';
}

const Frame& FrameOf(const CodeTree& tree, uint32_t row) {
  return tree.stacks.frames[tree.frame[row]];
}

std::string NameOfLine(std::string_view file, int64_t line) {
  return std::string(file).append(":").append(std::to_string(line));
}

std::span<const NodeId> NodesBelow(const CodeTree& tree, uint32_t row) {
  const uint32_t first = tree.first_node[row];
  return tree.nodes.Rows(first, tree.first_node[tree.end[row]] - first);
}

// Calls `take` for the topmost rows that match, so that a recursive line counts once.
template <class Matches, class Take>
Result<void> ForTopmost(const CodeTree& tree, const Matches& matches, const Take& take,
                        Context& context) {
  const auto rows = static_cast<uint32_t>(tree.parent.size());
  for (uint32_t row = 1, looked = 0; row < rows; ++looked) {
    if (looked % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const bool found = matches(row);
    if (found) take(row);
    row = found ? tree.end[row] : row + 1;
  }
  return {};
}

// The different files of the rows found. A recorder may know a file by the end of its path only.
class Files {
 public:
  void Add(std::string_view path) {
    for (std::string_view& known : paths_) {
      if (IsPath(known, path)) return;
      if (IsPath(path, known)) {
        known = path;
        return;
      }
    }
    paths_.push_back(path);
  }
  const std::vector<std::string_view>& paths() const { return paths_; }

 private:
  std::vector<std::string_view> paths_;
};

Failure SeveralFiles(std::string_view typed, const std::vector<std::string_view>& paths) {
  constexpr size_t kShown = 5;
  std::string list;
  for (size_t i = 0; i < paths.size() && i < kShown; ++i)
    list.append(i == 0 ? "" : ", ").append(paths[i]);
  if (paths.size() > kShown) list += ", ...";
  return Fail(ErrorKind::usage,
              "'" + std::string(typed) + "' matches " + std::to_string(paths.size()) + " files", {},
              "one of: " + list);
}

// FILE:LINE as people type it.
std::string TextOfLine(const Frame& frame, const CodeTree& tree) {
  return NameOfLine(NameOfFile(tree.stacks.Text(frame.file)), frame.line);
}

// Returns the lines of the frames that match.
template <class Matches>
Result<std::vector<FoundLine>> LinesWhere(const CodeTree& tree, const Matches& matches,
                                          Context& context) {
  struct Line {
    uint32_t end = 0;  // of its last topmost row: a recursive line counts once
    std::vector<NodeId> nodes;
  };
  std::map<std::pair<uint32_t, int32_t>, Line> lines;  // by file and line
  for (uint32_t row = 1; row < tree.parent.size(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Frame& frame = FrameOf(tree, row);
    if (!matches(frame)) continue;
    Line& line = lines[{frame.file.value, frame.line}];
    if (row < line.end) continue;
    line.end = tree.end[row];
    const std::span<const NodeId> below = NodesBelow(tree, row);
    line.nodes.insert(line.nodes.end(), below.begin(), below.end());
  }
  std::vector<FoundLine> found;
  for (auto& [key, line] : lines) {
    const std::string_view file = NameOfFile(tree.stacks.Text(NameId(key.first)));
    found.push_back({NameOfLine(file, key.second), key.second, std::move(line.nodes)});
  }
  return found;
}

using NodesByType = std::map<std::string_view, std::vector<NodeId>>;

std::vector<TypeSum> SumsOf(const NodesByType& types, const NodeCosts& costs) {
  std::vector<TypeSum> sums;
  for (const auto& [type, of_type] : types) sums.push_back({type, costs.Of(of_type)});
  std::erase_if(sums, [](const TypeSum& type) { return type.sum.nodes == 0; });
  StableSort(sums, CostsMore, &TypeSum::sum);
  return sums;
}

}  // namespace

bool LooksLikeSource(std::string_view typed) {
  return typed.ends_with(".py") || (ReadTypedLine(typed).line && !typed.starts_with(':'));
}

Result<std::optional<SourceLine>> FindSourceLine(const CodeTree& tree, std::string_view typed,
                                                 Context& context) {
  if (!LooksLikeSource(typed)) return std::optional<SourceLine>();
  const auto rows = static_cast<uint32_t>(tree.parent.size());
  bool is_row = false;
  for (uint32_t row = 1; row < rows && !is_row; ++row) is_row = tree.text[row] == typed;
  const TypedLine line = ReadTypedLine(typed);
  const auto matches = [&](uint32_t row) {
    if (is_row) return tree.text[row] == typed;
    const Frame& frame = FrameOf(tree, row);
    return (!line.line || frame.line == *line.line) &&
           IsPath(tree.stacks.Text(frame.file), line.file);
  };
  SourceLine found;
  Files files;
  const auto take = [&](uint32_t row) {
    const std::span<const NodeId> nodes = NodesBelow(tree, row);
    found.nodes.insert(found.nodes.end(), nodes.begin(), nodes.end());
    files.Add(tree.stacks.Text(FrameOf(tree, row).file));
    if (line.line) found.text = tree.stacks.SourceText(FrameOf(tree, row));
  };
  TFPROF_TRY(ForTopmost(tree, matches, take, context));
  if (files.paths().empty()) return std::optional<SourceLine>();
  if (files.paths().size() > 1 && !is_row) return SeveralFiles(typed, files.paths());
  const std::string_view file = files.paths().front();
  found.name = is_row       ? std::string(typed)
               : !line.line ? std::string(file)
                            : NameOfLine(file, *line.line);
  return std::optional<SourceLine>(std::move(found));
}

std::vector<LineSum> LinesOfNodes(const CodeTree& tree, const NodeCosts& costs,
                                  std::span<const NodeId> nodes) {
  std::vector<bool> wanted(costs.sums->values.size());
  for (const NodeId node : nodes) wanted[node.value] = true;
  // By file and text, which has the line and the function.
  std::map<std::pair<uint32_t, std::string_view>, std::pair<uint32_t, std::vector<NodeId>>> lines;
  for (uint32_t row = 1; row < tree.parent.size(); ++row) {
    for (uint32_t at = tree.first_node[row]; at < tree.first_node[row + 1]; ++at) {
      if (!wanted[tree.nodes[at].value]) continue;
      auto& [of_line, created] = lines[{FrameOf(tree, row).file.value, tree.text[row]}];
      of_line = row;
      created.push_back(tree.nodes[at]);
    }
  }
  std::vector<LineSum> sums;
  for (const auto& [key, line] : lines) {
    const Frame& frame = FrameOf(tree, line.first);
    sums.push_back({key.second, tree.stacks.Text(frame.file), tree.stacks.Text(frame.function),
                    frame.line, costs.Of(line.second)});
  }
  std::erase_if(sums, [](const LineSum& line) { return line.sum.nodes == 0; });
  StableSort(sums, CostsMore, &LineSum::sum);
  return sums;
}

Result<std::vector<FoundLine>> FindLines(const CodeTree& tree, const std::string& text,
                                         Context& context) {
  const bool of_file = text.find_first_of(".:") != text.npos;
  const auto contains = [&](const Frame& frame) {
    if (text.empty()) return false;
    if (of_file) return ContainsAnyCase(TextOfLine(frame, tree), text);
    return ContainsAnyCase(tree.stacks.Text(frame.function), text);
  };
  return LinesWhere(tree, contains, context);
}

Result<std::vector<FoundLine>> LinesThatBegin(const CodeTree& tree, std::string_view text,
                                              Context& context) {
  const auto begins = [&](const Frame& frame) { return TextOfLine(frame, tree).starts_with(text); };
  return LinesWhere(tree, begins, context);
}

std::vector<TypeSum> TypesOfNodes(const Store& store, const NodeCosts& costs,
                                  std::span<const NodeId> nodes) {
  NodesByType types;
  for (const NodeId node : nodes) types[store.Text(store.nodes[node.value].type)].push_back(node);
  return SumsOf(types, costs);
}

std::vector<TypeSum> KernelsOfNodes(const Store& store, const NodeCosts& costs,
                                    std::span<const NodeId> nodes) {
  NodesByType types;
  for (const NodeId node : nodes) {
    const NameId type = KernelTypeOf(store, node);
    if (type.some()) types[store.Text(type)].push_back(node);
  }
  return SumsOf(types, costs);
}

}  // namespace tfprof
