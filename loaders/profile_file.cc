// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_file.h"

#include <algorithm>

#include "loaders/epoch.h"
#include "loaders/profile_node.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// By id; of equal ids the last one counts. Writers put them in the order of a hash map.
void SortNodes(Column<MapEntry<int64_t>>* nodes) {
  if (nodes->empty()) return;
  const auto [least, most] = std::minmax_element(
      nodes->begin(), nodes->end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  const int64_t first = least->key;
  const uint64_t span = static_cast<uint64_t>(most->key) - static_cast<uint64_t>(first);
  if (span > 4 * nodes->size())
    return nodes->Resize(KeepLast(std::span(nodes->data(), nodes->size())));
  constexpr uint32_t kNone = 0xFFFFFFFF;
  Column<uint32_t> row_of_id;
  row_of_id.Resize(span + 1, kNone);
  for (uint32_t row = 0; row < nodes->size(); ++row) {
    row_of_id[static_cast<uint64_t>((*nodes)[row].key) - static_cast<uint64_t>(first)] = row;
  }
  Column<MapEntry<int64_t>> sorted;
  sorted.Reserve(nodes->size());
  for (const uint32_t row : row_of_id) {
    if (row != kNone) sorted.Push((*nodes)[row]);
  }
  *nodes = std::move(sorted);
}

void SampleStarts(const ProfileNode& node, std::vector<int64_t>* starts) {
  for (const MapEntry<int64_t>& exec : node.execs) {
    Fields fields(exec.value);
    while (fields.Next()) {
      if (fields.tag() == Tag(2, kVarint)) {
        const int64_t start_us = fields.Int64();
        if (start_us > 0) starts->push_back(start_us);
      } else {
        fields.Skip();
      }
    }
  }
}

}  // namespace

const char* ReadProfileFile(std::string_view bytes, StoreBuilder& store, Tally* malformed,
                            ProfileFile* out) {
  constexpr ptrdiff_t kAheadBytes = 4096;
  Fields fields(bytes);
  const auto add_step = [&](uint64_t step) { out->steps.push_back(static_cast<int64_t>(step)); };
  while (fields.Next()) {
    const char* bad = nullptr;
    wire::PrefetchAhead(fields.position(), kAheadBytes);
    switch (fields.tag()) {
      case Tag(1, kBytes): {
        MapEntry<int64_t> entry;
        bad = ReadMessageEntry(fields.Bytes(), &entry);
        if (bad == nullptr && fields.bad() == nullptr) out->nodes.Push(entry);
        break;
      }
      case Tag(2, kVarint):
        out->has_trace = fields.Bool();
        break;
      case Tag(3, kVarint):
        add_step(fields.Varint());
        break;
      case Tag(3, kBytes):
        if (!wire::EachPacked(fields.Bytes(), add_step)) bad = fields.field_at();
        break;
      case Tag(4, kBytes):
        bad = ReadNumberedText(fields.Bytes(), store, &out->texts);
        break;
      case Tag(5, kVarint):
        out->lacks_accelerator_stream = fields.Bool();
        break;
      default:
        fields.Skip();
    }
    if (bad != nullptr) malformed->Add(bad);
  }
  SortNodes(&out->nodes);
  std::reverse(out->texts.begin(), out->texts.end());  // the last text of an id counts
  return fields.bad();
}

void FindEpoch(const ProfileFile& content, StoreBuilder& store) {
  constexpr size_t kNodes = 10'000;  // that are looked at; a graph may have few that ran
  std::vector<int64_t> starts;
  ProfileNode node;
  for (size_t i = 0; i < std::min(kNodes, content.nodes.size()); ++i) {
    if (starts.size() >= kSampleStarts) break;
    const char* bad = ReadProfileNode(content.nodes[i].value, &node);
    if (bad == nullptr) SampleStarts(node, &starts);
  }
  SetEpoch(starts, store);
}

}  // namespace tfprof
