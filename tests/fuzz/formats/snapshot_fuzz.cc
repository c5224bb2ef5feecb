// SPDX-License-Identifier: Apache-2.0
// Any bytes as a pickled snapshot of an allocator, and all that is told of its events.
#include <cstdint>
#include <memory>
#include <string>

#include "core/store/builder.h"
#include "loaders/formats.h"
#include "loaders/io/source.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const auto memory = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  memory->append(SourceFile::kPadding, '\0');
  SourceFile file;
  file.path = "snapshot";
  file.bytes = std::string_view(*memory).substr(0, size);
  file.keep = memory;
  (void)kSnapshotLoader.score(file.bytes);
  StoreBuilder builder;
  Context context;
  if (!kSnapshotLoader.load(file, {}, builder, context)) return 0;
  const auto store = builder.Finish();
  if (!store) return 0;
  constexpr DetailKey kKeys[] = {AttributeKey::allocator, AttributeKey::source,
                                 AttributeKey::source_stack, AttributeKey::bytes_in_use};
  (void)ReadColumns(**store, ProcessId(0), kKeys, context);
  for (uint32_t row = 0; row < (*store)->EventCount(); ++row) {
    (void)DetailsOf(**store, EventId(row));
  }
  return 0;
}
