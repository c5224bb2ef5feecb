// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/spool_conversion.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <system_error>
#include <utility>

#include "capture/model/texts.h"
#include "capture/tool/spools.h"
#include "capture/writers/atomic_file.h"
#include "capture/writers/tensorflow_export.h"
#include "capture/writers/trace.h"
#include "capture/writers/xspace.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceEnding = ".xplane.pb";

// "python3.node7.rank2": what a file of the process is called.
std::string NameOf(const Definitions& definitions) {
  constexpr size_t kMostBytes = 64;  // of each part: names of files have 255 at most
  const auto part = [&](std::string_view text) { return FilePart(text, kMostBytes); };
  const std::string program = part(fs::path(definitions.Fact("exe")).filename().string());
  const std::string_view host = definitions.Fact("host");
  const std::string short_host = part(host.substr(0, host.find('.')));
  const std::string_view rank = definitions.Fact("rank");
  return (program.empty() ? "program" : program) + "." +
         (short_host.empty() ? "host" : short_host) + "." +
         (rank.empty() ? "pid" + part(definitions.Fact("pid")) : "rank" + part(rank));
}

// What it is called where another process has that name: a rank and what it started.
std::string FurtherNameOf(const Definitions& definitions) {
  return NameOf(definitions) + ".pid" + std::string(definitions.Fact("pid"));
}

uint64_t StartOf(const Definitions& definitions) {
  if (definitions.is_cut) return definitions.kept_from;
  uint64_t start =
      definitions.clocks.empty() ? definitions.first_time : definitions.clocks[0].realtime;
  if (definitions.first_time != 0) start = std::min(start, definitions.first_time);
  return start;
}

void AddMessages(const CapturedProcess& process, XSpace* space) {
  for (std::string& loss : LossesOf(process)) space->AddWarning(std::move(loss));
  const std::string_view error = process.definitions.Fact("cupti.error");
  if (!error.empty()) space->AddError("GPU work is not recorded: " + std::string(error));
  if (!process.definitions.has_end && !process.is_running) {
    space->AddWarning("the process was killed or called _exit: at most the last second is missing");
  }
  space->SetHost(std::string(process.definitions.Fact("host")));
}

}  // namespace

SpoolConversion::SpoolConversion(fs::path spool, const ConvertOptions& options)
    : spool_(std::move(spool)), options_(options) {
  process_.spool = "spool/" + spool_.filename().string();
  StartAnew();
}

void SpoolConversion::StartAnew() {
  process_.definitions = {};
  process_.definitions.scope_domains = options_.scope_domains;
  definitions_.emplace(&process_.definitions);
  end_ = start_ = {};
  marks_.clear();
}

void SpoolConversion::Read() {
  if (is_over_) return;
  process_.error.clear();
  process_.is_running = IsRunning(spool_.string());
  reader_.emplace();
  const int error = reader_->Open(spool_.string());
  if (error != 0) {
    process_.error = std::strerror(error);
    return reader_.reset();
  }
  if (reader_->has_segments())
    StartAnew();  // a ring is as long as it is wanted, and comes and goes
  reader_->StartAt(end_);
  Block block;
  while (reader_->Next(&block)) {
    uint64_t clock = 0;
    EachRecord(block.records, [&](const RecordHead& head) {
      definitions_->Take(block.thread, head);
      if (head.kind != RecordKind::clock) return;
      if (const auto* record = As<ClockRecord>(head)) clock = record->realtime;
    });
    if (clock != 0 && options_.last_ns != 0) marks_.push_back({reader_->place(), clock});
  }
  end_ = reader_->place();
  process_.definitions.damage = reader_->damage();
  if (options_.last_ns != 0 && !reader_->has_segments()) reader_.reset();  // there may be many
}

// Times of work may be anything.
uint64_t SpoolConversion::End() const {
  const uint64_t last = process_.definitions.last_time;
  return marks_.empty() ? last : std::min(last, marks_.back().time);
}

void SpoolConversion::Name(std::set<std::string>* taken) {
  const std::string further = FurtherNameOf(process_.definitions), ending(kTraceEnding);
  name_ = NameOf(process_.definitions) + ending;
  if (taken->contains(name_)) name_ = further + ending;
  for (int i = 2; taken->contains(name_); ++i) name_ = further + "-" + std::to_string(i) + ending;
  taken->insert(name_);
}

void SpoolConversion::RemoveFormerTrace(const fs::path& folder,
                                        const std::set<std::string>& taken) const {
  const std::string former = FurtherNameOf(process_.definitions) + std::string(kTraceEnding);
  std::error_code ignored;
  if (!taken.contains(former)) fs::remove(folder / former, ignored);
}

// Follows the threads to the last mark before.
void SpoolConversion::AdvanceTo(uint64_t from) {
  const auto is_before = [&](const Mark& mark) { return mark.time <= from; };
  const auto after = std::find_if(marks_.rbegin(), marks_.rend(), is_before).base();
  if (after == marks_.begin()) return;
  const SpoolPlace to = std::prev(after)->place;
  marks_.erase(marks_.begin(), std::prev(after));
  Block block;
  reader_->StartAt(start_);
  while (reader_->place().offset < to.offset && reader_->Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) { threads_.Take(block.thread, head); });
  }
  start_ = to;
}

// What was written after the names were read waits for the next time.
bool SpoolConversion::IsAtEnd() const {
  return !reader_->has_segments() && reader_->place().offset >= end_.offset;
}

// Returns 0 or an errno.
int SpoolConversion::WriteTrace(const fs::path& folder, std::set<std::string>* taken) {
  const Definitions& definitions = process_.definitions;
  XSpace space(folder.string(), StartOf(definitions));
  TensorflowExport files(definitions, folder.string(), options_.export_steps);
  Trace trace(definitions, &space, options_.export_steps > 0 ? &files : nullptr);
  const auto take = [&](uint32_t thread, const RecordHead& head) { trace.Take(thread, head); };
  RecordsSince since(definitions, threads_, take);
  reader_->StartAt(start_);
  Block block;
  while (!IsAtEnd() && reader_->Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) {
      from_ != 0 ? since.Take(block.thread, head) : take(block.thread, head);
    });
  }
  if (from_ != 0) since.Finish();
  trace.Finish();
  process_.counts = trace.counts();
  process_.events = space.event_count();
  if (process_.events == 0) return 0;
  if (name_.empty()) Name(taken);
  process_.trace = name_;
  AddMessages(process_, &space);
  AtomicFile file((folder / name_).string());
  if (file.descriptor() < 0) return file.error();
  int error = space.Write(file.descriptor());
  if (error == 0) error = file.Commit();
  if (error != 0 || options_.export_steps == 0) return error;
  error = files.Write((folder / name_.substr(0, name_.size() - kTraceEnding.size())).string());
  for (const std::string& path : files.written()) {
    process_.exports.push_back(fs::path(path).filename().string());
  }
  return error;
}

void SpoolConversion::CutAt(uint64_t wanted) {
  const uint64_t earliest = wanted - std::min(wanted, options_.last_ns);
  const uint64_t start = definitions_->LastStart(earliest, wanted);
  from_ = start != 0 ? start : wanted;
  process_.is_part = true;
  AdvanceTo(from_);
}

void SpoolConversion::Write(const fs::path& folder, uint64_t wanted, std::set<std::string>* taken) {
  if (is_over_ || !process_.error.empty()) return;
  process_.trace.clear();
  process_.exports.clear();
  process_.events = 0;
  int error = 0;
  if (!reader_.has_value()) {
    reader_.emplace();
    error = reader_->Open(spool_.string());
  }
  if (error == 0) {
    // It may go back, as the clock may be set.
    const bool is_part = process_.is_part || wanted > process_.definitions.first_time;
    if (is_part && !reader_->has_segments()) CutAt(wanted);
    definitions_->Finish(from_);
    if (process_.definitions.last_time >= from_) error = WriteTrace(folder, taken);
  }
  reader_.reset();
  if (error != 0) process_.error = std::strerror(error);
  if (error != 0 || process_.events != 0 || from_ == 0) return;
  std::error_code ignored;
  if (!name_.empty()) fs::remove(folder / name_, ignored);  // the manifest does not name it
  is_over_ = !process_.is_running;
  if (is_over_) process_.definitions.ForgetTables();
}

}  // namespace tfprof::capture
