// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/hash.h"
#include "core/base/result.h"
#include "core/store/lanes.h"
#include "core/store/names.h"
#include "loaders/counts.h"
#include "loaders/io/source.h"
#include "loaders/kineto/decimal.h"
#include "loaders/kineto/entry.h"
#include "loaders/kineto/header.h"

// One file of Chrome's trace format, scanned by itself: files of several ranks are scanned in
// parallel.

namespace tfprof::kineto {

// Entries of one process and thread that are one lane. Each category of device entries that are no
// work has a layer of its own, from kOthers on.
enum Layer : uint32_t { kThread, kWork, kInstants, kAsync, kOthers };

struct Track {
  uint32_t process = 0;  // index in Scanned::processes
  uint32_t layer = kThread;
  std::string thread;  // `tid`
  int64_t stream = kNoInt;
  EventClass first_class = EventClass::none;
  NameId category;  // of its first entry
};

struct LabelKey {
  uint32_t process;
  NameId name;
  NameId category;  // none: no category
  uint32_t role;    // 1: allocation, 2: free, else 0
  bool operator==(const LabelKey&) const = default;
  uint64_t Hash() const {
    return HashPair(HashPair(name.value, category.value), uint64_t{process} << 8 | role);
  }
};

struct ScannedProcess {
  std::string id;  // `pid`
  ProcessKind kind = ProcessKind::host;
  int64_t device = kNoInt;  // number of the device
  bool has_work = false;
};

// Names that M entries give; the last one counts.
struct GivenNames {
  std::map<std::string, std::string, std::less<>> process, labels;
  std::map<std::pair<std::string, std::string>, std::string> thread;
};

struct Category {
  json::Text text;
  NameId name;  // of today; none: no category
  NameId as_written;
  EventClass of = EventClass::none;
  uint32_t index = 0;
  std::vector<EntryCount> counts = {};  // by phase, `category` is unset
};

struct TrackRun {
  uint32_t track;
  uint32_t first_row;
};

// Problems, by kind.
struct Problems {
  ProblemCount malformed, without_time, negative, unmatched, far;
};

struct Scanned {
  Header header;
  Names names;
  WidePs epoch_ps = 0;  // of the rows: the start of the first one in whole us, by the file's clock
  bool has_epoch = false;
  Column<int64_t> start_ps, duration_ps;
  Column<uint32_t> label;   // index into labels.keys()
  Column<uint32_t> detail;  // see DetailPlace
  std::vector<TrackRun> runs;
  std::vector<ScannedProcess> processes;
  std::vector<Track> tracks;
  GroupIndex<LabelKey> labels;
  std::vector<Category> categories;
  GivenNames given;
  Problems problems;
  const char* bad = nullptr;  // where the text ends early or is no JSON; null: it is whole
};

// Scans a whole file. Error: cancelled.
Result<void> Scan(const SourceFile& file, Context& context, Scanned* scanned);

}  // namespace tfprof::kineto
