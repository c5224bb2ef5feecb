// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/program.h"
#include "core/store/details.h"
#include "loaders/formats.h"
#include "tests/fuzz/load_bytes.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  LoadBytes(
      kXSpaceLoader, data, size, [](StoreBuilder&) {},
      [](const Store& store) {
        Context context;
        for (size_t i = 0; i < store.processes.size(); ++i) {
          constexpr std::string_view kKeys[] = {"op", "work", "grid", "group", "correlation"};
          (void)ReadColumns(store, ProcessId(i), kKeys, context);
          (void)ReadColumn(store, ProcessId(i), "group", context);
          (void)DetailsOf(store, ProcessId(i));
        }
        for (uint32_t i = 0; i < store.modules.size(); ++i) (void)ReadProgram(store, ModuleId(i));
        for (uint32_t row = 0; row < store.EventCount(); ++row)
          (void)DetailsOf(store, EventId(row));
        for (uint32_t row = 0; row < store.labels.size(); ++row)
          (void)DetailsOf(store, LabelId(row));
      });
  return 0;
}
