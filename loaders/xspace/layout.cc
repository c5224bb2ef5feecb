// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/layout.h"

#include "loaders/io/source.h"
#include "loaders/wire/wire.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

void NoteBad(const Fields& fields, Layout* layout) {
  if (layout->bad == nullptr) layout->bad = fields.bad();
}

// Concatenates a value in several pieces. The padding is for the wire reader.
std::string_view Merge(std::string_view a, std::string_view b, Layout* layout) {
  if (a.data() == nullptr) return b;
  std::string& merged = layout->merged.emplace_back(a);
  merged.append(b);
  const size_t size = merged.size();
  merged.append(SourceFile::kPadding, '\0');
  return std::string_view(merged).substr(0, size);
}

// Adds a length-delimited value; a truncated one is not added.
void AddBytes(Fields& fields, std::vector<std::string_view>* values) {
  const std::string_view bytes = fields.Bytes();
  if (fields.bad() == nullptr) values->push_back(bytes);
}

void AddEntry(Fields& outer, Entries* entries, Layout* layout) {
  MapEntry<int64_t> entry;
  Fields fields(outer.Bytes());
  if (outer.bad() != nullptr) return;
  while (fields.Next()) {
    if (fields.tag() == Tag(MapEntryField::key, kVarint)) {
      entry.key = fields.Int64();
    } else if (fields.tag() == Tag(MapEntryField::value, kBytes)) {
      entry.value = Merge(entry.value, fields.Bytes(), layout);
    } else {
      SkipOther(fields, "map entries of XPlane", 0, &layout->unknown);
    }
  }
  NoteBad(fields, layout);
  entries->push_back(entry);
}

Line ReadLine(std::string_view message, Layout* layout) {
  Line line;
  line.bytes = message;
  const char* bad = nullptr;
  line.events = ReadLineFields(message.data(), true, &line, &bad, &layout->unknown);
  if (bad != nullptr && layout->bad == nullptr) layout->bad = bad;
  if (line.events == nullptr) line.events = message.data() + message.size();
  return line;
}

Plane ReadPlane(std::string_view message, Layout* layout) {
  Plane plane;
  plane.bytes = message;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::XPlane::id, kVarint): plane.id = fields.Int64(); break;
      case Tag(field::XPlane::name, kBytes): plane.name = fields.Bytes(); break;
      case Tag(field::XPlane::lines, kBytes):
        plane.lines.push_back(ReadLine(fields.BytesOrRest(), layout));
        break;
      case Tag(field::XPlane::event_metadata, kBytes):
        AddEntry(fields, &plane.event_metadata, layout);
        break;
      case Tag(field::XPlane::stat_metadata, kBytes):
        AddEntry(fields, &plane.stat_metadata, layout);
        break;
      case Tag(field::XPlane::stats, kBytes): AddBytes(fields, &plane.stats); break;
      default: SkipOther(fields, "XPlane", 0, &layout->unknown);
    }
  }
  NoteBad(fields, layout);
  for (Entries* entries : {&plane.event_metadata, &plane.stat_metadata}) {
    KeepLast(entries);
    entries->shrink_to_fit();  // they live as long as the profile
  }
  return plane;
}

}  // namespace

const char* ReadLineFields(const char* at, bool until_event, Line* line, const char** bad,
                           UnknownFields* unknown) {
  constexpr uint64_t kUnread = FieldSet(field::XLine::duration_ps);
  const char* end = line->bytes.data() + line->bytes.size();
  Fields fields({at, static_cast<size_t>(end - at)});
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::XLine::id, kVarint): line->id = fields.Int64(); break;
      case Tag(field::XLine::name, kBytes): line->name = fields.Bytes(); break;
      case Tag(field::XLine::timestamp_ns, kVarint): line->timestamp_ns = fields.Int64(); break;
      case Tag(field::XLine::events, kBytes):
        if (until_event) return fields.field_at();
        fields.Skip();
        break;
      case Tag(field::XLine::display_id, kVarint): line->display_id = fields.Int64(); break;
      case Tag(field::XLine::display_name, kBytes): line->display_name = fields.Bytes(); break;
      default: SkipOther(fields, "XLine", kUnread, unknown);
    }
  }
  *bad = fields.bad();
  return fields.bad() == nullptr ? end : nullptr;
}

Layout ReadLayout(std::string_view bytes) {
  Layout layout;
  Fields fields(bytes);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::XSpace::planes, kBytes):
        layout.planes.push_back(ReadPlane(fields.BytesOrRest(), &layout));
        break;
      case Tag(field::XSpace::errors, kBytes): AddBytes(fields, &layout.errors); break;
      case Tag(field::XSpace::warnings, kBytes): AddBytes(fields, &layout.warnings); break;
      case Tag(field::XSpace::hostnames, kBytes): AddBytes(fields, &layout.hostnames); break;
      default: SkipOther(fields, "XSpace", 0, &layout.unknown);
    }
  }
  NoteBad(fields, &layout);
  return layout;
}

}  // namespace tfprof::xspace
