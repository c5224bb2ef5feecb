// SPDX-License-Identifier: Apache-2.0
//
// Gives the original tfprof, driven from Python, the checkpoint that only its command line could
// open. Preloaded into Python, it stands in front of the constructor of the original's statistics
// and passes on, in place of the empty last argument, a reader of $TFPROF_CHECKPOINT.
//
// Only pointers cross: the four arguments are std::unique_ptr, which the Itanium C++ ABI passes as
// addresses of the holders, so no TensorFlow header is needed.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>

// TFStats::TFStats(graph, run_meta, op_log, checkpoint_reader), all unique_ptr.
#define STATS_CONSTRUCTOR                                                                   \
  "_ZN10tensorflow6tfprof7TFStatsC1ESt10unique_ptrINS_8GraphDefESt14default_deleteIS3_EES2" \
  "_INS_11RunMetadataES4_IS7_EES2_INS0_10OpLogProtoES4_ISA_EES2_INS_10checkpoint16"         \
  "CheckpointReaderES4_ISE_EE"

namespace {

// CheckpointReader::CheckpointReader(const std::string& prefix, TSL_Status* status).
constexpr char kReaderConstructor[] =
    "_ZN10tensorflow10checkpoint16CheckpointReaderC1ERKNSt7__cxx1112basic_stringIcSt11char_"
    "traitsIcESaIcEEEP10TSL_Status";

// More than the reader of any version needs; it lives until the process ends.
constexpr std::size_t kReaderBytes = 4096;

[[noreturn]] void Fail(const char* problem, const char* what) {
  std::fprintf(stderr, "open_checkpoint: %s: %s\n", problem, what);
  std::exit(1);
}

// The address of `symbol`, as a `Function` pointer. Python opens TensorFlow's libraries without
// making their names global, hence the search in those that are already loaded.
template <typename Function>
Function* Find(const char* symbol) {
  for (const char* name : {"libtensorflow_cc.so.2", "libtensorflow_framework.so.2"}) {
    void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD);
    void* found = library ? dlsym(library, symbol) : nullptr;
    if (found) return reinterpret_cast<Function*>(found);
  }
  Fail("not in this TensorFlow", symbol);
}

void* OpenReader(const char* prefix) {
  void* status = Find<void*()>("TSL_NewStatus")();
  void* reader = ::operator new(kReaderBytes);
  Find<void(void*, const std::string&, void*)>(kReaderConstructor)(reader, prefix, status);
  if (Find<int(void*)>("TSL_GetCode")(status) != 0) Fail("cannot open the checkpoint", prefix);
  return reader;
}

}  // namespace

using StatsConstructor = void(void* self, void** graph, void** run_meta, void** op_log,
                              void** reader);
extern "C" StatsConstructor NewStats __asm__(STATS_CONSTRUCTOR);

void NewStats(void* self, void** graph, void** run_meta, void** op_log, void** reader) {
  if (const char* prefix = std::getenv("TFPROF_CHECKPOINT")) *reader = OpenReader(prefix);
  Find<StatsConstructor>(STATS_CONSTRUCTOR)(self, graph, run_meta, op_log, reader);
}
