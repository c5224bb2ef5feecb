// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/details.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/store/store.h"
#include "loaders/kineto/entry.h"
#include "loaders/kineto/keys.h"
#include "loaders/kineto/places.h"

namespace tfprof::kineto {
namespace {

constexpr uint32_t kRows = DetailBlock::kRows;

struct DetailState {
  SourceFile file;
  Places places{file.bytes};
};
using StatePtr = std::shared_ptr<const DetailState>;

// Makes the columns of some keys, row by row.
class Reading {
 public:
  Reading(const DetailState& state, const Store& store, DetailKeys keys,
          std::span<DetailColumn> columns)
      : state_(state), store_(store), columns_(columns) {
    std::vector<std::string_view> names;
    for (const DetailKey& key : keys) {
      Wanted& wanted = wanted_.emplace_back();
      wanted.spelling = SpellingOf(key);
      wanted.first = names.size();
      for (size_t i = 0; i < wanted.spelling.count(); ++i) {
        names.push_back(wanted.spelling.names[i]);
        wanted_of_.push_back(static_cast<uint32_t>(wanted_.size() - 1));
      }
      if (wanted.spelling.of_label) of_label_.push_back(static_cast<uint32_t>(wanted_.size() - 1));
    }
    keys_ = ArgumentKeys(names);
    values_.resize(names.size());
  }

  // False: no event has any of the keys.
  bool FindsAny() const {
    return std::ranges::any_of(wanted_, [](const Wanted& wanted) {
      return wanted.spelling.make != nullptr || wanted.spelling.count() > 0;
    });
  }

  void Begin(Range rows) {
    for (DetailColumn& column : columns_) {
      column.rows = rows;
      column.blocks.clear();
    }
    for (Wanted& wanted : wanted_) {
      wanted.kinds.assign(std::min(rows.count, kRows), 0);
      wanted.bits.assign(wanted.kinds.size(), 0);
    }
  }

  // An event has few of the keys: the others cost it nothing.
  void Add(uint32_t event) {
    found_.clear();
    const uint32_t place = values_.empty() ? Places::kNone : store_.events.detail[event];
    if (place != Places::kNone) {
      keys_.Each(state_.places.At(place), [&](size_t i, const json::Value& value) {
        values_[i] = value;
        found_.push_back(static_cast<uint32_t>(i));
      });
    }
    const Label& label = store_.labels[store_.events.label[event].value];
    for (const uint32_t i : of_label_) AddValue(i, label);
    for (const uint32_t i : found_) {
      if (!wanted_[wanted_of_[i]].spelling.of_label) AddValue(wanted_of_[i], label);
    }
    for (const uint32_t i : found_) values_[i] = json::Value();
    if (++rows_ == kRows) EndBlock();
  }

  // A column without any value has no rows: no record can have the key.
  void Finish() {
    if (rows_ > 0) EndBlock();
    for (size_t i = 0; i < wanted_.size(); ++i) {
      if (!wanted_[i].any) columns_[i].rows = {}, columns_[i].blocks.clear();
      columns_[i].texts.Finish();
    }
  }

 private:
  struct Wanted {
    Spelling spelling;
    size_t first = 0;            // in values_
    std::vector<uint8_t> kinds;  // of the rows of the block, absent if not found
    std::vector<uint64_t> bits;
    bool any_in_block = false, any = false;
  };

  void AddValue(size_t i, const Label& label) {
    Wanted& wanted = wanted_[i];
    const json::Value* const values = values_.data() + wanted.first;
    const Spelling& spelling = wanted.spelling;
    KeyValue value;
    if (spelling.make != nullptr) {
      value = spelling.make(store_.Text(label.name), label.of, values, &buffer_);
    } else if (spelling.count() > 0) {
      value = PlainValue(values[0], &buffer_);
    }
    if (value.kind == ValueKind::text) value.bits = TextRow(value.text, &columns_[i]);
    wanted.any_in_block |= value.kind != ValueKind::absent;
    wanted.kinds[rows_] = static_cast<uint8_t>(value.kind);
    wanted.bits[rows_] = value.bits;
  }

  static uint64_t TextRow(std::string_view text, DetailColumn* column) {
    const NameId id = column->texts.Intern(text);
    while (column->text_of.size() <= id.value) {
      column->text_of.push_back(NameId(column->text_of.size()));
    }
    return id.value;
  }

  void EndBlock() {
    for (size_t i = 0; i < wanted_.size(); ++i) {
      Wanted& wanted = wanted_[i];
      DetailBlock& block = columns_[i].blocks.emplace_back();
      if (!wanted.any_in_block) continue;
      block = {std::span(wanted.kinds).first(rows_), std::span(wanted.bits).first(rows_)};
      std::ranges::fill(wanted.kinds, 0);
      std::ranges::fill(wanted.bits, 0);
      wanted.any = true;
      wanted.any_in_block = false;
    }
    rows_ = 0;
  }

  const DetailState& state_;
  const Store& store_;
  std::span<DetailColumn> columns_;
  std::vector<Wanted> wanted_;
  std::vector<uint32_t> of_label_;   // of wanted_: events without any of the names may have them
  std::vector<uint32_t> wanted_of_;  // by name
  ArgumentKeys keys_;
  std::vector<json::Value> values_;  // by name
  std::vector<uint32_t> found_;      // names that the event has
  uint32_t rows_ = 0;                // of the current block
  std::string buffer_;
};

Range RowsOf(const Store& store, const Process& process) {
  Range rows;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.rows.count == 0) continue;
    if (rows.count == 0) rows.first = lane.rows.first;
    rows.count = lane.rows.After() - rows.first;
  }
  return rows;
}

Result<std::vector<DetailColumn>> ReadAll(const DetailState& state, const Store& store,
                                          ProcessId process, DetailKeys keys, Context& context) {
  std::vector<DetailColumn> columns(keys.size());
  const Range rows = RowsOf(store, store.processes[process.value]);
  if (rows.count == 0) return columns;
  Reading reading(state, store, keys, columns);
  if (!reading.FindsAny()) return columns;
  reading.Begin(rows);
  for (const uint32_t row : rows) {
    if (row % kRows == 0) TFPROF_TRY(Poll(context));
    reading.Add(row);
  }
  reading.Finish();
  ReleasePages(state.file, state.file.bytes);
  return columns;
}

Result<std::vector<DetailColumn>> ReadChosen(const DetailState& state, const Store& store,
                                             std::span<const EventId> events, DetailKeys keys,
                                             Context& context) {
  std::vector<DetailColumn> columns(keys.size());
  if (events.empty()) return columns;
  Reading reading(state, store, keys, columns);
  reading.Begin({0, static_cast<uint32_t>(events.size())});
  for (size_t i = 0; i < events.size(); ++i) {
    if (i % kRows == 0) TFPROF_TRY(Poll(context));
    reading.Add(events[i].value);
  }
  reading.Finish();
  return columns;
}

Detail DetailOf(std::string_view key, const json::Value& value) {
  auto buffer = std::make_shared<std::string>();
  const KeyValue read = PlainValue(value, buffer.get());
  Detail detail{key, read.kind, read.bits, read.text, nullptr};
  if (read.text.data() == buffer->data()) detail.owned = buffer;
  return detail;
}

std::vector<Detail> EventDetails(const DetailState& state, const Store& store, EventId event) {
  std::vector<Detail> details;
  json::Cursor cursor = state.places.At(store.events.detail[event.value]);
  EachMember(&cursor, [&](std::string_view key, json::Cursor* at) {
    json::Value value;
    if (!ReadValue(at, &value)) return false;
    if (!value.IsNull()) details.push_back(DetailOf(key, value));
    return true;
  });
  return details;
}

std::vector<Detail> ProcessDetails(const Store& store, ProcessId id) {
  const Process& process = store.processes[id.value];
  std::vector<Detail> details;
  const auto add = [&](std::string_view key, NameId text) {
    if (text.some()) details.push_back({key, ValueKind::text, 0, store.Text(text), nullptr});
  };
  add("process_name", process.own_name);
  add("process_labels", process.tags);
  return details;
}

}  // namespace

DetailReader MakeDetailReader(const SourceFile& file) {
  const auto state = std::make_shared<const DetailState>(DetailState{file});
  DetailReader reader;
  reader.columns = [state](const Store& store, ProcessId process, DetailKeys keys,
                           Context& context) {
    return GuardReads(state->file, [&] { return ReadAll(*state, store, process, keys, context); });
  };
  reader.chosen = [state](const Store& store, ProcessId, std::span<const EventId> events,
                          DetailKeys keys, Context& context) {
    return GuardReads(state->file,
                      [&] { return ReadChosen(*state, store, events, keys, context); });
  };
  reader.event = [state](const Store& store, EventId event) {
    return GuardReads(state->file, [&]() -> Result<std::vector<Detail>> {
      return EventDetails(*state, store, event);
    });
  };
  reader.label = [](const Store&, LabelId) -> Result<std::vector<Detail>> {
    return std::vector<Detail>();
  };
  reader.process = [](const Store& store, ProcessId process) -> Result<std::vector<Detail>> {
    return ProcessDetails(store, process);
  };
  return reader;
}

}  // namespace tfprof::kineto
