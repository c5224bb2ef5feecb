// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>

#include "core/base/parallel.h"
#include "core/store/store.h"
#include "loaders/xspace/forms.h"
#include "loaders/xspace/task.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

constexpr uint32_t kRows = DetailBlock::kRows;
constexpr uint32_t kTaskRows = 16 * kRows;
constexpr size_t kMaxKeys = EventForms::kMaxKeys;  // of one walk

// Values of labels, for events that lack them.
class OfLabels {
 public:
  explicit OfLabels(Reading* reading) : reading_(reading), found_(reading->slots.width()) {
    const size_t keys = reading->keys.size();
    for (size_t i = 0; i < keys; ++i) texts_.emplace_back(reading->names, &(*reading->own)[i]);
    reading->of_label.resize(keys);
  }

  void Read(size_t label) {
    const std::string_view metadata = reading_->plane.event_metadata[label].value;
    std::fill(found_.begin(), found_.end(), 0);
    reading_->slots.FindAny(metadata.data(), metadata,
                            wire::Tag(field::XEventMetadata::stats, wire::kBytes), found_.data());
    for (size_t i = 0; i < texts_.size(); ++i) {
      const Value value = ValueIn(reading_->keys[i], found_.data(), metadata, &texts_[i]);
      if (value.kind == ValueKind::absent) continue;
      reading_->of_label[i].resize(reading_->process.labels.count);
      reading_->of_label[i][label] = value;
    }
  }
  void Finish() {
    for (const Texts& of_key : texts_) reading_->texts.push_back(of_key.Used());
  }

 private:
  Reading* reading_;
  std::vector<Texts> texts_;     // by key
  std::vector<uint32_t> found_;  // by slot
};

// Reads the labels of the chosen events, or of all events.
void ReadLabels(Reading* reading) {
  OfLabels of_labels(reading);
  const size_t labels = reading->plane.event_metadata.size();
  if (reading->chosen.empty()) {
    for (size_t label = 0; label < labels; ++label) of_labels.Read(label);
  } else {
    std::vector<bool> requested(labels);
    for (const EventId event : reading->chosen) {
      const uint32_t label =
          reading->store.events.label[event.value].value - reading->process.labels.first;
      if (label < labels) requested[label] = true;  // labels of unknown events follow the others
    }
    for (uint32_t label = 0; label < labels; ++label) {
      if (requested[label]) of_labels.Read(label);
    }
  }
  of_labels.Finish();
}

std::vector<Task> TasksOf(Range rows) {
  std::vector<Task> tasks;
  for (uint32_t at = 0; at < rows.count; at += kTaskRows) {
    tasks.push_back({{rows.first + at, std::min(kTaskRows, rows.count - at)}});
  }
  return tasks;
}

// Replaces the numbers of texts by ids of the column. The plane's texts are shared by all planes.
void NumberTexts(const Reading& reading, size_t key, const std::vector<Task>& tasks,
                 DetailColumn* column) {
  const std::vector<std::string_view>& of_plane = reading.names.names;
  const Names& own = (*reading.own)[key].names;
  DetailTexts& texts = column->texts;
  const auto each = [&](auto add) {
    for (const uint32_t number : reading.texts[key]) add(number);
    for (const Task& task : tasks) {
      for (const uint32_t number : task.texts[key]) add(number);
    }
  };
  std::vector<NameId>& id_of = column->text_of;  // by number
  each([&](uint32_t number) {
    if (number >= id_of.size()) id_of.resize(number + 1);
    if (number < of_plane.size()) return;
    id_of[number] = texts.Intern(own[NameId(number - of_plane.size())]);
  });
  std::vector<NameId> id_of_common;
  const std::lock_guard guard(reading.state.common_lock);
  each([&](uint32_t number) {
    if (number >= of_plane.size() || id_of[number].some()) return;
    id_of[number] = texts.Find(of_plane[number]);
    if (id_of[number].some()) return;
    const KeptTexts::Text common = reading.state.common.Keep(of_plane[number]);
    if (common.number >= id_of_common.size()) id_of_common.resize(common.number + 1);
    NameId& known = id_of_common[common.number];
    if (!known.some()) known = texts.AddCommon(common.text);
    id_of[number] = known;
  });
  id_of.shrink_to_fit();
  texts.Finish();
}

// Returns the rows of all events of a process.
Range RowsOf(const Store& store, const Process& process) {
  Range rows;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.rows.count == 0) continue;
    if (rows.count == 0) rows.first = lane.rows.first;
    rows.count = lane.rows.After() - rows.first;
  }
  return rows;
}

// Reads up to kMaxKeys keys.
Result<void> ReadAtOnce(const DetailState& state, const Store& store, ProcessId id,
                        std::span<const EventId> chosen, Range rows, DetailKeys keys,
                        std::span<DetailColumn> columns, Context& context) {
  const Process& process = store.processes[id.value];
  std::deque<OwnTexts> own;
  Reading reading{
      state,  store, process, state.layout.planes[process.index], state.names[process.index],
      chosen, rows,  &own};
  std::vector<DetailColumn*> to;
  for (size_t i = 0; i < keys.size(); ++i) {
    const RequestedKey key = KeyFor(SpellingOf(keys[i]), reading.names, &reading.slots);
    if (key.stats == 0) continue;
    reading.keys.push_back(key);
    to.push_back(&columns[i]);
  }
  if (to.empty()) return {};
  own.resize(to.size());
  ReadLabels(&reading);
  for (DetailColumn* column : to) {
    column->rows = rows;
    column->blocks.resize((rows.count + kRows - 1) / kRows);
  }
  std::vector<Task> tasks = TasksOf(rows);
  TFPROF_TRY(ForEachTask(tasks.size(), ThreadsFor(reading.plane.bytes.size()), context,
                         [&](size_t i) { ReadTask(reading, &tasks[i], to); }));
  for (size_t i = 0; i < to.size(); ++i) {
    NumberTexts(reading, i, tasks, to[i]);
    if (reading.keys[i].spelling.parse != nullptr) ParseTexts(reading.keys[i].spelling, to[i]);
  }
  // Includes the pages of labels and stat names: for eight devices they are megabytes.
  ReleasePages(state.file, reading.plane.bytes);
  return {};
}

Result<std::vector<DetailColumn>> ReadRows(const DetailState& state, const Store& store,
                                           ProcessId id, std::span<const EventId> chosen,
                                           Range rows, DetailKeys keys, Context& context) {
  std::vector<DetailColumn> columns(keys.size());
  for (size_t i = 0; i < keys.size() && rows.count > 0; i += kMaxKeys) {
    const size_t count = std::min(kMaxKeys, keys.size() - i);
    TFPROF_TRY(ReadAtOnce(state, store, id, chosen, rows, keys.subspan(i, count),
                          std::span(columns).subspan(i, count), context));
  }
  return columns;
}

}  // namespace

Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, DetailKeys keys,
                                              Context& context) {
  const Range rows = RowsOf(store, store.processes[process.value]);
  return ReadRows(state, store, process, {}, rows, keys, context);
}

Result<std::vector<DetailColumn>> ReadColumns(const DetailState& state, const Store& store,
                                              ProcessId process, std::span<const EventId> events,
                                              DetailKeys keys, Context& context) {
  const Range rows{0, static_cast<uint32_t>(events.size())};
  return ReadRows(state, store, process, events, rows, keys, context);
}

}  // namespace tfprof::xspace
