// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/framework_files.h"

#include <algorithm>

namespace tfprof {
namespace {

// Where Python and its installers put packages, and where Bazel builds put them. Frameworks also
// record their own files by a path that begins at the package.
constexpr std::string_view kPackageFolders[] = {"/site-packages/", "/dist-packages/",
                                                "/lib/python3", "third_party/py/"};
constexpr std::string_view kPackages[] = {"tensorflow/python/",
                                          "tensorflow/lite/python/",
                                          "tensorflow_core/python/",
                                          "keras/src/",
                                          "jax/_src/",
                                          "flax/core/"};
// Packages of Python and of users of PyTorch, whose tracer records all files in that way. Elsewhere
// a folder of such a name is the program's.
constexpr std::string_view kTrimmedPackages[] = {"torch/",
                                                 "torchvision/",
                                                 "torchaudio/",
                                                 "torchdata/",
                                                 "torchmetrics/",
                                                 "torchao/",
                                                 "functorch/",
                                                 "triton/",
                                                 "numpy/",
                                                 "scipy/",
                                                 "pandas/",
                                                 "PIL/",
                                                 "sklearn/",
                                                 "sympy/",
                                                 "networkx/",
                                                 "transformers/",
                                                 "accelerate/",
                                                 "tokenizers/",
                                                 "safetensors/",
                                                 "diffusers/",
                                                 "peft/",
                                                 "timm/",
                                                 "deepspeed/",
                                                 "lightning/",
                                                 "pytorch_lightning/",
                                                 "fsspec/",
                                                 "einops/",
                                                 "tqdm/",
                                                 "huggingface_hub/",
                                                 "asyncio/",
                                                 "collections/",
                                                 "concurrent/",
                                                 "ctypes/",
                                                 "encodings/",
                                                 "importlib/",
                                                 "json/",
                                                 "logging/",
                                                 "multiprocessing/",
                                                 "re/",
                                                 "unittest/",
                                                 "urllib/",
                                                 "xml/"};
constexpr std::string_view kTypedByUsers[] = {"<stdin>", "<ipython"};

}  // namespace

bool IsFrameworkFile(std::string_view path, bool is_trimmed) {
  const auto contains = [&](std::string_view folder) { return path.find(folder) != path.npos; };
  const auto begins = [&](std::string_view text) { return path.starts_with(text); };
  if (begins("<")) return std::ranges::none_of(kTypedByUsers, begins);
  return std::ranges::any_of(kPackageFolders, contains) || std::ranges::any_of(kPackages, begins) ||
         (is_trimmed && std::ranges::any_of(kTrimmedPackages, begins));
}

}  // namespace tfprof
