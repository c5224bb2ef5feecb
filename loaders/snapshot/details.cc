// SPDX-License-Identifier: Apache-2.0
#include "loaders/snapshot/details.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>

#include "core/store/store.h"

namespace tfprof::snapshot {
namespace {

bool IsPython(const StackFrame& frame) {
  return frame.file.ends_with(".py") || frame.file.starts_with('<');
}

// Installed packages and Python's own library.
bool IsOfLibrary(std::string_view file) {
  constexpr std::string_view kFolders[] = {"site-packages/", "dist-packages/", "/lib/python3",
                                           "<frozen "};
  return std::ranges::any_of(
      kFolders, [&](std::string_view folder) { return file.find(folder) != file.npos; });
}

std::string LineOf(const StackFrame& frame) {
  const std::string_view name = frame.file.substr(frame.file.rfind('/') + 1);
  std::string line = std::string(name) + ":" + std::to_string(frame.line);
  if (!frame.function.empty()) line += " " + std::string(frame.function);
  return line;
}

// Outermost first, one frame a line.
std::string PythonOf(const Facts& facts, uint32_t stack) {
  std::string lines;
  if (stack == kNoStack) return lines;
  const Range frames = facts.stacks[stack];
  for (uint32_t i = frames.After(); i-- > frames.first;) {
    const StackFrame& frame = facts.frames[i];
    if (!IsPython(frame)) continue;
    if (!lines.empty()) lines += '\n';
    lines += LineOf(frame);
  }
  return lines;
}

using TextOfStack = std::string (*)(const Facts& facts, uint32_t stack);

struct TextKey {
  AttributeKey key;
  TextOfStack text;
};
constexpr TextKey kTexts[] = {{AttributeKey::op, OperatorOf},
                              {AttributeKey::source, SourceOf},
                              {AttributeKey::source_stack, PythonOf}};

struct NumberKey {
  AttributeKey key;
  int64_t (*number)(const Row& row);
};

int64_t AvailableIn(const Row& row) {
  const Change& change = row.change;
  if (change.reserved_bytes == kNoInt || change.in_use_bytes == kNoInt) return kNoInt;
  return std::max<int64_t>(0, SaturatingAdd(change.reserved_bytes, -change.in_use_bytes));
}

constexpr NumberKey kNumbers[] = {
    {AttributeKey::address, [](const Row& row) { return row.change.address; }},
    {AttributeKey::allocation_bytes, [](const Row& row) { return row.change.bytes; }},
    {AttributeKey::bytes_in_use, [](const Row& row) { return row.change.in_use_bytes; }},
    {AttributeKey::bytes_available, AvailableIn},
};

// The text of a stack, once.
class StackTexts {
 public:
  StackTexts(const Facts& facts, TextOfStack text) : facts_(facts), text_(text) {}

  const std::string& Of(uint32_t stack) {
    const auto [known, is_new] = texts_.try_emplace(stack);
    if (is_new && stack != kNoStack) known->second = text_(facts_, stack);
    return known->second;
  }

 private:
  const Facts& facts_;
  TextOfStack text_;
  std::unordered_map<uint32_t, std::string> texts_;
};

// The values of one key, in the order of the rows that are added.
class ColumnWriter {
 public:
  ColumnWriter(const DetailState& state, const DetailKey& key, Range rows) : state_(state) {
    column_.rows = rows;
    for (const NumberKey& known : kNumbers) {
      if (key.Is(known.key)) number_ = known.number;
    }
    for (const TextKey& known : kTexts) {
      if (key.Is(known.key)) texts_.emplace(state.facts, known.text);
    }
    is_allocator_ = key.Is(AttributeKey::allocator);
  }

  bool IsKnown() const { return number_ != nullptr || texts_ || is_allocator_; }

  void Add(uint32_t detail) {
    const Row& row = state_.rows[detail];
    if (number_ != nullptr) {
      const int64_t number = number_(row);
      Push(number == kNoInt ? ValueKind::absent : ValueKind::integer,
           number == kNoInt ? 0 : static_cast<uint64_t>(number));
    } else {
      PushText(is_allocator_ ? AllocatorOf(row) : texts_->Of(row.change.stack));
    }
  }

  DetailColumn Finish() {
    if (!kinds_.empty()) EndBlock();
    column_.texts.Finish();
    return std::move(column_);
  }

 private:
  std::string_view AllocatorOf(const Row& row) const {
    return row.allocator < state_.allocators.size() ? state_.allocators[row.allocator]
                                                    : std::string_view();
  }
  void PushText(std::string_view text) {
    if (text.empty()) return Push(ValueKind::absent, 0);
    const NameId id = column_.texts.Intern(text);
    while (column_.text_of.size() <= id.value) {
      column_.text_of.push_back(NameId(column_.text_of.size()));
    }
    Push(ValueKind::text, id.value);
  }
  void Push(ValueKind kind, uint64_t bits) {
    kinds_.push_back(static_cast<uint8_t>(kind));
    bits_.push_back(bits);
    if (kinds_.size() == DetailBlock::kRows) EndBlock();
  }
  void EndBlock() {
    column_.blocks.emplace_back(kinds_, bits_);
    kinds_.clear();
    bits_.clear();
  }

  const DetailState& state_;
  DetailColumn column_;
  int64_t (*number_)(const Row& row) = nullptr;
  std::optional<StackTexts> texts_;
  bool is_allocator_ = false;
  std::vector<uint8_t> kinds_;
  std::vector<uint64_t> bits_;
};

// Rows of all events of a process, without gaps.
Range RowsOf(const Store& store, const Process& process) {
  Range rows;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.rows.count == 0) continue;
    if (rows.count == 0) rows.first = lane.rows.first;
    rows.count = lane.rows.After() - rows.first;
  }
  return rows;
}

template <class EventAt>
Result<std::vector<DetailColumn>> ReadRows(const DetailState& state, const Store& store, Range rows,
                                           DetailKeys keys, const EventAt& event_at,
                                           Context& context) {
  std::vector<DetailColumn> columns;
  for (const DetailKey& key : keys) {
    TFPROF_TRY(Poll(context));
    ColumnWriter writer(state, key, rows);
    if (rows.count == 0 || !writer.IsKnown()) {
      columns.emplace_back();
      continue;
    }
    for (uint32_t i = 0; i < rows.count; ++i) {
      writer.Add(store.events.detail[event_at(i)]);
    }
    columns.push_back(writer.Finish());
  }
  return columns;
}

using StatePtr = std::shared_ptr<const DetailState>;

std::vector<Detail> DetailsOfRow(const DetailState& state, const Row& row) {
  std::vector<Detail> details;
  const auto name_of = [](AttributeKey key) { return DetailKey(key).name(); };
  for (const NumberKey& known : kNumbers) {
    const int64_t number = known.number(row);
    if (number == kNoInt) continue;
    details.push_back({name_of(known.key), ValueKind::integer, static_cast<uint64_t>(number)});
  }
  for (const TextKey& known : kTexts) {
    const auto text = std::make_shared<std::string>(known.text(state.facts, row.change.stack));
    if (text->empty()) continue;
    details.push_back({name_of(known.key), ValueKind::text, 0, *text, text});
  }
  return details;
}

Result<std::vector<Detail>> ReadEvent(const StatePtr& state, const Store& store, EventId event) {
  return GuardReads(state->file, [&]() -> Result<std::vector<Detail>> {
    return DetailsOfRow(*state, state->rows[store.events.detail[event.value]]);
  });
}

}  // namespace

std::string SourceOf(const Facts& facts, uint32_t stack) {
  const StackFrame* innermost = nullptr;
  if (stack == kNoStack) return {};
  for (const uint32_t i : facts.stacks[stack]) {
    const StackFrame& frame = facts.frames[i];
    if (!IsPython(frame)) continue;
    if (!IsOfLibrary(frame.file)) return LineOf(frame);
    if (innermost == nullptr) innermost = &frame;
  }
  return innermost == nullptr ? std::string() : LineOf(*innermost);
}

std::string OperatorOf(const Facts& facts, uint32_t stack) {
  constexpr std::string_view kBegins = "at::_ops::";
  std::string_view found;
  if (stack == kNoStack) return {};
  for (const uint32_t i : facts.stacks[stack]) {
    const std::string_view function = facts.frames[i].function;
    if (function.starts_with(kBegins)) found = function.substr(kBegins.size());
  }
  if (found.empty()) return {};
  return "aten::" + std::string(found.substr(0, found.find("::")));
}

DetailReader MakeDetailReader(StatePtr state) {
  DetailReader reader;
  reader.columns = [state](const Store& store, ProcessId process, DetailKeys keys,
                           Context& context) {
    const Range rows = RowsOf(store, store.processes[process.value]);
    const auto event_at = [&](uint32_t i) { return rows.first + i; };
    return GuardReads(state->file,
                      [&] { return ReadRows(*state, store, rows, keys, event_at, context); });
  };
  reader.chosen = [state](const Store& store, ProcessId, std::span<const EventId> events,
                          DetailKeys keys, Context& context) {
    const Range rows{0, static_cast<uint32_t>(events.size())};
    const auto event_at = [&](uint32_t i) { return events[i].value; };
    return GuardReads(state->file,
                      [&] { return ReadRows(*state, store, rows, keys, event_at, context); });
  };
  reader.event = std::bind_front(ReadEvent, state);
  return reader;
}

}  // namespace tfprof::snapshot
