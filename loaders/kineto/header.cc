// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/header.h"

#include "loaders/kineto/decimal.h"
#include "loaders/kineto/entry.h"

namespace tfprof::kineto {
namespace {

bool ReadNumber(json::Cursor* cursor, int64_t* number) {
  json::Value value;
  if (!ReadValue(cursor, &value)) return false;
  if (const auto read = ReadInteger(value.Raw())) *number = *read;
  return true;
}

bool ReadString(json::Cursor* cursor, std::string* text) {
  json::Value value;
  if (!ReadValue(cursor, &value)) return false;
  text->clear();
  AppendDecoded(value.text, text);
  return true;
}

bool ReadDevice(json::Cursor* cursor, DeviceProperties* device) {
  return EachMember(cursor, [&](std::string_view key, json::Cursor* value) {
    if (key == "id") return ReadNumber(value, &device->id);
    if (key == "name") return ReadString(value, &device->name);
    if (key == "totalGlobalMem") return ReadNumber(value, &device->memory_bytes);
    if (key == "numSms") return ReadNumber(value, &device->cores);
    if (key == "computeMajor") return ReadNumber(value, &device->major);
    if (key == "computeMinor") return ReadNumber(value, &device->minor);
    return SkipValue(value);
  });
}

bool ReadDistributed(json::Cursor* cursor, Header* header) {
  return EachMember(cursor, [&](std::string_view key, json::Cursor* value) {
    if (key == "rank") return ReadNumber(value, &header->rank);
    if (key == "world_size") return ReadNumber(value, &header->world_size);
    return SkipValue(value);
  });
}

bool ReadStrings(json::Cursor* cursor, std::vector<std::string>* texts) {
  if (!cursor->Is('[')) return SkipValue(cursor);
  return EachItem(cursor,
                  [&](json::Cursor* item) { return ReadString(item, &texts->emplace_back()); });
}

}  // namespace

bool ReadHeaderMember(std::string_view key, json::Cursor* cursor, Header* header) {
  if (key == "baseTimeNanoseconds") return ReadNumber(cursor, &header->base_ns);
  if (key == "host_name") return ReadString(cursor, &header->host);
  if (key == "ERROR") return ReadStrings(cursor, &header->errors);
  if (key == "WARNING") return ReadStrings(cursor, &header->warnings);
  if (key == "distributedInfo" && cursor->Is('{')) return ReadDistributed(cursor, header);
  if (key == "deviceProperties" && cursor->Is('[')) {
    header->devices.clear();
    return EachItem(cursor, [&](json::Cursor* item) {
      return item->Is('{') ? ReadDevice(item, &header->devices.emplace_back()) : SkipValue(item);
    });
  }
  return SkipValue(cursor);
}

int64_t RankOf(std::string_view bytes) {
  json::Cursor cursor = BeginningOf(bytes);
  Header header;
  if (!cursor.Is('{')) return kNoInt;
  EachMember(&cursor, [&](std::string_view key, json::Cursor* value) {
    return key != "traceEvents" && header.rank == kNoInt && ReadHeaderMember(key, value, &header);
  });
  return header.rank;
}

}  // namespace tfprof::kineto
