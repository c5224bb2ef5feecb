// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/file.h"

#include <algorithm>

#include "loaders/epoch.h"
#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// Returns rows by ascending id for dense ids, which all writers have.
Column<uint32_t> OrderDense(const Column<MapEntry<int64_t>>& entries, int64_t first,
                            uint64_t span) {
  constexpr uint32_t kNone = 0xFFFFFFFF;
  Column<uint32_t> rows;
  rows.Resize(span + 1, kNone);
  for (uint32_t row = 0; row < entries.size(); ++row) {
    rows[static_cast<uint64_t>(entries[row].key) - static_cast<uint64_t>(first)] = row;
  }
  const uint32_t* end = std::remove(rows.begin(), rows.end(), kNone);
  rows.Resize(static_cast<size_t>(end - rows.begin()));
  return rows;
}

Column<uint32_t> OrderSparse(const Column<MapEntry<int64_t>>& entries) {
  std::vector<MapEntry<int64_t, uint32_t>> by_id;
  for (uint32_t row = 0; row < entries.size(); ++row) by_id.push_back({entries[row].key, row});
  KeepLast(&by_id);
  Column<uint32_t> rows;
  for (const auto& [id, row] : by_id) rows.Push(row);
  return rows;
}

Column<uint32_t> OrderById(const Column<MapEntry<int64_t>>& entries) {
  if (entries.empty()) return {};
  const auto before = [](const auto& a, const auto& b) { return a.key < b.key; };
  const auto [min, max] = std::minmax_element(entries.begin(), entries.end(), before);
  const uint64_t span = static_cast<uint64_t>(max->key) - static_cast<uint64_t>(min->key);
  return span > 4 * entries.size() ? OrderSparse(entries) : OrderDense(entries, min->key, span);
}

void SampleStart(std::string_view exec, std::vector<int64_t>* starts) {
  int64_t start_us = 0;
  const char* bad =
      wire::ReadMessage(exec, wire::Number<field::ExecProfile::all_start_micros>(&start_us));
  if (bad == nullptr && start_us > 0) starts->push_back(start_us);
}

// Reads the start times of a node's executions, in the order of their steps.
void SampleStarts(std::string_view node, std::vector<MapEntry<int64_t>>* execs,
                  std::vector<int64_t>* starts) {
  execs->clear();
  const auto add = AppendTo(execs);
  if (wire::ReadMessage(node, wire::Each<field::ProfileNode::execs>(add)) != nullptr) return;
  KeepLast(execs);
  for (const MapEntry<int64_t>& exec : *execs) SampleStart(exec.value, starts);
}

}  // namespace

const char* ReadProfileFile(std::string_view bytes, KeptCode* code, ProblemCount* malformed,
                            ProfileFile* out) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  Fields fields(bytes);
  const auto add_step = [&](uint64_t step) { out->steps.push_back(static_cast<int64_t>(step)); };
  while (fields.Next()) {
    const char* bad = nullptr;
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    switch (fields.tag()) {
      case Tag(field::ProfileProto::nodes, kBytes): {
        MapEntry<int64_t> entry;
        bad = ReadEntry(fields.Bytes(), &entry);
        if (bad == nullptr && fields.bad() == nullptr) out->entries.Push(entry);
        break;
      }
      case Tag(field::ProfileProto::has_trace, kVarint): out->has_trace = fields.Bool(); break;
      case Tag(field::ProfileProto::steps, kVarint): add_step(fields.Varint()); break;
      case Tag(field::ProfileProto::steps, kBytes):
        if (!wire::EachPacked(fields.Bytes(), add_step)) bad = fields.field_at();
        break;
      case Tag(field::ProfileProto::id_to_string, kBytes): {
        const char* begin = fields.field_at();
        fields.Skip();
        if (fields.bad() == nullptr) NoteText(begin, fields.position(), code);
        break;
      }
      case Tag(field::ProfileProto::miss_accelerator_stream, kVarint):
        out->lacks_accelerator_stream = fields.Bool();
        break;
      default: SkipOther(fields, "ProfileProto", 0, &out->unknown);
    }
    if (bad != nullptr) malformed->Add(bad);
  }
  out->by_id = OrderById(out->entries);
  return fields.bad();
}

void FindEpoch(const ProfileFile& content, StoreBuilder& store) {
  constexpr size_t kNodes = 10'000;  // nodes that are sampled; few nodes of a graph may have run
  std::vector<int64_t> starts;
  std::vector<MapEntry<int64_t>> execs;
  for (size_t i = 0; i < std::min(kNodes, content.node_count()); ++i) {
    if (starts.size() >= kSampleStarts) break;
    SampleStarts(content.node(i).value, &execs, &starts);
  }
  SetEpoch(starts, store);
}

}  // namespace tfprof
