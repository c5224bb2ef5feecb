// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/scan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

#include "loaders/kineto/categories.h"
#include "loaders/kineto/places.h"

namespace tfprof::kineto {
namespace {

constexpr size_t kEntriesPerPoll = 4096;
constexpr int kPhases = 128;

// The events that began and have not ended, of one track.
struct OpenEvents {
  std::vector<uint32_t> rows;
  std::map<std::string, std::vector<uint32_t>, std::less<>> by_id;  // of kAsync
};

// The track that entries of one layer had last: they come in runs.
struct LastTrack {
  std::string_view pid, tid;  // in the file
  int64_t device = kNoInt, stream = kNoInt;
  uint32_t track = kNoRow;
};

struct Place {
  int64_t device = kNoInt;
  int64_t stream = kNoInt;
};

class Scanner {
 public:
  Scanner(const SourceFile& file, Context& context, Scanned* out)
      : file_(file), context_(context), out_(*out), places_(file.bytes) {}

  Result<void> Run() {
    json::Cursor cursor = BeginningOf(file_.bytes);
    if (cursor.Is('[')) {
      TFPROF_TRY(ReadEntries(&cursor));
    } else {
      TFPROF_TRY(ReadFile(&cursor));
    }
    out_.problems.unmatched.count += static_cast<int64_t>(OpenCount());
    pages_.ReleaseAll();
    return {};
  }

 private:
  Result<void> ReadFile(json::Cursor* cursor) {
    if (!Take('{', cursor)) return Damaged(cursor->at);
    do {
      SkipSpace(cursor);
      if (cursor->Is('}')) return {};
      json::Text key;
      if (!cursor->Is('"') || !ReadText(cursor, &key) || !Take(':', cursor)) {
        return Damaged(cursor->at);
      }
      SkipSpace(cursor);
      const char* const begin = cursor->at;
      if (key.raw == "traceEvents" && cursor->Is('[')) {
        TFPROF_TRY(ReadEntries(cursor));
        if (out_.bad != nullptr) return {};
      } else if (!ReadHeaderMember(key.raw, cursor, &out_.header)) {
        return Damaged(begin);
      }
    } while (Take(',', cursor));
    // Some writers leave out the last bracket.
    SkipSpace(cursor);
    return cursor->Done() || cursor->Is('}') ? Result<void>{} : Damaged(cursor->at);
  }

  Result<void> Damaged(const char* at) {
    if (out_.bad == nullptr) out_.bad = at;
    return {};
  }

  // Reads the list of entries, whose end may be missing after a whole entry.
  Result<void> ReadEntries(json::Cursor* cursor) {
    Take('[', cursor);
    Entry entry;
    for (size_t i = 1;; ++i) {
      if (Take(']', cursor)) return {};
      if (cursor->Done()) return {};
      const char* const begin = cursor->at;
      if (ReadEntry(cursor, &entry)) {
        Add(entry);
        // Commas may be missing, or follow the last entry.
        while (Take(',', cursor)) {
        }
      } else if (!Recover(begin, cursor)) {
        return {};
      }
      if (i % kEntriesPerPoll == 0) {
        TFPROF_TRY(Poll(context_));
        pages_.ReleaseRead(cursor->at);
      }
    }
  }

  // Continues at the next entry after a malformed one. False: there is none.
  bool Recover(const char* begin, json::Cursor* cursor) {
    json::Cursor from{begin, cursor->end};
    if (!SkipToEntry(&from)) {
      Damaged(begin);
      return false;
    }
    out_.problems.malformed.Add(begin);
    *cursor = from;
    return true;
  }

  Category& CategoryOf(const json::Value& value) {
    const bool is_text = value.IsText();
    const auto fits = [&](const Category& known) {
      return is_text == (known.text.raw.data() != nullptr) && known.text.raw == value.text.raw;
    };
    if (last_category_ < out_.categories.size() && fits(out_.categories[last_category_])) {
      return out_.categories[last_category_];
    }
    for (Category& known : out_.categories) {
      if (!fits(known)) continue;
      last_category_ = known.index;
      return known;
    }
    Category& added = out_.categories.emplace_back();
    added.text = value.text;
    added.index = static_cast<uint32_t>(out_.categories.size() - 1);
    added.counts.resize(kPhases);
    if (is_text) {
      const std::string_view text = Decoded(value.text, &buffer_);
      added.as_written = out_.names.Intern(text);
      added.name = out_.names.Intern(CategoryName(text));
      added.of = ClassOf(text);
    }
    last_category_ = added.index;
    return added;
  }

  void Add(const Entry& entry) {
    Category& category = CategoryOf(entry.category);
    const auto phase = static_cast<uint8_t>(entry.phase);
    EntryCount& count = category.counts[phase < kPhases ? phase : 0];
    ++count.entries;
    switch (entry.phase) {
      case 'X': return AddComplete(entry, category, &count);
      case 'B': return Begin(entry, category, kThread);
      case 'E': return End(entry, category, kThread);
      case 'b': return Begin(entry, category, kAsync);
      case 'e': return End(entry, category, kAsync);
      case 'i':
      case 'I':
      case 'R': return AddInstant(entry, category);
      case 'M': return TakeName(entry);
      default: return;  // flows, counters and objects are in `entries` alone
    }
  }

  // None: it has no time.
  std::optional<int64_t> StartOf(const Entry& entry) {
    const std::optional<WidePs> start = ReadMicros(entry.start);
    if (!start) {
      out_.problems.without_time.Add(entry.begin);
      return std::nullopt;
    }
    if (!out_.has_epoch) {
      constexpr WidePs kUs = kPsPerUs;
      out_.epoch_ps = (*start < 0 ? (*start - kUs + 1) / kUs : *start / kUs) * kUs;
      out_.has_epoch = true;
    }
    bool clamped = false;
    const int64_t ps = ClampedDifference(*start, out_.epoch_ps, &clamped);
    if (clamped) out_.problems.far.Add(entry.begin);
    return ps;
  }

  void AddComplete(const Entry& entry, const Category& category, EntryCount* count) {
    const std::optional<WidePs> duration = ReadMicros(entry.duration);
    if (!duration) return out_.problems.without_time.Add(entry.begin);
    const std::optional<int64_t> start = StartOf(entry);
    if (!start) return;
    bool clamped = false;
    int64_t ps = ClampedDifference(*duration, 0, &clamped);
    if (ps < 0) {
      out_.problems.negative.Add(entry.begin);
      ps = 0;
    }
    ++count->complete;
    AddPresent(ps, &count->sum_ps);
    AddRow(entry, category, TrackOf(entry, category, LayerOf(category)), *start, ps, 0);
  }

  static uint32_t LayerOf(const Category& category) {
    if (IsDeviceWork(category.of)) return kWork;
    const bool is_apart = IsOnDevice(category.of) || category.of == EventClass::recorder;
    return is_apart ? kOthers + category.index : uint32_t{kThread};
  }

  void AddInstant(const Entry& entry, const Category& category) {
    const std::optional<int64_t> start = StartOf(entry);
    if (!start) return;
    uint32_t role = 0;
    if (IsMemoryEntry(entry.name.text.raw) && entry.arguments != nullptr) {
      json::Value bytes[1];
      bytes_.Read({entry.arguments, End()}, bytes);
      const std::optional<int64_t> number = ReadInteger(bytes[0].Raw());
      if (number) role = *number < 0 ? 2 : *number > 0 ? 1 : 0;
    }
    AddRow(entry, category, TrackOf(entry, category, kInstants), *start, 0, role);
  }

  void Begin(const Entry& entry, const Category& category, Layer layer) {
    const std::optional<int64_t> start = StartOf(entry);
    if (!start) return;
    const uint32_t track = TrackOf(entry, category, layer);
    const auto row = static_cast<uint32_t>(out_.label.size());
    AddRow(entry, category, track, *start, 0, 0);
    OpenEvents& open = open_[track];
    (layer == kAsync ? open.by_id[AsyncId(entry)] : open.rows).push_back(row);
  }

  void End(const Entry& entry, const Category& category, Layer layer) {
    const std::optional<int64_t> end = StartOf(entry);
    if (!end) return;
    OpenEvents& open = open_[TrackOf(entry, category, layer)];
    std::vector<uint32_t>& rows = layer == kAsync ? open.by_id[AsyncId(entry)] : open.rows;
    if (rows.empty()) return out_.problems.unmatched.Add(entry.begin);
    const uint32_t row = rows.back();
    rows.pop_back();
    out_.duration_ps[row] =
        std::max<int64_t>(0, SaturatingAdd(*end, -std::max(out_.start_ps[row], -kMaxPs)));
  }

  static std::string AsyncId(const Entry& entry) {
    return std::string(entry.category.Raw()) + '\n' + std::string(entry.id.Raw()) + '\n' +
           std::string(entry.name.Raw());
  }

  size_t OpenCount() const {
    size_t count = 0;
    for (const auto& [track, open] : open_) {
      count += open.rows.size();
      for (const auto& [id, rows] : open.by_id) count += rows.size();
    }
    return count;
  }

  void TakeName(const Entry& entry) {
    if (entry.arguments == nullptr) return;
    json::Value values[2];
    const std::string_view what = entry.name.text.raw;
    const std::string pid = IdOf(entry.pid);
    given_.Read({entry.arguments, End()}, values);
    const std::string name(Decoded(values[0].text, &buffer_));
    if (what == "process_name") out_.given.process.insert_or_assign(pid, name);
    if (what == "process_labels") {
      out_.given.labels.insert_or_assign(pid, std::string(Decoded(values[1].text, &buffer_)));
    }
    if (what == "thread_name") {
      out_.given.thread.insert_or_assign({pid, IdOf(entry.tid)}, name);
    }
  }

  const char* End() const { return file_.bytes.data() + file_.bytes.size(); }

  Place PlaceOf(const Entry& entry) const {
    Place place;
    if (entry.arguments != nullptr) {
      json::Value values[2];
      device_and_stream_.Read({entry.arguments, End()}, values);
      place.device = ReadInteger(values[0].Raw()).value_or(kNoInt);
      place.stream = ReadInteger(values[1].Raw()).value_or(kNoInt);
    }
    if (place.device == kNoInt) place.device = ReadInteger(entry.pid.Raw()).value_or(kNoInt);
    if (place.stream == kNoInt) place.stream = ReadInteger(entry.tid.Raw()).value_or(kNoInt);
    return place;
  }

  uint32_t TrackOf(const Entry& entry, const Category& category, uint32_t layer) {
    const bool on_device = layer != kInstants && layer != kAsync && IsOnDevice(category.of);
    const Place place = on_device ? PlaceOf(entry) : Place();
    if (layer >= last_.size()) last_.resize(layer + 1);
    LastTrack& last = last_[layer];
    const std::string_view pid = entry.pid.Raw(), tid = entry.tid.Raw();
    const bool same = last.track != kNoRow && last.pid == pid && last.tid == tid &&
                      last.device == place.device && last.stream == place.stream;
    if (!same) {
      last = {pid, tid, place.device, place.stream, FindTrack(entry, category, layer, place)};
    }
    return last.track;
  }

  uint32_t FindTrack(const Entry& entry, const Category& category, uint32_t layer, Place place) {
    const bool is_event = layer != kInstants && layer != kAsync;
    const bool on_device = is_event && IsOnDevice(category.of);
    std::string key(entry.pid.Raw());
    const auto append = [&](std::string_view part) { key.append("\n").append(part); };
    append(entry.tid.Raw());
    append(std::to_string(layer));
    append(std::to_string(place.device));
    append(std::to_string(place.stream));
    const auto [found, is_new] =
        track_of_.try_emplace(key, static_cast<uint32_t>(out_.tracks.size()));
    if (is_new) {
      // Some writers say -1 where a process is not known, such as for what recording costs.
      const bool is_unknown = ReadInteger(entry.pid.Raw()).value_or(0) < 0;
      const bool is_recorder = category.of == EventClass::recorder || is_unknown;
      // Marks of the recorder are in processes whose IDs are words.
      const bool is_mark = layer == kInstants && !ReadInteger(entry.pid.Raw());
      const ProcessKind kind = on_device                ? ProcessKind::device
                               : is_recorder || is_mark ? ProcessKind::metadata
                                                        : ProcessKind::host;
      Track& track = out_.tracks.emplace_back();
      track.process = ProcessOf(IdOf(entry.pid), kind, place.device);
      track.layer = layer;
      track.thread = IdOf(entry.tid);
      track.stream = place.stream;
      track.first_class = category.of;
      track.category = category.name;
    }
    out_.processes[out_.tracks[found->second].process].has_work |= layer == kWork;
    return found->second;
  }

  // Numbers as written.
  static std::string IdOf(const json::Value& id) {
    std::string text;
    if (!id.IsText()) return std::string(id.Raw());
    AppendDecoded(id.text, &text);
    return text;
  }

  uint32_t ProcessOf(const std::string& pid, ProcessKind kind, int64_t device) {
    for (uint32_t i = 0; i < out_.processes.size(); ++i) {
      const ScannedProcess& process = out_.processes[i];
      if (process.id == pid && process.kind == kind && process.device == device) return i;
    }
    out_.processes.push_back({pid, kind, device});
    return static_cast<uint32_t>(out_.processes.size() - 1);
  }

  void AddRow(const Entry& entry, const Category& category, uint32_t track, int64_t start_ps,
              int64_t duration_ps, uint32_t role) {
    if (out_.runs.empty() || out_.runs.back().track != track) {
      out_.runs.push_back({track, static_cast<uint32_t>(out_.label.size())});
    }
    const std::string_view name =
        entry.name.IsText() ? Decoded(entry.name.text, &buffer_) : entry.name.Raw();
    const LabelKey key{out_.tracks[track].process, out_.names.Intern(name), category.name, role};
    out_.start_ps.Push(start_ps);
    out_.duration_ps.Push(duration_ps);
    out_.label.Push(out_.labels.Of(key));
    out_.detail.Push(places_.Of(entry.arguments));
  }

  const SourceFile& file_;
  Context& context_;
  Scanned& out_;
  Places places_;
  const ArgumentKeys bytes_{{"Bytes"}};
  const ArgumentKeys given_{{"name", "labels"}};
  const ArgumentKeys device_and_stream_{{"device", "stream"}};
  ConsumedPages pages_{file_};
  uint32_t last_category_ = 0;
  std::vector<LastTrack> last_;  // by layer
  std::unordered_map<std::string, uint32_t> track_of_;
  std::unordered_map<uint32_t, OpenEvents> open_;  // by track
  std::string buffer_;
};

}  // namespace

Result<void> Scan(const SourceFile& file, Context& context, Scanned* scanned) {
  return Scanner(file, context, scanned).Run();
}

}  // namespace tfprof::kineto
