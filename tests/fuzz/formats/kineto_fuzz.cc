// SPDX-License-Identifier: Apache-2.0
// Any bytes as a Chrome trace, with the arguments of every event.
#include "core/store/details.h"
#include "loaders/formats.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  LoadAny(kKinetoLoader, BytesOf(data, size), {.partial = true});
  const StorePtr store = LoadAny(kKinetoLoader, BytesOf(data, size));
  if (store == nullptr) return 0;
  Context context;
  constexpr DetailKey kKeys[] = {AttributeKey::correlation, AttributeKey::grid,
                                 AttributeKey::launch, AttributeKey::allocator,
                                 AttributeKey::copy_from};
  for (uint32_t i = 0; i < store->processes.size(); ++i) {
    (void)ReadColumns(*store, ProcessId(i), kKeys, context);
  }
  for (uint32_t row = 0; row < store->EventCount(); ++row) (void)DetailsOf(*store, EventId(row));
  return 0;
}
