// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/stats.h"

#include <string>

#include "loaders/io/inflate.h"
#include "loaders/wire/message.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kFixed64;
using wire::kVarint;
using wire::Tag;

std::string_view NameOf(std::string_view stat_metadata) {
  std::string_view name("");
  wire::ReadMessage(stat_metadata, wire::Text<field::XStatMetadata::name>(&name));
  return name;
}

void SetNumber(ValueKind kind, uint64_t bits, Stat* stat) {
  stat->kind = kind;
  stat->form = Stat::Form::plain;
  stat->bits = bits;
}

void SetText(ValueKind kind, Stat::Form form, std::string_view text, Stat* stat) {
  stat->kind = kind;
  stat->form = form;
  stat->text = text;
}

// Returns the text of a compressed stat. Damaged data return the empty text, which is closest to
// absent.
std::shared_ptr<const std::string> Inflated(std::string_view compressed) {
  Context context;
  context.limits.max_inflated_bytes = uint64_t{1} << 30;
  Column<char> text;
  const Result<void> done = Inflate(compressed, "", context, &text);
  if (!done) return std::make_shared<const std::string>();
  return std::make_shared<const std::string>(text.data(), text.size());
}

}  // namespace

Stat ReadStat(std::string_view message) {
  Stat stat;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::XStat::metadata_id, kVarint): stat.key = fields.Int64(); break;
      case Tag(field::XStat::double_value, kFixed64):
        SetNumber(ValueKind::real, fields.Fixed64(), &stat);
        break;
      case Tag(field::XStat::uint64_value, kVarint):
        SetNumber(ValueKind::natural, fields.Varint(), &stat);
        break;
      case Tag(field::XStat::int64_value, kVarint):
        SetNumber(ValueKind::integer, fields.Varint(), &stat);
        break;
      case Tag(field::XStat::str_value, kBytes):
        SetText(ValueKind::text, Stat::Form::plain, fields.Bytes(), &stat);
        break;
      case Tag(field::XStat::bytes_value, kBytes):
        SetText(ValueKind::bytes, Stat::Form::plain, fields.Bytes(), &stat);
        break;
      case Tag(field::XStat::ref_value, kVarint):
        SetNumber(ValueKind::text, fields.Varint(), &stat);
        stat.form = Stat::Form::reference;
        break;
      case Tag(field::XStat::compressed_str_value, kBytes):
        SetText(ValueKind::text, Stat::Form::compressed, fields.Bytes(), &stat);
        break;
      default: fields.Skip();
    }
  }
  if (fields.bad() != nullptr) stat.kind = ValueKind::absent;
  return stat;
}

StatNames::StatNames(const Entries& stat_metadata) {
  ids.reserve(stat_metadata.size());
  names.reserve(stat_metadata.size());
  for (const auto& entry : stat_metadata) {
    ids.push_back(entry.key);
    names.push_back(NameOf(entry.value));
  }
  index = IdIndex(ids);
}

EventMetadata ReadEventMetadata(std::string_view message) {
  using Metadata = field::XEventMetadata;
  EventMetadata metadata;
  wire::ReadMessage(message, wire::Text<Metadata::name>(&metadata.name),
                    wire::Each<Metadata::stats>(wire::PushTo(&metadata.stats)));
  return metadata;
}

Detail Resolve(const Stat& stat, const StatNames& names) {
  Detail detail;
  detail.key = names.Name(stat.key);
  detail.kind = stat.kind;
  detail.bits = stat.bits;
  if (stat.form == Stat::Form::reference) {
    detail.text = names.Name(static_cast<int64_t>(stat.bits));
    if (detail.text.data() == nullptr) detail.text = "";
  } else if (stat.form == Stat::Form::compressed) {
    const auto inflated = Inflated(stat.text);
    detail.text = *inflated;
    detail.owned = inflated;
  } else {
    detail.text = stat.text;
  }
  return detail;
}

}  // namespace tfprof::xspace
