// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile, of which some views are asked with some options: whatever was read, there
// is an answer. Which ones depends on all bytes.
#include "tests/fuzz/asking.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

constexpr uint32_t kViewsAsked = 6;

// What follows the name of a view, and its word.
constexpr std::string_view kOptions[] = {
    "",
    " -format json -n -1",
    " -format json -ids original",
    " -format csv -n 3",
    " -format md -step 0",
    " -step 0:3",
    " -device gpu -n 2",
    " -host a -format tsv",
    " -fold false",
    " -order_by name -n 5",
    " -focus a -ignore conv",
    " -under a -format jsonl",
    " -max_depth 100 -select micros,bytes,params,float_ops,occurrence -format json",
    " -select bytes,device,op_types,input_shapes,tensor_value -max_depth 5",
    " -min_micros 1 -account_type_regexes .*Mat.* -order_by micros",
    " -trim_name_regexes .*a.* -hide_name_regexes .*b.* -format dot",
    " -format classic",
    " -columns name,time_us -where 'time_us > 1'",
};

std::string WordOf(const View& view) {
  const bool takes_name = view.subject == Subject::name || view.subject == Subject::text;
  return takes_name ? " a" : "";
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string_view bytes = BytesOf(data, size);
  const StorePtr store = LoadLikeliest(bytes);
  if (store == nullptr) return 0;
  Asker asker(store);
  asker.io.columns = asker.io.rows = 24 + ChoiceOf(bytes) % 100;
  const uint32_t choice = ChoiceOf(bytes);
  for (uint32_t i = 0; i < kViewsAsked; ++i) {
    const View& view = Views()[(choice / 7 + i * 5) % Views().size()];
    const std::string_view options = kOptions[(choice + i) % std::size(kOptions)];
    asker.Ask(std::string(view.name) + WordOf(view) + std::string(options));
    if (asker.status == 2) asker.Ask(std::string(view.name) + WordOf(view));  // it lacks an option
  }
  return 0;
}
