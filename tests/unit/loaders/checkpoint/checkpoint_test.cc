// SPDX-License-Identifier: Apache-2.0
#include "loaders/checkpoint/checkpoint.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "core/store/check.h"
#include "loaders/checkpoint/crc32c.h"
#include "loaders/checkpoint/leveldb_table.h"
#include "loaders/formats.h"
#include "proto/tensor_bundle.pb.h"
#include "tests/support/checkpoint_of.h"
#include "tests/support/source_of.h"

namespace tfprof::checkpoint_test {
namespace {

Result<StorePtr> ReadIndex(const std::string& path, const std::string& bytes) {
  Context context;
  StoreBuilder store;
  store.AddNode(store.Name("weights"), store.Name("Variable"), true);
  TFPROF_TRY(kCheckpointLoader.load(SourceOf(bytes, path), {}, store, context));
  return store.Finish();
}
Result<StorePtr> ReadIndex(const std::string& path) { return ReadIndex(path, ReadFile(path)); }

Result<TensorValue> ValueOf(const Store& store, std::string_view name) {
  for (const Tensor& tensor : store.tensors) {
    if (store.Text(tensor.name) != name) continue;
    const DetailReader& details = store.sources[tensor.source.value].details;
    return details.tensor(tensor.detail);
  }
  return Fail(ErrorKind::internal, "no such tensor");
}

std::string Shown(const Result<TensorValue>& value) {
  if (!value) return value.error().what;
  if (value->kind == TensorValue::Kind::unsupported) return fmt::format("type {}", value->dtype);
  return fmt::format("[{}] {}{}", fmt::join(value->shape, ","), fmt::join(value->reals, " "),
                     fmt::join(value->integers, " "));
}

CheckpointWriter ManyTypes() {
  CheckpointWriter writer;
  writer.Add("weights", writer.Entry(pb::DT_FLOAT, {2, 2}), Bytes<float>({1, -2.5, 3, 4}));
  writer.Add("d", writer.Entry(pb::DT_DOUBLE, {3}), Bytes<double>({0.1, 1e300, -0.0}));
  writer.Add("i", writer.Entry(pb::DT_INT32, {}), Bytes<int32_t>({-7}));
  writer.Add("l", writer.Entry(pb::DT_INT64, {2}), Bytes<int64_t>({INT64_MIN, INT64_MAX}));
  writer.Add("empty", writer.Entry(pb::DT_FLOAT, {0, 5}), "");
  writer.Add("half", writer.Entry(pb::DT_HALF, {1}), "ab");
  return writer;
}

}  // namespace

TEST_CASE("the checksum is masked CRC-32C") {
  const auto masked = [](uint32_t crc) { return (crc >> 15 | crc << 17) + 0xa282ead8u; };
  // RFC 3720, B.4.
  REQUIRE(MaskedCrc32c(std::string(32, '\0')) == masked(0x8A9136AAu));
  REQUIRE(MaskedCrc32c("123456789") == masked(0xE3069283u));
}

TEST_CASE("keys of slices use ordered code") {
  using namespace std::string_literals;
  REQUIRE(SliceKey("a", {}) == "\0a\0\1\0"s);
  REQUIRE(SliceKey("\0\xFF"s, {}) == "\0\0\xFF\xFF\0\0\1\0"s);
  REQUIRE(SliceKey("w", {{0, 63}, {64, -1}, {8191, 8192}}) ==
          "\0w\0\1\1\3\x80\xBF\xC0\x40\x7F\xDF\xFF\xE0\x20\x00"s);
}

TEST_CASE("values of all readable types are read from raw and snappy-compressed tables") {
  const TestFolder folder;
  for (const bool snappy_blocks : {false, true}) {
    const StorePtr store = ReadIndex(ManyTypes().Save(folder, snappy_blocks)).value();
    REQUIRE(BrokenInvariant(*store).empty());
    REQUIRE(store->tensors.size() == 6);
    REQUIRE(Shown(ValueOf(*store, "weights")) == "[2,2] 1 -2.5 3 4");
    REQUIRE(Shown(ValueOf(*store, "d")) == "[3] 0.1 1e+300 -0");
    REQUIRE(Shown(ValueOf(*store, "i")) == "[] -7");
    REQUIRE(Shown(ValueOf(*store, "l")) == "[2] -9223372036854775808 9223372036854775807");
    REQUIRE(Shown(ValueOf(*store, "empty")) == "[0,5] ");
    REQUIRE(Shown(ValueOf(*store, "half")) == "type 19");
    const Node& node = store->nodes[0];
    REQUIRE(node.types.count == 1);
    REQUIRE(store->Text(store->node_types[node.types.first]) == "_checkpoint_variables");
  }
}

TEST_CASE("a partitioned tensor is assembled from its slices") {
  const TestFolder folder;
  CheckpointWriter writer;
  pb::BundleEntryProto whole = writer.Entry(pb::DT_INT32, {3, 4});
  writer.Slice(&whole, "p", {{0, 2}, {0, 3}}, {2, 3}, Bytes<int32_t>({0, 1, 2, 10, 11, 12}));
  writer.Slice(&whole, "p", {{0, 2}, {3, 1}}, {2, 1}, Bytes<int32_t>({3, 13}));
  writer.Slice(&whole, "p", {{2, 1}, {0, -1}}, {1, 4}, Bytes<int32_t>({20, 21, 22, 23}));
  writer.rows["p"] = whole.SerializeAsString();
  const StorePtr store = ReadIndex(writer.Save(folder)).value();
  REQUIRE(store->tensors.size() == 1);
  REQUIRE(Shown(ValueOf(*store, "p")) == "[3,4] 0 1 2 3 10 11 12 13 20 21 22 23");
}

TEST_CASE("slices that overlap, are missing or too large are errors") {
  const TestFolder folder;
  const auto shown = [&](const CheckpointWriter& writer) {
    return Shown(ValueOf(*ReadIndex(writer.Save(folder)).value(), "p"));
  };
  CheckpointWriter overlap;
  pb::BundleEntryProto whole = overlap.Entry(pb::DT_INT32, {2});
  overlap.Slice(&whole, "p", {{0, 1}}, {1}, Bytes<int32_t>({1}));
  whole.add_slices()->CopyFrom(whole.slices(0));
  overlap.rows["p"] = whole.SerializeAsString();
  overlap.data += "more";
  REQUIRE(shown(overlap) == "slices of 'p' overlap");
  CheckpointWriter missing = overlap;
  missing.rows.erase(SliceKey("p", {{0, 1}}));
  REQUIRE(shown(missing) == "a slice of 'p' is missing");
  CheckpointWriter huge = overlap;
  whole.mutable_shape()->mutable_dim(0)->set_size(int64_t{1} << 61);
  huge.rows["p"] = whole.SerializeAsString();
  REQUIRE(shown(huge) == "the slices of 'p' do not cover it");
  whole.mutable_shape()->mutable_dim(0)->set_size(-2);
  huge.rows["p"] = whole.SerializeAsString();
  REQUIRE(shown(huge) == "a tensor has an invalid shape");
}

TEST_CASE("damaged or missing data files are errors with a place") {
  const TestFolder folder;
  const StorePtr store = ReadIndex(ManyTypes().Save(folder)).value();
  std::string data = ReadFile(folder / "ckpt.data-00000-of-00001");
  data[5] ^= 1;
  WriteFile(folder / "ckpt.data-00000-of-00001", data);
  const Result<TensorValue> flipped = ValueOf(*store, "weights");
  REQUIRE(Shown(flipped) == "wrong checksum of the values of a tensor");
  REQUIRE(flipped.error().where.ends_with("ckpt.data-00000-of-00001: byte 0"));
  WriteFile(folder / "ckpt.data-00000-of-00001", data.substr(0, 10));
  REQUIRE(Shown(ValueOf(*store, "weights")) == "the file is too short for the values of a tensor");
  std::filesystem::remove(folder / "ckpt.data-00000-of-00001");
  REQUIRE(ValueOf(*store, "weights").error().kind == ErrorKind::unreadable);
}

TEST_CASE("size and shape of an entry must agree") {
  const TestFolder folder;
  CheckpointWriter writer;
  writer.Add("a", writer.Entry(pb::DT_FLOAT, {3}), "only8byt");
  writer.Add("b", writer.Entry(pb::DT_FLOAT, {int64_t{1} << 40, int64_t{1} << 40}), "only8byt");
  pb::BundleEntryProto entry = writer.Entry(pb::DT_FLOAT, {2});
  entry.set_shard_id(7);
  writer.Add("c", entry, "only8byt");
  const StorePtr store = ReadIndex(writer.Save(folder)).value();
  REQUIRE(Shown(ValueOf(*store, "a")) == "the size of a tensor does not match its shape");
  REQUIRE(Shown(ValueOf(*store, "b")) == "a tensor has an invalid shape");
  REQUIRE(Shown(ValueOf(*store, "c")) == "the size of a tensor does not match its shape");
}

TEST_CASE("a checkpoint of version 1 is recognized") {
  const TestFolder folder;
  CheckpointWriter writer;
  writer.rows[""] = std::string("\x0A\x02\x08\x01");
  const Result<StorePtr> old = ReadIndex(writer.Save(folder));
  REQUIRE(!old.has_value());
  REQUIRE(old.error().what == "checkpoint version 1 is not supported");
}

TEST_CASE("a table with any byte changed or cut off is an error, never a crash") {
  const TestFolder folder;
  for (const bool snappy_blocks : {false, true}) {
    const std::string path = ManyTypes().Save(folder, snappy_blocks);
    const std::string bytes = ReadFile(path);
    for (size_t i = 0; i < bytes.size(); ++i) {
      REQUIRE(!ReadIndex(path, bytes.substr(0, i)).has_value());
      for (const int change : {1, 0x80, 0xFF}) {
        std::string changed = bytes;
        changed[i] = static_cast<char>(changed[i] ^ change);
        const Result<StorePtr> store = ReadIndex(path, changed);
        if (store) continue;  // padding of the footer
        REQUIRE(store.error().kind == ErrorKind::corrupt);
        REQUIRE(store.error().where.starts_with(path));
      }
    }
  }
}

TEST_CASE("keys out of order and duplicate blocks are refused") {
  Rows rows = {{"", "\x08\x01"}, {"b", ""}, {"a", ""}};
  REQUIRE(ReadIndex("x.index", TableOf(rows, false)).error().what ==
          "keys of the table are out of order");
  REQUIRE(ReadIndex("x.index", TableOf({}, false)).error().what == "the checkpoint has no header");
}

TEST_CASE("the prefix and the index file both name a checkpoint") {
  const TestFolder folder;
  ManyTypes().Save(folder);
  REQUIRE(CheckpointIndexPath(folder / "ckpt") == (folder / "ckpt.index"));
  REQUIRE(CheckpointIndexPath(folder / "ckpt.index") == (folder / "ckpt.index"));
  REQUIRE(CheckpointIndexPath(folder / "none") == (folder / "none.index"));
}

TEST_CASE(
    "a recorded checkpoint has a partitioned variable and counters, and every value is readable") {
  const std::string path = "testdata/tensorflow/mnist_softmax/ckpt.index";
  const StorePtr store = ReadIndex(path).value();
  std::map<std::string, std::string> shapes;
  for (const Tensor& tensor : store->tensors) {
    const std::string name(store->Text(tensor.name));
    const Result<TensorValue> value = ValueOf(*store, name);
    INFO(name);
    REQUIRE(value.has_value());
    size_t volume = 1;
    for (const int64_t size : value->shape) volume *= static_cast<size_t>(size);
    REQUIRE(value->reals.size() + value->integers.size() == volume);
    shapes[name] = fmt::format("{}", fmt::join(value->shape, "x"));
  }
  REQUIRE(shapes["softmax/weights"] == "784x10");
  REQUIRE(shapes["softmax/bias"] == "10");
  REQUIRE(shapes["global_step"].empty());
}

}  // namespace tfprof::checkpoint_test
