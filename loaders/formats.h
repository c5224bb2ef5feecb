// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "loaders/loader.h"

// One constant per input format, defined in the file of the format. registry.cc lists them.
namespace tfprof {

extern const Loader kGraphDefLoader;
extern const Loader kGraphTextLoader;
extern const Loader kMetaGraphLoader;
extern const Loader kMetaGraphTextLoader;
extern const Loader kSavedModelLoader;
extern const Loader kSavedModelTextLoader;
extern const Loader kCheckpointLoader;
extern const Loader kRunMetadataLoader;
extern const Loader kProfileLoader;
extern const Loader kOpLogLoader;
extern const Loader kXSpaceLoader;
extern const Loader kHloLoader;
extern const Loader kKinetoLoader;
extern const Loader kSnapshotLoader;
extern const Loader kExecutionTraceLoader;

}  // namespace tfprof
