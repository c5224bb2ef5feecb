// SPDX-License-Identifier: Apache-2.0
// The trace of one process, made once, or again and again while its spool grows. Then all of the
// spool is read once only, and the trace has the end of it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "capture/model/definition_reader.h"
#include "capture/model/records_since.h"
#include "capture/spool/reader.h"
#include "capture/writers/manifest.h"

namespace tfprof::capture {

struct ConvertOptions {
  bool keep = false;                       // the spools
  bool follow = false;                     // convert again whenever a line is read
  uint64_t last_ns = 0;                    // traces have so much of the end; 0: all
  std::vector<std::string> scope_domains;  // further domains of NVTX whose ranges are scopes
  uint32_t export_steps = 0;               // also write so many steps as files of TensorFlow 1
};

class SpoolConversion {
 public:
  SpoolConversion(std::filesystem::path spool, const ConvertOptions& options);

  // Reads what was written since the last call.
  void Read();
  // The time until which it was recorded; 0: nothing was.
  uint64_t End() const;
  // Writes a trace. It begins with the last step that began by `wanted` but not much before, else
  // at that time. 0: it has all. `taken`: names of traces.
  void Write(const std::filesystem::path& folder, uint64_t wanted, std::set<std::string>* taken);

  // Removes the trace of another conversion in which another process had the name that this one has
  // now: which one comes first may change.
  void RemoveFormerTrace(const std::filesystem::path& folder,
                         const std::set<std::string>& taken) const;

  const CapturedProcess& process() const { return process_; }

 private:
  // By then all that had been recorded before a time was written.
  struct Mark {
    SpoolPlace place;
    uint64_t time = 0;
  };

  void StartAnew();
  void Name(std::set<std::string>* taken);
  void AdvanceTo(uint64_t from);
  bool IsAtEnd() const;
  void CutAt(uint64_t wanted);
  int WriteTrace(const std::filesystem::path& folder, std::set<std::string>* taken);

  std::filesystem::path spool_;
  ConvertOptions options_;
  CapturedProcess process_;
  std::optional<DefinitionReader> definitions_;
  std::optional<SpoolReader> reader_;
  SpoolPlace end_;           // of what was read
  std::vector<Mark> marks_;  // from the last one before the trace's start on
  uint64_t from_ = 0;        // where the trace begins; 0: it has all
  SpoolPlace start_;         // of what is in it
  ThreadsAt threads_;        // there
  std::string name_;         // of the trace; empty: there was none yet
  bool is_over_ = false;     // all was read, and nothing of it is in the trace
};

}  // namespace tfprof::capture
