// SPDX-License-Identifier: Apache-2.0
#include "cli/export/source_text.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "core/base/ascii.h"
#include "core/report/table_def.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMostFileBytes = size_t{4} << 20;
constexpr size_t kMostBytes = size_t{64} << 20;  // of memory, for all files
constexpr size_t kMostLineBytes = 400;
constexpr size_t kMostParts = 64;  // of a path
constexpr ColumnDef kSourceText = TextDef(
    "source_text", "source text", "The source line, from a file below the folder of -sources.");

// The paths that a path ends with, the longest first; none, if it leads upwards.
std::vector<fs::path> EndsOf(const fs::path& path) {
  std::vector<fs::path> parts;
  for (const fs::path& part : path.relative_path()) {
    if (part == "..") return {};
    if (!part.empty() && part != ".") parts.push_back(part);
  }
  if (parts.size() > kMostParts) return {};
  std::vector<fs::path> ends(parts.size());
  for (size_t i = parts.size(); i-- > 0;) {
    ends[i] = i + 1 < parts.size() ? parts[i] / ends[i + 1] : parts[i];
  }
  return ends;
}

// Returns the file below a folder; empty: there is none, or it is elsewhere.
std::string FileBelow(const std::string& folder, const fs::path& path) {
  std::error_code failed;
  const fs::path file = fs::canonical(fs::path(folder) / path, failed);
  const bool is_below = !failed && file.native().starts_with(folder);
  return is_below && fs::is_regular_file(file, failed) ? file.string() : std::string();
}

// Returns the whole file; empty: it is larger, or binary.
std::string ReadText(const std::string& path, size_t most) {
  std::error_code failed;
  const uintmax_t size = fs::file_size(path, failed);
  if (failed || size > most) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(file.gcount()));
  return text.find('\0') == text.npos ? text : std::string();
}

// The memory of a text and of its lines.
size_t BytesWithLines(const std::string& text) {
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  return text.size() + lines * sizeof(std::string_view);
}

// Returns the first bytes of a line, without a part of a character at their end.
std::string_view FirstBytes(std::string_view line, size_t most) {
  if (line.size() <= most) return line;
  const auto is_inside = [&](size_t at) { return (line[at] & 0xC0) == 0x80; };
  size_t end = most;
  while (end > 0 && most - end < 3 && is_inside(end)) --end;
  return line.substr(0, is_inside(end) ? most : end);
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(static_cast<size_t>(std::ranges::count(text, '\n')) + 1);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1);
    const bool ends = text[end] == '\n';
    lines.push_back(FirstBytes(Trimmed(text.substr(0, end + (ends ? 0 : 1))), kMostLineBytes));
    text.remove_prefix(end + 1);
  }
  return lines;
}

}  // namespace

SourceFiles::SourceFiles(const std::string& folder) : room_(kMostBytes) {
  std::error_code failed;
  const fs::path path = fs::canonical(folder, failed);
  if (!failed) folder_ = (path / "").string();
}

const SourceFiles::SourceText& SourceFiles::TextOf(std::string_view path) {
  const auto known = texts_.find(path);
  if (known != texts_.end()) return known->second;
  SourceText& made = texts_[std::string(path)];
  if (folder_.empty()) return made;
  for (const fs::path& end : EndsOf(fs::path(path))) {
    const std::string file = FileBelow(folder_, end);
    if (file.empty()) continue;
    std::string text = ReadText(file, kMostFileBytes);
    const size_t bytes = BytesWithLines(text);
    if (bytes > room_) return made;
    made.text = std::move(text);
    made.lines = LinesOf(made.text);
    room_ -= bytes;
    return made;
  }
  return made;
}

std::string_view SourceFiles::LineOf(std::string_view path, int64_t line) {
  if (path.empty() || line < 1) return {};
  const std::vector<std::string_view>& lines = TextOf(path).lines;
  return line <= std::ssize(lines) ? lines[static_cast<size_t>(line) - 1] : std::string_view();
}

Result<void> CheckSources(const std::string& /*out*/, const Query& query) {
  std::error_code failed;
  if (query.sources.empty() || fs::is_directory(query.sources, failed)) return {};
  return Fail(ErrorKind::unreadable, "no such folder", query.sources, "-sources DIR");
}

void AddSourceText(SourceFiles* files, Report* report) {
  for (Table& table : report->tables) {
    const ReportColumn* const file = table.Find("source_file");
    const ReportColumn* const line = table.Find("source_line");
    if (file == nullptr || line == nullptr || table.columns.empty()) continue;
    ReportColumn column;
    column.spec = SpecOf(kSourceText);
    bool has_any = false;
    for (size_t row = 0; row < table.rows; ++row) {
      const std::string_view text = files->LineOf(file->texts[row], line->Integer(row));
      has_any |= !text.empty();
      column.texts.push_back(text.empty() ? std::string_view()
                                          : report->pool->Keep(std::string(text)));
    }
    if (has_any) table.columns.insert(table.columns.begin() + 1, std::move(column));
  }
}

}  // namespace tfprof
