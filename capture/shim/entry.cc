// SPDX-License-Identifier: Apache-2.0
// The two symbols that the library exports. Programs see nothing of failures: NVTX would be
// switched off for good, and libcuda would report an error.
#include "capture/shim/cupti/activities.h"
#include "capture/shim/nvtx/attach.h"
#include "capture/shim/recorder.h"

// Called by NVTX at the first call of each binary that has a copy of it (NVTX_INJECTION64_PATH).
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    tfprof::capture::nvtx::GetExportTable get_table) {
  if (tfprof::capture::IsRecording()) tfprof::capture::AttachNvtx(get_table);
  return 1;
}

// Called by libcuda in cuInit (CUDA_INJECTION64_PATH).
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  if (tfprof::capture::IsRecording()) tfprof::capture::StartActivities();
  return 1;
}
