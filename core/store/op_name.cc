// SPDX-License-Identifier: Apache-2.0
#include "core/store/op_name.h"

#include <algorithm>
#include <array>

#include "core/base/ascii.h"
#include "core/text/pattern.h"

namespace tfprof {
namespace {

// Character classes, one bit each.
constexpr uint8_t kUpper = 1, kLower = 2, kDigit = 4, kDot = 8, kUnderscore = 16, kOfPaths = 32;
constexpr uint8_t kPlain = kUpper | kLower | kDigit | kDot;

constexpr std::array<uint8_t, 256> MakeKinds() {
  std::array<uint8_t, 256> kinds{};
  for (size_t c = 'A'; c <= 'Z'; ++c) kinds[c] = kUpper;
  for (size_t c = 'a'; c <= 'z'; ++c) kinds[c] = kLower;
  for (size_t c = '0'; c <= '9'; ++c) kinds[c] = kDigit;
  kinds['.'] = kDot;
  kinds['_'] = kUnderscore;
  kinds['/'] = kinds['>'] = kinds['-'] = kOfPaths;
  return kinds;
}
constexpr std::array<uint8_t, 256> kKinds = MakeKinds();

bool Is(char c, uint8_t kinds) { return (kKinds[static_cast<uint8_t>(c)] & kinds) != 0; }
bool All(std::string_view text, uint8_t kinds) {
  return std::all_of(text.begin(), text.end(), [=](char c) { return Is(c, kinds); });
}

bool IsTensorFlowName(std::string_view name) {
  return !name.empty() && Is(name[0], kPlain) && All(name, kPlain | kUnderscore | kOfPaths);
}

bool IsTensorFlowType(std::string_view type) {
  return !type.empty() && Is(type[0], kUpper | kUnderscore) &&
         All(type, kUpper | kLower | kDigit | kUnderscore);
}

// "transpose[permutation=(0, 1)]" is "transpose"; empty: not a type of JAX.
std::string_view JaxType(std::string_view type) {
  const std::string_view word = type.substr(0, type.find('['));
  if (word.empty() || Is(word[0], kDigit)) return {};
  if (!All(word, kLower | kDigit | kUnderscore)) return {};
  const bool has_parameters = word.size() < type.size();
  if (has_parameters && (type.back() != ']' || type.find('\n') != type.npos)) return {};
  return word;
}

struct Copy {
  CopyKind kind;
  std::string_view classic;
  std::string_view cupti;
  std::string_view spaced;  // as PyTorch's profiler writes it
};

constexpr Copy kCopies[] = {
    {CopyKind::host_to_device, "MemcpyHToD", "MemcpyH2D", "Memcpy HtoD"},
    {CopyKind::device_to_host, "MemcpyDToH", "MemcpyD2H", "Memcpy DtoH"},
    {CopyKind::device_to_device, "MemcpyDToD", "MemcpyD2D", "Memcpy DtoD"},
    {CopyKind::host_to_host, "MemcpyHToH", "MemcpyH2H", "Memcpy HtoH"},
};

// Libraries of operators: TORCH_LIBRARY of pytorch, vision and audio.
constexpr std::string_view kTorchLibraries[] = {
    "aten::",       "prims::",      "prim::",     "c10d::",   "quantized::", "torchvision::",
    "torchaudio::", "flash_attn::", "xformers::", "fbgemm::", "triton::",    "inductor::"};

// `colon`: the first one in the text.
bool IsTorchOperator(std::string_view text, size_t colon) {
  if (!text.substr(colon).starts_with("::")) return false;
  for (const std::string_view library : kTorchLibraries) {
    if (text.starts_with(library) && text.size() > library.size()) return true;
  }
  return false;
}

OpName CopyNamed(std::string_view text) {
  for (const Copy& copy : kCopies) {
    if (BeginsWithAnyCase(text, copy.classic)) return {OpFamily::copy, text, copy.classic};
  }
  return {OpFamily::none, text, {}};
}

OpName RangeNamed(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const size_t colon = std::min(name.find(':'), name.size());
  return {IsTorchOperator(name, colon) ? OpFamily::torch : OpFamily::range, path, name};
}

}  // namespace

OpName ParseOpName(std::string_view text) {
  if (text.starts_with("//")) return RangeNamed(text.substr(2));
  const size_t colon = text.find(':');
  if (colon == text.npos) return CopyNamed(text);
  if (IsTorchOperator(text, colon)) return {OpFamily::torch, text, text};
  const std::string_view name = text.substr(0, colon);
  const std::string_view given = text.substr(colon + 1);
  if (name == "Iterator") return {OpFamily::dataset, text, "Dataset"};
  if (IsTensorFlowType(given) && IsTensorFlowName(name)) return {OpFamily::tensorflow, name, given};
  const std::string_view type = given.empty() ? DerivedType(name) : given;
  const std::string_view jax = JaxType(type);
  if (!jax.empty()) return {OpFamily::jax, name, jax};
  if (given.empty() && !type.empty()) return {OpFamily::tensorflow, name, type};
  return {OpFamily::none, text, {}};
}

OpName OpNameOf(EventClass of, std::string_view text) {
  if (of == EventClass::none || text.starts_with("//")) return ParseOpName(text);
  return of == EventClass::op ? OpName{OpFamily::torch, text, text}
                              : OpName{OpFamily::none, text, {}};
}

std::string_view DerivedType(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('/') + 1);
  const size_t underscore = last.rfind('_');
  if (underscore == last.npos) return last;
  const std::string_view number = last.substr(underscore + 1);
  return !number.empty() && All(number, kDigit) ? last.substr(0, underscore) : last;
}

std::string_view LastIterator(std::string_view dataset_name) {
  const size_t separator = dataset_name.rfind("::");
  return separator == dataset_name.npos ? dataset_name : dataset_name.substr(separator + 2);
}

CopyKind CopyKindOf(std::string_view name) {
  if (!BeginsWithAnyCase(name, "memcpy")) return CopyKind::none;  // most names
  for (const Copy& copy : kCopies) {
    if (BeginsWithAnyCase(name, copy.classic) || BeginsWithAnyCase(name, copy.cupti) ||
        BeginsWithAnyCase(name, copy.spaced)) {
      return copy.kind;
    }
  }
  return CopyKind::none;
}

bool HasDeviceForm(std::string_view lane_name) {
  static const PatternList form({R"(.*/(device:gpu|gpu|device:cpu|cpu):\d+)"});
  return form.Matches(lane_name);
}

}  // namespace tfprof
