// SPDX-License-Identifier: Apache-2.0
#include "loaders/detect/detect.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/base/sorting.h"
#include "loaders/detect/shape.h"
#include "loaders/open.h"

namespace tfprof {
namespace {

// Below this score, a format without telling fields has too many odd fields.
constexpr int kTooWeak = 36;
// The best score must exceed the second by this much.
constexpr int kClear = 15;

struct Signature {
  std::string_view begin;
  std::string_view what;
};

constexpr Signature kSignatures[] = {
    {"\177ELF", "an ELF program or library"},
    {"\x89PNG", "a PNG image"},
    {"\xFF\xD8\xFF", "a JPEG image"},
    {"GIF8", "a GIF image"},
    {"%PDF", "a PDF document"},
    {"PK\x03\x04", "a zip archive"},
    {"\x28\xB5\x2F\xFD", "zstd-compressed data"},
    {"BZh", "bzip2-compressed data"},
    {"\3757zXZ", "xz-compressed data"},
    {"\x89HDF", "an HDF5 file"},
    {"SQLite format 3", "an SQLite database"},
    {"\x80\x02", "a python pickle"},
    {"\x80\x03", "a python pickle"},
    {"\x80\x04", "a python pickle"},
    {"\x80\x05", "a python pickle"},
    {"<!", "an HTML or XML text"},
    {"<html", "an HTML text"},
    {"<?xml", "an XML text"},
    {"#!", "a script"},
};

std::string_view FirstNonSpace(std::string_view text) {
  const size_t at = text.find_first_not_of(" \t\r\n");
  return at == text.npos ? std::string_view() : text.substr(at, 1);
}

// Returns true if the beginning of a JSON text names the parts of a Chrome trace.
bool IsChromeTrace(std::string_view bytes) {
  constexpr size_t kLookedAt = size_t{1} << 16;
  const std::string_view beginning = bytes.substr(0, kLookedAt);
  return beginning.find("\"traceEvents\"") != beginning.npos ||
         beginning.find("\"ph\":") != beginning.npos;
}

// Empty: neither text nor the signature of another format.
std::string_view KnownContent(std::string_view bytes) {
  for (const Signature& signature : kSignatures) {
    if (bytes.starts_with(signature.begin)) return signature.what;
  }
  if (!LooksLikeTextFile(bytes)) return {};
  const std::string_view first = FirstNonSpace(bytes);
  if (first.empty()) return "white space";
  if (first != "{" && first != "[") return "a text";
  return IsChromeTrace(bytes) ? "a Chrome trace without readable entries" : "a JSON text";
}

// Text, or bytes with the signature of another format, parse only by chance.
bool ParsesByChance(const std::vector<Candidate>& candidates, std::string_view bytes) {
  return candidates.empty() || (candidates[0].score <= kWeakScore && !KnownContent(bytes).empty());
}

Failure Ambiguous(const std::vector<Candidate>& candidates, const std::string& path) {
  std::vector<std::string_view> near;
  for (const Candidate& candidate : candidates) {
    if (candidate.score + kClear <= candidates[0].score) break;
    near.push_back(candidate.loader->name);
  }
  const std::string names = fmt::format("{}", fmt::join(near, ", "));
  return Fail(ErrorKind::corrupt, "ambiguous format: " + names, path, Remedy::choose_format, names);
}

}  // namespace

std::vector<Candidate> Candidates(std::string_view bytes) {
  std::vector<Candidate> candidates;
  for (const Loader& loader : Loaders()) {
    const int score = loader.score(bytes);
    if (score > 0) candidates.push_back({&loader, score});
  }
  StableSort(candidates, std::greater(), &Candidate::score);
  return candidates;
}

std::string_view DescribeContent(std::string_view bytes) {
  const std::string_view known = KnownContent(bytes);
  return known.empty() ? "unknown binary data" : known;
}

const Loader* CertainOther(const Loader& loader, std::string_view bytes) {
  constexpr int kSureScore = 70;
  if (loader.score(bytes) > kWeakScore) return nullptr;
  const std::vector<Candidate> candidates = Candidates(bytes);
  if (candidates.empty() || candidates[0].score < kSureScore) return nullptr;
  return candidates[0].loader;
}

bool LooksLikeTextFile(std::string_view bytes) {
  constexpr size_t kLookAt = 4096;
  return std::ranges::all_of(bytes.substr(0, kLookAt), [](char c) {
    const bool space = c >= '\t' && c <= '\r';
    return space || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
  });
}

bool MayBeProfile(std::string_view beginning) {
  return !ParsesByChance(Candidates(beginning), beginning);
}

Failure NotAProfile(std::string_view beginning, const std::string& path) {
  return Fail(ErrorKind::corrupt,
              fmt::format("unrecognized format: looks like {}", DescribeContent(beginning)), path,
              "`help formats` lists the supported formats");
}

Result<std::string> DetectFormat(std::string_view bytes, const std::string& path) {
  if (bytes.empty()) return Fail(ErrorKind::corrupt, "the file is empty", path);
  const std::vector<Candidate> candidates = Candidates(bytes);
  if (ParsesByChance(candidates, bytes)) return NotAProfile(bytes, path);
  const int second = candidates.size() > 1 ? candidates[1].score : 0;
  if (candidates[0].score < kTooWeak || candidates[0].score - second < kClear) {
    return Ambiguous(candidates, path);
  }
  return std::string(candidates[0].loader->name);
}

}  // namespace tfprof
