// SPDX-License-Identifier: Apache-2.0
#include "loaders/inputs/manifest.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "loaders/wire/json.h"

namespace tfprof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kManifest = "manifest.json";

// Reads a regular file, which cannot block. Empty: there is none.
std::string BytesOf(const fs::path& path) {
  std::error_code failed;
  if (!fs::is_regular_file(path, failed)) return {};
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Browsers, web pages and others have files of that name, too.
bool IsOfCapture(const JsonValue& json) {
  return json.At("processes").kind == JsonKind::list && json.Integer("format") != kNoInt;
}

std::string FileNameOf(std::string_view path) {
  return std::string(path.substr(path.rfind('/') + 1));
}

// "train.py (process 12)".
std::string NameOf(const CapturedProcess& process) {
  if (process.pid == kNoInt) return process.program;
  const std::string number = std::to_string(process.pid);
  return process.program.empty() ? number : process.program + ", process " + number;
}

// True for a path that stays in the folder that it is relative to.
bool StaysInside(const fs::path& path) {
  return path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

// Returns the path of the trace that a process names; empty, with a note: it cannot be opened.
std::string TraceOf(const JsonValue& process, Manifest* manifest) {
  const std::string source(process.Text("source"));
  if (source.empty()) return {};
  const fs::path path = fs::path(manifest->capture.folder) / source;
  std::error_code failed;
  if (!StaysInside(source)) {
    manifest->notes.push_back({note::manifest_names_other_folder, source});
  } else if (!fs::is_regular_file(path, failed)) {
    manifest->notes.push_back({note::manifest_names_absent_file, path.string()});
  } else {
    return path.string();
  }
  return {};
}

void AddProcess(const JsonValue& json, std::set<std::string>* seen, Manifest* manifest) {
  CapturedProcess process;
  process.host = json.Text("host");
  process.program = FileNameOf(json.Text("exe"));
  process.pid = json.Integer("pid");
  process.is_complete = json.IsTrue("complete");
  process.is_running = json.IsTrue("running");
  process.trace = TraceOf(json, manifest);
  if (!seen->insert(process.trace).second) process.trace.clear();
  if (!process.trace.empty()) manifest->traces.push_back(process.trace);
  ProcessLosses lost{process.trace, NameOf(process), {}, {}};
  if (const std::string_view error = json.Text("cupti.error"); !error.empty()) {
    lost.errors.push_back("GPU work is not recorded: " + std::string(error));
  }
  for (const JsonValue& loss : json.List("losses")) lost.losses.push_back(loss.text);
  if (const std::string_view error = json.Text("error"); !error.empty()) {
    const std::string text = lost.process + ": " + std::string(error);
    manifest->notes.push_back({note::With(note::process_without_trace, {text}), {}});
  }
  manifest->losses.push_back(std::move(lost));
  manifest->capture.processes.push_back(std::move(process));
}

// Adds notes for what `reported` lacks, under the row `row`.
void NoteLosses(const std::vector<std::string>& losses, const std::vector<std::string>& reported,
                const NoteRow& row, const std::string& place, StoreBuilder& store) {
  for (const std::string& loss : losses) {
    if (std::ranges::count(reported, loss) == 0) store.AddNote(note::With(row, {loss}), place);
  }
}

}  // namespace

std::optional<Manifest> ReadManifest(const std::string& folder) {
  const fs::path path = fs::path(folder) / kManifest;
  const std::string bytes = BytesOf(path);
  if (bytes.empty()) return std::nullopt;
  Manifest manifest;
  manifest.capture.folder = folder;
  const Result<JsonValue> json = ReadJson(bytes, Limits().max_nesting);
  if (!json) {
    manifest.is_malformed = true;
    manifest.notes.push_back(
        {note::With(note::malformed_manifest, {json.error().what}), path.string()});
    return manifest;
  }
  if (!IsOfCapture(*json)) return std::nullopt;
  manifest.capture.last_ns = json->Integer("last_ns");
  manifest.has_ended = json->Integer("exit_status") != kNoInt;
  std::set<std::string> seen;
  for (const JsonValue& process : json->List("processes")) AddProcess(process, &seen, &manifest);
  return manifest;
}

bool IsCapture(const std::string& folder) {
  const std::optional<Manifest> manifest = ReadManifest(folder);
  return manifest && !manifest->is_malformed;
}

void AddCapture(const Manifest& manifest, StoreBuilder& store) {
  static const Source kNone;
  for (const ProcessLosses& lost : manifest.losses) {
    if (lost.errors.empty() && lost.losses.empty()) continue;
    const auto found = std::ranges::find(store.sources(), lost.trace, &Source::path);
    const Source& source = found == store.sources().end() ? kNone : *found;
    const std::string& place = lost.trace.empty() ? lost.process : lost.trace;
    NoteLosses(lost.errors, source.errors, note::recorder_error, place, store);
    NoteLosses(lost.losses, source.warnings, note::recorder_warning, place, store);
  }
  const auto running =
      std::ranges::count_if(manifest.capture.processes, &CapturedProcess::is_running);
  if (const int64_t last_ns = manifest.capture.last_ns; last_ns > 0) {
    const std::string time = Human(last_ns * kPsPerNs, Unit::ps);
    store.AddNote(note::With(note::part_of_recording, {time}), manifest.capture.folder);
  }
  if (running > 0) {
    store.AddNote(note::processes_still_running, manifest.capture.folder, kNoInt, running);
  }
  store.SetCapture(manifest.capture);
}

}  // namespace tfprof
