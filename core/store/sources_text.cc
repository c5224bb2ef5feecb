// SPDX-License-Identifier: Apache-2.0
#include "core/store/sources_text.h"

#include <fmt/format.h>

#include <set>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/text/units.h"
#include "core/text/wording.h"

namespace tfprof {
namespace {

constexpr size_t kMaxNamed = 8;  // files: more names than that are not read

// "xspace, 1.1 MiB", of all files.
std::string KindAndSize(const std::vector<Source>& sources, uint64_t Source::*size) {
  std::set<std::string_view> formats;
  int64_t bytes = 0;
  for (const Source& source : sources) {
    formats.insert(source.format);
    bytes = SaturatingAdd(bytes, static_cast<int64_t>(source.*size));
  }
  const std::vector<std::string_view> names(formats.begin(), formats.end());
  return Listed(names) + ", " + Human(bytes, Unit::bytes);
}

// "host node7", "hosts node7, node8".
std::string Named(std::string_view noun, const std::set<std::string_view>& names) {
  const std::vector<std::string_view> list(names.begin(), names.end());
  return fmt::format("{}{} {}", noun, list.size() == 1 ? "" : "s", Listed(list));
}

// "201 processes of train on host node7": those whose traces are open.
std::string ProcessesText(const Capture& capture) {
  std::set<std::string_view> programs, hosts;
  int64_t count = 0;
  for (const CapturedProcess& process : capture.processes) {
    if (process.trace.empty()) continue;
    ++count;
    if (!process.program.empty()) programs.insert(process.program);
    if (!process.host.empty()) hosts.insert(process.host);
  }
  std::string text = fmt::format("{} process{}", count, count == 1 ? "" : "es");
  if (!programs.empty()) {
    text += " of " + Listed(std::vector<std::string_view>(programs.begin(), programs.end()));
  }
  if (!hosts.empty()) text += " on " + Named("host", hosts);
  return text;
}

// The folder of all files, with its slash; empty: they are in several.
std::string_view CommonFolder(const std::vector<Source>& sources) {
  const auto folder_of = [](const Source& source) {
    return std::string_view(source.path).substr(0, source.path.rfind('/') + 1);
  };
  const std::string_view folder = folder_of(sources[0]);
  for (const Source& source : sources) {
    if (folder_of(source) != folder) return {};
  }
  return folder;
}

}  // namespace

std::string SourcesText(const Store& store, uint64_t Source::*size) {
  const std::vector<Source>& sources = store.sources;
  if (store.capture) {
    return fmt::format("{}: {} ({})", store.capture->folder, ProcessesText(*store.capture),
                       KindAndSize(sources, size));
  }
  if (sources.size() > kMaxNamed) {
    const std::string_view folder = CommonFolder(sources);
    return fmt::format("{}{}{} files ({})", folder, folder.empty() ? "" : ": ", sources.size(),
                       KindAndSize(sources, size));
  }
  std::vector<std::string> files;
  for (const Source& source : sources) {
    files.push_back(fmt::format("{} ({}, {})", source.path, source.format,
                                Human(static_cast<int64_t>(source.*size), Unit::bytes)));
  }
  return Listed(files, kMaxNamed);
}

}  // namespace tfprof
