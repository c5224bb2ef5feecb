// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/decode.h"

#include <catch2/catch.hpp>
#include <random>

#include "proto/xplane.pb.h"
#include "tests/support/source_of.h"

namespace tfprof::xspace::xspace_decode_test {
namespace {

// What a line decodes to. Ids of events are known from 1 to kKnown, without the ids of every
// eleventh place where they do not follow one on the other.
constexpr int64_t kKnown = 40;
constexpr uint32_t kFirstLabel = 100;
constexpr uint32_t kUnknownLabel = 7;

struct Decoded {
  std::vector<int64_t> start_ps;
  std::vector<int64_t> duration_ps;
  std::vector<uint32_t> label;
  std::vector<uint32_t> detail;
  std::vector<std::pair<uint32_t, int64_t>> occurrences;  // of aggregates, by row
  std::vector<int64_t> problem;
  ptrdiff_t changed = -1;  // where the bytes are not those that were counted

  bool operator==(const Decoded&) const = default;
};

PlaneLabels LabelsOf(bool with_gaps) {
  std::vector<int64_t> ids;
  for (int64_t id = 1; id <= kKnown; ++id) {
    if (!with_gaps || id % 11 != 0) ids.push_back(id);
  }
  return {IdIndex(ids), LabelId(kFirstLabel), LabelId(kUnknownLabel)};
}

Decoded Decode(const SourceFile& file, const PlaneLabels& labels, size_t events, int64_t base_ps,
               bool gathers, bool starts = true) {
  LaneLine line;
  line.line.bytes = file.bytes;
  line.labels = &labels;
  Piece piece{&line, file.bytes.data(), file.bytes.data() + file.bytes.size()};
  piece.events = events;
  piece.base_ps = base_ps;
  std::vector<LabelId> label(events);
  Decoded to{std::vector<int64_t>(starts ? events : 0),
             std::vector<int64_t>(events),
             {},
             std::vector<uint32_t>(events),
             {},
             {}};
  DecodeEvents({starts ? to.start_ps.data() : nullptr, to.duration_ps.data(), label.data(),
                to.detail.data()},
               &piece, gathers);
  REQUIRE(piece.rows <= events);
  if (piece.changed != nullptr) to.changed = piece.changed - file.bytes.data();
  for (const LabelId id : label) to.label.push_back(id.value);
  to.start_ps.resize(starts ? piece.rows : 0);
  to.duration_ps.resize(piece.rows);
  to.label.resize(piece.rows);
  to.detail.resize(piece.rows);
  for (const Aggregate& of : piece.aggregates) {
    to.occurrences.emplace_back(of.event.value, of.occurrences);
  }
  for (const ProblemCount* tally :
       {&piece.problem.malformed, &piece.problem.unknown, &piece.problem.negative,
        &piece.problem.clamped, &piece.problem.far}) {
    to.problem.push_back(tally->count);
    to.problem.push_back(tally->first == nullptr ? -1 : tally->first - file.bytes.data());
  }
  return to;
}

std::string Varint(uint64_t value, size_t least_bytes = 1) {
  std::string bytes;
  for (; value >= 0x80 || bytes.size() + 1 < least_bytes; value >>= 7) {
    bytes += static_cast<char>(value | 0x80);
  }
  return bytes + static_cast<char>(value);
}

// Of as many bytes as comes; short ones are the most.
std::string AnyNumber(std::mt19937_64* random) {
  return Varint((*random)() >> (*random)() % 64, (*random)() % 16 == 0 ? (*random)() % 11 : 1);
}

std::string Field(int number, const std::string& value) {
  return std::string(1, static_cast<char>(number << 3)) + value;
}

std::string Stat(std::mt19937_64* random) {
  const std::string stat = Field(1, AnyNumber(random)) + Field(3, AnyNumber(random));
  return "\x22" + Varint(stat.size()) + stat;
}

// As writers have them, and everything that is not quite so; only behind stats, where nobody looks,
// there are no times.
std::string AnyEvent(std::mt19937_64* random) {
  const auto one_in = [&](uint64_t n) { return (*random)() % n == 0; };
  std::string event;
  const std::string id = Varint(one_in(9) ? (*random)() : (*random)() % (kKnown + 2));
  if (!one_in(40)) event += Field(1, id);
  if (!one_in(20)) event += Field(one_in(20) ? 5 : 2, AnyNumber(random));
  if (!one_in(10)) event += Field(3, AnyNumber(random));
  if (one_in(20)) event += Field(static_cast<int>(1 + (*random)() % 3), AnyNumber(random));
  for (uint64_t stats = (*random)() % 4; stats > 0; --stats) event += Stat(random);
  if (one_in(30)) event += std::string("\x72\x02zz", 4);  // unknown
  if (one_in(30)) event += "\x22" + Varint(200) + std::string(200, '\0');
  if (one_in(50)) event += "\xFF";  // no wire format
  return event;
}

struct Events {
  std::string bytes;
  std::vector<std::string> each;
};
Events AnyEvents(std::mt19937_64* random, size_t count) {
  Events events;
  for (size_t i = 0; i < count; ++i) {
    events.each.push_back(AnyEvent(random));
    events.bytes += "\x22" + Varint(events.each.back().size()) + events.each.back();
  }
  return events;
}

}  // namespace

TEST_CASE("both decoders agree with libprotobuf on events") {
  std::mt19937_64 random(5);
  for (int round = 0; round < 300; ++round) {
    const Events events = AnyEvents(&random, 50);
    const SourceFile file = SourceOf(events.bytes);
    const PlaneLabels labels = LabelsOf(round % 2 == 0);
    const Decoded plain = Decode(file, labels, events.each.size(), 1'000, false);
    if (wire::gathers_bits) {
      REQUIRE(Decode(file, labels, events.each.size(), 1'000, true) == plain);
      Decoded no_starts = plain;
      no_starts.start_ps.clear();
      REQUIRE(Decode(file, labels, events.each.size(), 1'000, true, false) == no_starts);
    }
    size_t row = 0;
    size_t place = 0;
    for (const std::string& bytes : events.each) {
      const size_t detail = place + 1;
      place = detail + Varint(bytes.size()).size() + bytes.size();
      pb::XEvent event;
      const bool has_row = row < plain.detail.size() && plain.detail[row] == detail;
      if (!event.ParseFromString(bytes)) {  // what is bad behind the times is not seen
        row += has_row;
        continue;
      }
      INFO(row);
      REQUIRE(has_row);
      REQUIRE(plain.duration_ps[row] == std::max<int64_t>(event.duration_ps(), 0));
      if (event.data_case() != pb::XEvent::kNumOccurrences) {
        const __int128 start = __int128{event.offset_ps()} + 1'000;
        REQUIRE(plain.start_ps[row] == static_cast<int64_t>(std::min<__int128>(start, kMaxPs)));
      }
      const uint32_t place_of_id = labels.index.Find(event.metadata_id());
      REQUIRE(plain.label[row] ==
              (place_of_id == IdIndex::kNone ? kUnknownLabel : kFirstLabel + place_of_id));
      ++row;
    }
    REQUIRE(row == plain.detail.size());
  }
}

TEST_CASE("both decoders clamp the events of lines at the ends of time alike") {
  if (!wire::gathers_bits) return;
  std::mt19937_64 random(6);
  const Events events = AnyEvents(&random, 500);
  const SourceFile file = SourceOf(events.bytes);
  const PlaneLabels labels = LabelsOf(false);
  for (const int64_t base_ps : {kMinPs, kMaxPs, kMaxPs - 5, kMaxPs - (int64_t{1} << 56)}) {
    const Decoded plain = Decode(file, labels, events.each.size(), base_ps, false);
    REQUIRE(Decode(file, labels, events.each.size(), base_ps, true) == plain);
    if (base_ps == kMaxPs) REQUIRE(plain.problem[6] > 400);  // clamped
  }
}

TEST_CASE("bytes that changed since they were counted are noted and add no row") {
  std::mt19937_64 random(8);
  const PlaneLabels labels = LabelsOf(false);
  const Events events = AnyEvents(&random, 5'000);
  const size_t count = events.each.size(), size = events.bytes.size();
  const std::string shortest("\x22\x06\x08\x01\x10\x01\x18\x01", 8);
  std::string short_ones;
  while (short_ones.size() + shortest.size() <= size) short_ones += shortest;
  std::string cut = events.bytes;
  std::fill(cut.begin() + static_cast<ptrdiff_t>(size / 2), cut.end(), '\0');
  const std::pair<std::string, size_t> changed[] = {
      {std::string(size, '\0'), count},                       // it was truncated
      {cut, count},                                           //
      {short_ones, count},                                    // more events
      {short_ones, short_ones.size() / shortest.size() - 1},  // one more
      {short_ones, short_ones.size() / shortest.size() + 1},  // one less
      {"\x22\x7F" + events.bytes, count},                     // fewer
      {events.bytes.substr(1), count},                        // not where they were
      {events.bytes + "\x22", count},                         // no length
      {events.bytes + "\x22\x09", count + 1},                 // longer than what is there
      {std::string(size, '\x22'), count},
      {std::string(size, '\xFF'), count},
  };
  for (const auto& [bytes, counted] : changed) {
    const SourceFile file = SourceOf(bytes);
    const Decoded plain = Decode(file, labels, counted, 0, false);
    REQUIRE(plain.changed >= 0);
    REQUIRE(plain.changed <= static_cast<ptrdiff_t>(bytes.size()));
    if (wire::gathers_bits) REQUIRE(Decode(file, labels, counted, 0, true) == plain);
  }
  REQUIRE(Decode(SourceOf(events.bytes), labels, count, 0, wire::gathers_bits).changed == -1);
}

TEST_CASE("both decoders stay within an event, whatever its bytes") {
  if (!wire::gathers_bits) return;
  std::mt19937_64 random(7);
  const PlaneLabels labels = LabelsOf(true);
  for (int round = 0; round < 2'000; ++round) {
    std::string bytes;
    const size_t count = 1 + random() % 20;
    for (size_t i = 0; i < count; ++i) {
      std::string event = AnyEvent(&random);
      for (int flips = 0; flips < 3 && !event.empty(); ++flips) {
        event[random() % event.size()] ^= static_cast<char>(1 << random() % 8);
      }
      bytes += "\x22" + Varint(event.size()) + event;
    }
    const SourceFile file = SourceOf(bytes);
    REQUIRE(Decode(file, labels, count, 0, true) == Decode(file, labels, count, 0, false));
  }
}

}  // namespace tfprof::xspace::xspace_decode_test
