// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "loaders/formats.h"

namespace tfprof {

std::span<const Loader> Loaders() {
  static const Loader loaders[] = {
      kGraphDefLoader,   kGraphTextLoader,      kMetaGraphLoader,      kMetaGraphTextLoader,
      kSavedModelLoader, kSavedModelTextLoader, kRunMetadataLoader,    kOpLogLoader,
      kCheckpointLoader, kProfileLoader,        kXSpaceLoader,         kHloLoader,
      kKinetoLoader,     kSnapshotLoader,       kExecutionTraceLoader,
  };
  return loaders;
}

const Loader* FindLoader(std::string_view name) {
  const auto found = std::ranges::find(Loaders(), name, &Loader::name);
  return found == Loaders().end() ? nullptr : &*found;
}

const Loader* LoaderOfFlag(std::string_view flag, bool is_text) {
  const Loader* found = nullptr;
  for (const Loader& loader : Loaders()) {
    if (loader.flag != flag) continue;
    if (found == nullptr || loader.is_text == is_text) found = &loader;
  }
  return found;
}

}  // namespace tfprof
