// SPDX-License-Identifier: Apache-2.0
#include "loaders/snapshot/pickle.h"

#include <cstring>
#include <optional>
#include <utility>

namespace tfprof::snapshot {
namespace {

// Opcodes, by the names of Python's pickletools.
enum Op : uint8_t {
  kMark = '(',
  kStop = '.',
  kPop = '0',
  kPopMark = '1',
  kDup = '2',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kBinUnicode = 'X',
  kAppend = 'a',
  kDict = 'd',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kList = 'l',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTuple = 't',
  kSetItems = 'u',
  kEmptyTuple = ')',
  kEmptyList = ']',
  kEmptyDict = '}',
  kBinFloat = 'G',
  kBinString = 'T',
  kShortBinString = 'U',
  kBinBytes = 'B',
  kShortBinBytes = 'C',
  kProto = 0x80,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kTrue = 0x88,
  kFalse = 0x89,
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kBinBytes8 = 0x8e,
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  kMemoize = 0x94,
  kFrame = 0x95,
};

// Those that import or call something: they may run any code where Python reads them.
constexpr std::string_view kCode = "cioRQbP\x81\x82\x83\x84\x92\x93\x97\x98";

constexpr std::string_view kTruncated = "the pickle is damaged or truncated";
constexpr std::string_view kRunsCode =
    "the pickle has objects, which only code can make: it is not a snapshot";

class Reader {
 public:
  Reader(std::string_view bytes, Pickle* pickle) : bytes_(bytes), pickle_(pickle) {}

  PickleError Read() {
    for (;;) {
      const size_t at = at_;
      const std::string_view wrong = Next();
      if (!wrong.empty()) return {bytes_.data() + at, wrong};
      if (stopped_) return {};
    }
  }

 private:
  // Reads one opcode. Returns what is wrong with it.
  std::string_view Next();
  bool Scalar(uint8_t op);
  bool Container(uint8_t op);
  bool Memo(uint8_t op);

  // Little-endian. False: the file ends before.
  bool Number(size_t size, uint64_t* number) {
    if (bytes_.size() - at_ < size) return false;
    *number = 0;
    for (size_t i = 0; i < size; ++i) {
      *number |= uint64_t{static_cast<uint8_t>(bytes_[at_ + i])} << (8 * i);
    }
    at_ += size;
    return true;
  }
  // A number of bytes and as many bytes.
  bool Text(size_t size_of_length) {
    uint64_t length = 0;
    if (!Number(size_of_length, &length) || length > bytes_.size() - at_) return false;
    if (length > UINT32_MAX) return false;
    Push({PickleKind::text, static_cast<uint32_t>(length), at_});
    at_ += length;
    return true;
  }
  // Two's complement. More than 64 bits are no number of a snapshot: none.
  bool Long(size_t size_of_length) {
    uint64_t length = 0, number = 0;
    if (!Number(size_of_length, &length) || length > bytes_.size() - at_) return false;
    if (length > 9 || (length == 9 && bytes_[at_ + 8] != 0)) {
      at_ += length;
      Push({});
      return true;
    }
    const size_t used = length == 9 ? 8 : length;
    (void)Number(used, &number);
    if (used > 0 && used < 8 && (number >> (8 * used - 1) & 1) != 0) {
      number |= ~uint64_t{0} << (8 * used);
    }
    at_ += length - used;
    Push({PickleKind::integer, 0, number});
    return true;
  }
  bool Real() {
    uint64_t swapped = 0;
    if (!Number(8, &swapped)) return false;
    uint64_t bits = 0;
    for (int i = 0; i < 8; ++i) bits |= (swapped >> (8 * i) & 0xFF) << (56 - 8 * i);
    Push({PickleKind::real, 0, bits});
    return true;
  }

  void Push(PickleValue value) { stack_.push_back(value); }
  void PushList(PickleKind kind, size_t elements) {
    std::vector<PickleValue>& list = pickle_->lists.emplace_back();
    list.assign(stack_.end() - static_cast<ptrdiff_t>(elements), stack_.end());
    stack_.resize(stack_.size() - elements);
    Push({kind, 0, pickle_->lists.size() - 1});
  }
  // The values above the last mark, which is taken away.
  std::optional<size_t> SinceMark() {
    if (marks_.empty() || marks_.back() > stack_.size()) return std::nullopt;
    const size_t count = stack_.size() - marks_.back();
    marks_.pop_back();
    return count;
  }
  bool PushListSinceMark(PickleKind kind) {
    const std::optional<size_t> count = SinceMark();
    if (!count || (kind == PickleKind::dict && *count % 2 != 0)) return false;
    PushList(kind, *count);
    return true;
  }
  // Values that lie above the mark may not be taken from below it.
  bool Have(size_t count) const {
    return stack_.size() - (marks_.empty() ? 0 : marks_.back()) >= count;
  }
  bool PushTuple(size_t elements) {
    if (!Have(elements)) return false;
    PushList(PickleKind::list, elements);
    return true;
  }
  // Moves the last `count` values into the list or dict below them.
  bool AddTo(PickleKind kind, size_t count) {
    if (stack_.size() < count + 1) return false;
    const PickleValue& owner = stack_[stack_.size() - count - 1];
    if (owner.kind != kind || (kind == PickleKind::dict && count % 2 != 0)) return false;
    std::vector<PickleValue>& list = pickle_->lists[owner.bits];
    list.insert(list.end(), stack_.end() - static_cast<ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return true;
  }
  bool AddSinceMark(PickleKind kind) {
    const std::optional<size_t> count = SinceMark();
    return count && AddTo(kind, *count);
  }

  // Numbers of the memo count up from 0, so that a larger one than the file has bytes is damage.
  bool Put(uint64_t number) {
    if (!Have(1) || number > bytes_.size()) return false;
    if (number >= memo_.size()) memo_.resize(number + 1);
    memo_[number] = stack_.back();
    return true;
  }
  bool Get(size_t size) {
    uint64_t number = 0;
    if (!Number(size, &number) || number >= memo_.size()) return false;
    Push(memo_[number]);
    return true;
  }
  bool PutNumber(size_t size) {
    uint64_t number = 0;
    return Number(size, &number) && Put(number);
  }
  bool Stop() {
    if (stack_.size() != 1 || !marks_.empty()) return false;
    pickle_->root = stack_[0];
    return stopped_ = true;
  }
  bool Skip(size_t size) {
    uint64_t skipped = 0;
    return Number(size, &skipped);
  }

  std::string_view bytes_;
  size_t at_ = 0;
  Pickle* pickle_;
  std::vector<PickleValue> stack_;
  std::vector<size_t> marks_;  // sizes of the stack
  std::vector<PickleValue> memo_;
  bool stopped_ = false;
};

bool Reader::Scalar(uint8_t op) {
  uint64_t number = 0;
  switch (op) {
    case kNone: return Push({}), true;
    case kTrue: return Push({PickleKind::boolean, 0, 1}), true;
    case kFalse: return Push({PickleKind::boolean, 0, 0}), true;
    case kBinInt:
      if (!Number(4, &number)) return false;
      number = static_cast<uint64_t>(int64_t{static_cast<int32_t>(number)});
      return Push({PickleKind::integer, 0, number}), true;
    case kBinInt1:
    case kBinInt2:
      if (!Number(op == kBinInt1 ? 1 : 2, &number)) return false;
      return Push({PickleKind::integer, 0, number}), true;
    case kLong1: return Long(1);
    case kLong4: return Long(4);
    case kBinFloat: return Real();
    case kShortBinUnicode:
    case kShortBinString:
    case kShortBinBytes: return Text(1);
    case kBinUnicode:
    case kBinString:
    case kBinBytes: return Text(4);
    default: return Text(8);  // kBinUnicode8, kBinBytes8
  }
}

bool Reader::Container(uint8_t op) {
  switch (op) {
    case kEmptyTuple:
    case kEmptyList:
    case kEmptySet: return PushTuple(0);
    case kEmptyDict: return PushList(PickleKind::dict, 0), true;
    case kTuple1: return PushTuple(1);
    case kTuple2: return PushTuple(2);
    case kTuple3: return PushTuple(3);
    case kTuple:
    case kList:
    case kFrozenSet: return PushListSinceMark(PickleKind::list);
    case kDict: return PushListSinceMark(PickleKind::dict);
    case kAppend: return Have(2) && AddTo(PickleKind::list, 1);
    case kSetItem: return Have(3) && AddTo(PickleKind::dict, 2);
    case kAppends:
    case kAddItems: return AddSinceMark(PickleKind::list);
    default: return AddSinceMark(PickleKind::dict);  // kSetItems
  }
}

bool Reader::Memo(uint8_t op) {
  switch (op) {
    case kBinGet: return Get(1);
    case kLongBinGet: return Get(4);
    case kBinPut: return PutNumber(1);
    case kLongBinPut: return PutNumber(4);
    case kMemoize: return Put(memo_.size());
    case kMark: return marks_.push_back(stack_.size()), true;
    case kPop:
      if (!Have(1)) return false;
      return stack_.pop_back(), true;
    case kDup:
      if (!Have(1)) return false;
      return Push(PickleValue(stack_.back())), true;
    default: {  // kPopMark
      const std::optional<size_t> count = SinceMark();
      if (count) stack_.resize(stack_.size() - *count);
      return count.has_value();
    }
  }
}

std::string_view Reader::Next() {
  uint64_t op = 0;
  if (!Number(1, &op)) return kTruncated;
  const auto is = [&](std::string_view ops) {
    return op != 0 && ops.find(static_cast<char>(op)) != ops.npos;
  };
  bool good = false;
  if (is("NJKMGXBCTU\x88\x89\x8a\x8b\x8c\x8d\x8e")) {
    good = Scalar(static_cast<uint8_t>(op));
  } else if (is(")]}adeltsu\x85\x86\x87\x8f\x90\x91")) {
    good = Container(static_cast<uint8_t>(op));
  } else if (is("(012hjqr\x94")) {
    good = Memo(static_cast<uint8_t>(op));
  } else if (op == kProto) {
    good = Skip(1);
  } else if (op == kFrame) {
    good = Skip(8);
  } else if (op == kStop) {
    good = Stop();
  } else if (is(kCode)) {
    return kRunsCode;
  }
  return good ? std::string_view() : kTruncated;
}

}  // namespace

std::span<const PickleValue> Pickle::Elements(const PickleValue& value) const {
  if (value.kind != PickleKind::list && value.kind != PickleKind::dict) return {};
  return lists[value.bits];
}

PickleValue Pickle::Get(const PickleValue& dict, std::string_view key) const {
  if (dict.kind != PickleKind::dict) return {};
  const std::vector<PickleValue>& items = lists[dict.bits];
  for (size_t i = items.size(); i >= 2; i -= 2) {
    if (items[i - 2].kind == PickleKind::text && Text(items[i - 2]) == key) return items[i - 1];
  }
  return {};
}

std::string_view Pickle::Text(const PickleValue& value) const {
  if (value.kind != PickleKind::text) return {};
  return bytes.substr(value.bits, value.length);
}

PickleError ReadPickle(std::string_view bytes, Pickle* pickle) {
  pickle->bytes = bytes;
  return Reader(bytes, pickle).Read();
}

}  // namespace tfprof::snapshot
