// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/inflate.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <memory>

namespace tfprof {
namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

std::string At(const std::string& path, size_t offset) {
  return path + ": byte " + std::to_string(offset) + " of the compressed data";
}

const char* Reason(int status) {
  switch (status) {
    case ISAL_UNSUPPORTED_METHOD:
    case ISAL_INVALID_WRAPPER: return "the gzip header is damaged";
    case ISAL_INCORRECT_CHECKSUM: return "the gzip checksum does not match: the file is damaged";
    default: return "the gzip data is damaged";
  }
}

// One gzip member, from its header through its checksum. Taken() returns the number of bytes of
// `compressed` that it used.
struct Member {
  inflate_state state;
  std::string_view compressed;
  size_t start;  // of the member

  size_t Taken() const {
    const auto next =
        static_cast<size_t>(reinterpret_cast<const char*>(state.next_in) - compressed.data());
    return next - static_cast<size_t>(std::max(state.read_in_length, 0)) / 8;
  }
};

Result<void> InflateSome(Member* member, const std::string& path, Column<char>* out) {
  inflate_state& state = member->state;
  const size_t before = out->size();
  state.next_out = reinterpret_cast<uint8_t*>(out->Extend(kChunkBytes));
  state.avail_out = kChunkBytes;
  const size_t next =
      static_cast<size_t>(reinterpret_cast<const char*>(state.next_in) - member->compressed.data());
  state.avail_in =
      static_cast<uint32_t>(std::min<size_t>(member->compressed.size() - next, uint32_t{1} << 30));
  const bool starved = state.avail_in == 0;
  const int status = isal_inflate(&state);
  const size_t made = kChunkBytes - state.avail_out;
  out->Resize(before + made);
  if (status != ISAL_DECOMP_OK && status != ISAL_END_INPUT) {
    return Fail(ErrorKind::corrupt, Reason(status), At(path, member->Taken()));
  }
  if (state.block_state == ISAL_BLOCK_FINISH || made > 0 || !starved) return {};
  return Fail(ErrorKind::corrupt, "the gzip data is truncated",
              At(path, member->compressed.size()));
}

Result<void> CheckLimit(size_t bytes, const std::string& path, const Context& context) {
  if (bytes <= context.limits.max_inflated_bytes) return {};
  return Fail(
      ErrorKind::corrupt,
      "inflates to more than " + std::to_string(context.limits.max_inflated_bytes) + " bytes", path,
      Remedy::higher_limit);
}

Result<size_t> InflateMember(std::string_view compressed, size_t start, const std::string& path,
                             Context& context, Column<char>* out, LookAtBeginning look) {
  const auto member = std::make_unique<Member>();  // 85 KB
  isal_inflate_init(&member->state);
  member->state.crc_flag = ISAL_GZIP;
  member->state.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(compressed.data() + start));
  member->compressed = compressed;
  member->start = start;
  while (member->state.block_state != ISAL_BLOCK_FINISH) {
    TFPROF_TRY(Poll(context));
    const size_t before = out->size();
    TFPROF_TRY(InflateSome(member.get(), path, out));
    const bool is_beginning = before < kBeginningBytes && out->size() >= kBeginningBytes;
    if (look != nullptr && is_beginning) TFPROF_TRY(look(path, out));
    TFPROF_TRY(CheckLimit(out->size(), path, context));
    context.done_bytes.store(member->Taken(), std::memory_order_relaxed);
  }
  return member->Taken();
}

}  // namespace

bool IsGzip(std::string_view bytes) { return bytes.substr(0, 2) == "\x1f\x8b"; }

Result<void> Inflate(std::string_view compressed, const std::string& path, Context& context,
                     Column<char>* out, LookAtBeginning look) {
  size_t at = 0;
  while (at < compressed.size()) {
    if (at > 0 && !IsGzip(compressed.substr(at))) {
      if (compressed.find_first_not_of('\0', at) == std::string_view::npos) return {};
      return Fail(ErrorKind::corrupt, "trailing bytes after the gzip data", At(path, at));
    }
    TFPROF_ASSIGN(at, InflateMember(compressed, at, path, context, out, look));
  }
  return {};
}

}  // namespace tfprof
