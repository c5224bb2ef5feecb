// SPDX-License-Identifier: Apache-2.0
// The variables that make a process load the recorder.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "capture/tool/options.h"

namespace tfprof::capture {

inline constexpr char kCudaInjection[] = "CUDA_INJECTION64_PATH";
inline constexpr char kNvtxInjection[] = "NVTX_INJECTION64_PATH";

// The library, beside this program or where packages have it; empty: it is not installed.
std::string FindRecorder();

// What to set for a capture into options.folder, which must be absolute.
std::vector<std::pair<std::string, std::string>> CaptureVariables(const CaptureOptions& options,
                                                                  const std::string& recorder);

// A sentence that names another tool which holds an injection variable; empty: none does.
std::string OtherInjection(const std::string& recorder);

// `tfprof-capture env`: prints the variables, for Kubernetes, Slurm and systemd.
int RunEnv(const CaptureOptions& options);

}  // namespace tfprof::capture
