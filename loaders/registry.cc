// SPDX-License-Identifier: Apache-2.0
#include "loaders/formats.h"

namespace tfprof {

std::span<const Loader> Loaders() {
  static const Loader loaders[] = {
      kGraphDefLoader,   kGraphTextLoader,      kMetaGraphLoader,   kMetaGraphTextLoader,
      kSavedModelLoader, kSavedModelTextLoader, kRunMetadataLoader, kOpLogLoader,
      kCheckpointLoader, kProfileLoader,        kXSpaceLoader,
  };
  return loaders;
}

const Loader* FindLoader(std::string_view name) {
  for (const Loader& loader : Loaders()) {
    if (loader.name == name) return &loader;
  }
  return nullptr;
}

}  // namespace tfprof
