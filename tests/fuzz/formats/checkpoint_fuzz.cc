// SPDX-License-Identifier: Apache-2.0
// Any bytes as a checkpoint's table of contents. Checksums would stop nearly all of them, so the
// first byte chooses: the whole file, or one of its blocks in a table that is sound otherwise.
#include "loaders/checkpoint/crc32c.h"
#include "loaders/formats.h"
#include "tests/fuzz/fuzz.h"

namespace {

using namespace tfprof;

std::string Number(uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7) bytes.push_back(static_cast<char>(value | 128));
  bytes.push_back(static_cast<char>(value));
  return bytes;
}

std::string Fixed32(uint32_t value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Appends a block and returns its handle.
std::string AppendBlock(std::string block, char type, std::string* file) {
  const std::string handle = Number(file->size()) + Number(block.size());
  block.push_back(type);
  *file += block + Fixed32(MaskedCrc32c(block));
  return handle;
}

std::string EntryBlock(const std::string& key, const std::string& value) {
  return Number(0) + Number(key.size()) + Number(value.size()) + key + value + Fixed32(0) +
         Fixed32(1);
}

std::string Table(int kind, const std::string& bytes) {
  if (kind == 0) return bytes;
  std::string file;
  const std::string header = AppendBlock(EntryBlock("", "\x08\x01"), 0, &file);
  const std::string data =
      AppendBlock(kind == 1 ? EntryBlock("a", bytes) : bytes, kind == 3, &file);
  std::string index = EntryBlock("", header);
  index.resize(index.size() - 8);
  index += EntryBlock("z", data);
  const std::string handle = AppendBlock(kind == 4 ? bytes : index, 0, &file);
  std::string footer = header + handle;
  footer.resize(40);
  return file + footer + Fixed32(0x8b80fb57u) + Fixed32(0xdb477524u);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const TestFolder folder;
  static const std::string path = folder / "ckpt.index";
  if (size == 0) return 0;
  static const bool written = [] {
    WriteFile(folder / "ckpt.data-00000-of-00001", std::string(4096, '\0'));
    return true;
  }();
  (void)written;
  const std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const StorePtr store = LoadAny(kCheckpointLoader, Table(data[0] % 5, bytes), {.path = path});
  if (store == nullptr) return 0;
  const DetailReader& details = store->sources[0].details;
  for (const Tensor& tensor : store->tensors) {
    const Result<TensorValue> value = details.tensor(tensor.detail);
    if (!value && value.error().where.empty()) std::abort();
  }
  return 0;
}
