// SPDX-License-Identifier: Apache-2.0
// Reads the values of a checkpoint entry from the data files with pread. Values may be large and
// are read one by one, and a file that shrinks or is missing must be a plain error.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <set>

#include "loaders/checkpoint/checkpoint.h"
#include "loaders/checkpoint/crc32c.h"

namespace tfprof {
namespace {

// TensorFlow's DataType numbers, proto/tensor_shape.proto.
constexpr int kFloat = 1, kDouble = 2, kInt32 = 3, kInt64 = 9;

// 0: the values of this type are not read.
int64_t BytesPerValue(int dtype) {
  switch (dtype) {
    case kFloat:
    case kInt32: return 4;
    case kDouble:
    case kInt64: return 8;
    default: return 0;
  }
}

// An open data file.
class DataFile {
 public:
  explicit DataFile(std::string path) : path_(std::move(path)) {}
  DataFile(const DataFile&) = delete;
  DataFile& operator=(const DataFile&) = delete;
  ~DataFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }

  Result<void> Open() {
    descriptor_ = open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (descriptor_ < 0 || fstat(descriptor_, &status) != 0) {
      return Fail(ErrorKind::unreadable, std::strerror(errno), path_,
                  "the .data files of a checkpoint must be next to its .index file");
    }
    size_ = status.st_size;
    return {};
  }

  Result<std::string> Read(int64_t offset, int64_t size) const {
    if (offset < 0 || size < 0 || offset > size_ || size > size_ - offset) {
      return Fail(ErrorKind::corrupt, "the file is too short for the values of a tensor",
                  At(offset));
    }
    std::string bytes(static_cast<size_t>(size), '\0');
    for (size_t done = 0; done < bytes.size();) {
      const ssize_t got = pread(descriptor_, bytes.data() + done, bytes.size() - done,
                                static_cast<off_t>(offset) + static_cast<off_t>(done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Fail(ErrorKind::unreadable, std::strerror(errno), path_);
      if (got == 0) return Fail(ErrorKind::corrupt, "the file shrank", path_);
      done += static_cast<size_t>(got);
    }
    return bytes;
  }

  int64_t size() const { return size_; }
  std::string At(int64_t offset) const { return path_ + ": byte " + std::to_string(offset); }

 private:
  std::string path_;
  int descriptor_ = -1;
  int64_t size_ = 0;
};

// Returns the number of values of `shape`. Error if a dimension is negative or the product
// overflows.
Result<int64_t> Volume(const Checkpoint& checkpoint, const std::vector<int64_t>& shape) {
  const bool empty = std::ranges::find(shape, 0) != shape.end();
  bool consistent = std::ranges::all_of(shape, [](int64_t size) { return size >= 0; });
  int64_t volume = empty ? 0 : 1;
  for (const int64_t size : shape) {
    consistent = consistent && !__builtin_mul_overflow(volume, size, &volume);
  }
  if (consistent) return volume;
  return Fail(ErrorKind::corrupt, "a tensor has an invalid shape", checkpoint.index_path());
}

template <class Word>
Word Swapped(Word word) {
  if constexpr (sizeof(Word) == 4) return __builtin_bswap32(word);
  return static_cast<Word>(__builtin_bswap64(word));
}

template <class Value, class Word, class Out>
void Convert(const std::string& bytes, bool swap, std::vector<Out>* out) {
  static_assert(sizeof(Value) == sizeof(Word));
  out->resize(bytes.size() / sizeof(Word));
  for (size_t i = 0; i < out->size(); ++i) {
    Word word;
    std::memcpy(&word, bytes.data() + i * sizeof word, sizeof word);
    (*out)[i] = static_cast<Out>(std::bit_cast<Value>(swap ? Swapped(word) : word));
  }
}

void ConvertAll(const std::string& bytes, bool swap, TensorValue* value) {
  const bool real = value->dtype == kFloat || value->dtype == kDouble;
  value->kind = real ? TensorValue::Kind::real : TensorValue::Kind::integer;
  if (value->dtype == kFloat) Convert<float, uint32_t>(bytes, swap, &value->reals);
  if (value->dtype == kDouble) Convert<double, uint64_t>(bytes, swap, &value->reals);
  if (value->dtype == kInt32) Convert<int32_t, uint32_t>(bytes, swap, &value->integers);
  if (value->dtype == kInt64) Convert<int64_t, uint64_t>(bytes, swap, &value->integers);
}

// Reads the values of an entry without slices, in one piece.
Result<TensorValue> ReadWhole(const Checkpoint& checkpoint, const BundleEntry& entry) {
  TensorValue value{.dtype = entry.dtype, .shape = entry.shape};
  TFPROF_ASSIGN(const int64_t volume, Volume(checkpoint, entry.shape));
  int64_t bytes_needed = 0;
  if (__builtin_mul_overflow(volume, BytesPerValue(entry.dtype), &bytes_needed) ||
      entry.size != bytes_needed || entry.shard < 0 ||
      entry.shard >= checkpoint.header().num_shards) {
    return Fail(ErrorKind::corrupt, "the size of a tensor does not match its shape",
                checkpoint.index_path());
  }
  DataFile file(checkpoint.DataPath(entry.shard));
  TFPROF_TRY(file.Open());
  TFPROF_ASSIGN(const std::string bytes, file.Read(entry.offset, entry.size));
  if (MaskedCrc32c(bytes) != entry.masked_crc32c) {
    return Fail(ErrorKind::corrupt, "wrong checksum of the values of a tensor",
                file.At(entry.offset));
  }
  ConvertAll(bytes, checkpoint.header().big_endian, &value);
  return value;
}

// Position of a slice in the whole tensor, with all lengths resolved.
struct Box {
  std::vector<int64_t> start;
  std::vector<int64_t> shape;
};

Result<Box> BoxOf(const Checkpoint& checkpoint, const TensorSlice& slice,
                  const std::vector<int64_t>& whole) {
  Box box;
  bool inside = slice.size() == whole.size();
  for (size_t i = 0; inside && i < whole.size(); ++i) {
    const int64_t length = slice[i].length < 0 ? whole[i] : slice[i].length;
    inside =
        slice[i].start >= 0 && slice[i].start <= whole[i] && length <= whole[i] - slice[i].start;
    box.start.push_back(slice[i].start);
    box.shape.push_back(length);
  }
  if (inside) return box;
  return Fail(ErrorKind::corrupt, "a slice lies outside its tensor", checkpoint.index_path());
}

// Calls row(from, to, count) for each contiguous run of values: from in the box, to in the whole
// tensor.
template <class Row>
void ForEachRow(const Box& box, const std::vector<int64_t>& whole, int64_t volume, Row&& row) {
  const size_t rank = whole.size();
  const int64_t run = rank == 0 ? 1 : box.shape[rank - 1];
  std::vector<int64_t> at(rank, 0);
  for (int64_t from = 0; from < volume; from += run) {
    int64_t to = 0;
    for (size_t i = 0; i < rank; ++i) to = to * whole[i] + box.start[i] + at[i];
    row(static_cast<size_t>(from), static_cast<size_t>(to), static_cast<size_t>(run));
    for (size_t i = rank; i-- > 1;) {  // next row: the last dimension is the run
      if (++at[i - 1] < box.shape[i - 1]) break;
      at[i - 1] = 0;
    }
  }
}

// Copies one slice to its place. Returns false if the place is already filled.
bool Place(const TensorValue& part, const Box& box, TensorValue* whole, std::vector<bool>* filled) {
  bool free = true;
  const auto volume = static_cast<int64_t>(part.reals.size() + part.integers.size());
  ForEachRow(box, whole->shape, volume, [&](size_t from, size_t to, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      free = free && !(*filled)[to + i];
      (*filled)[to + i] = true;
      if (part.kind == TensorValue::Kind::real) whole->reals[to + i] = part.reals[from + i];
      if (part.kind == TensorValue::Kind::integer)
        whole->integers[to + i] = part.integers[from + i];
    }
  });
  return free;
}

// Returns the size of the data files that hold `entries`.
Result<int64_t> DataBytes(const Checkpoint& checkpoint, const std::vector<BundleEntry>& entries) {
  std::set<int32_t> shards;
  for (const BundleEntry& entry : entries) shards.insert(entry.shard);
  int64_t bytes = 0;
  for (const int32_t shard : shards) {
    DataFile file(checkpoint.DataPath(shard));
    TFPROF_TRY(file.Open());
    bytes += file.size();
  }
  return bytes;
}

// Finds the entries and boxes of all slices. Error unless their sizes add up to the whole tensor
// and fit into the data files, so that a few bytes of a file cannot cause a large allocation.
Result<void> FindSlices(const Checkpoint& checkpoint, std::string_view name,
                        const BundleEntry& whole, int64_t volume, std::vector<BundleEntry>* entries,
                        std::vector<Box>* boxes) {
  int64_t bytes = 0;
  bool consistent = true;
  for (const TensorSlice& slice : whole.slices) {
    TFPROF_ASSIGN(Box box, BoxOf(checkpoint, slice, whole.shape));
    TFPROF_ASSIGN(BundleEntry entry, checkpoint.SliceEntry(name, slice));
    consistent = consistent && entry.slices.empty() && entry.dtype == whole.dtype &&
                 entry.shape == box.shape && !__builtin_add_overflow(bytes, entry.size, &bytes);
    entries->push_back(std::move(entry));
    boxes->push_back(std::move(box));
  }
  int64_t needed = 0;
  consistent = consistent && !__builtin_mul_overflow(volume, BytesPerValue(whole.dtype), &needed);
  TFPROF_ASSIGN(const int64_t available, DataBytes(checkpoint, *entries));
  if (consistent && bytes == needed && needed <= available) return {};
  return Fail(ErrorKind::corrupt, "the slices of '" + std::string(name) + "' do not cover it",
              checkpoint.index_path());
}

Result<TensorValue> ReadSlices(const Checkpoint& checkpoint, std::string_view name,
                               const BundleEntry& entry) {
  TFPROF_ASSIGN(const int64_t volume, Volume(checkpoint, entry.shape));
  std::vector<BundleEntry> entries;
  std::vector<Box> boxes;
  TFPROF_TRY(FindSlices(checkpoint, name, entry, volume, &entries, &boxes));
  std::vector<TensorValue> parts;
  for (const BundleEntry& part : entries) {
    TFPROF_ASSIGN(TensorValue value, ReadWhole(checkpoint, part));
    parts.push_back(std::move(value));
  }
  TensorValue whole{.dtype = entry.dtype, .shape = entry.shape};
  const bool real = entry.dtype == kFloat || entry.dtype == kDouble;
  whole.kind = real ? TensorValue::Kind::real : TensorValue::Kind::integer;
  if (real) whole.reals.resize(static_cast<size_t>(volume));
  if (!real) whole.integers.resize(static_cast<size_t>(volume));
  std::vector<bool> filled(static_cast<size_t>(volume));
  for (size_t i = 0; i < parts.size(); ++i) {
    if (Place(parts[i], boxes[i], &whole, &filled)) continue;
    return Fail(ErrorKind::corrupt, "slices of '" + std::string(name) + "' overlap",
                checkpoint.index_path());
  }
  return whole;
}

}  // namespace

Result<TensorValue> ReadTensor(const Checkpoint& checkpoint, uint32_t number) {
  TFPROF_ASSIGN(const BundleEntry entry, checkpoint.Entry(number));
  if (BytesPerValue(entry.dtype) == 0)
    return TensorValue{.dtype = entry.dtype, .shape = entry.shape};
  if (entry.unknown_rank && entry.shape.empty()) {
    return Fail(ErrorKind::corrupt, "a tensor has unknown rank", checkpoint.index_path());
  }
  if (entry.slices.empty()) return ReadWhole(checkpoint, entry);
  return ReadSlices(checkpoint, checkpoint.Key(number), entry);
}

}  // namespace tfprof
