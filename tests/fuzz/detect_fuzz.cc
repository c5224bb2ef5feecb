// SPDX-License-Identifier: Apache-2.0
// Any bytes: which format they are is found without reading beyond them.
#include "loaders/open.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/mutate_message.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  const SourceFile file = SourceOf(bytes);
  const std::string padded = std::string(bytes) + std::string(SourceFile::kPadding, '\0');
  const std::string_view same = std::string_view(padded).substr(0, size);
  for (const Loader& loader : Loaders()) {
    const int score = loader.score(file.bytes);
    Require(score >= 0 && score <= 100, "a score out of range");
    Require(score == loader.score(same), "a score that depends on what is behind the bytes");
    (void)CertainOther(loader, file.bytes);
    if (loader.hosts != nullptr) (void)loader.hosts(file.bytes);
    if (loader.recorded != nullptr) (void)loader.recorded(file.bytes);
  }
  const std::vector<Candidate> candidates = Candidates(file.bytes);
  const Result<std::string> format = DetectFormat(file.bytes, "file");
  Require(!format || !candidates.empty(), "a format without a candidate");
  Require(format.has_value() || !format.error().what.empty(), "an error that says nothing");
  Require(!DescribeContent(file.bytes).empty() || size == 0, "content without a description");
  (void)MayBeProfile(file.bytes);
  return 0;
}
