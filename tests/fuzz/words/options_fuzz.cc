// SPDX-License-Identifier: Apache-2.0
// Any text as the value of any option, which the first byte chooses. The option takes what it
// prints, and prints the same again. Lists are printed as the original prints them, which strips
// quotes at the ends of what it reads: a pattern that ends with one changes.
#include "core/query/options.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/typed_words.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateTyped(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  std::string_view bytes = BytesOf(data, size);
  const Option& option = Options()[TakeByte(&bytes) % Options().size()];
  Query query;
  const Result<void> set = option.set(query, bytes);
  if (!set) {
    Require(option.print(query) == option.print({}), "a refused value that was kept");
    return 0;
  }
  const std::string printed = option.print(query);
  Query again;
  const Result<void> taken = option.set(again, printed);
  Require(taken.has_value() || printed == option.print({}),
          std::string(option.name) + " refuses what it prints: " + printed);
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  const bool strips = !printed.empty() && (is_quote(printed.front()) || is_quote(printed.back()));
  if (taken && !strips) Require(option.print(again) == printed, "it prints otherwise: " + printed);
  return 0;
}
