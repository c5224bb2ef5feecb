// SPDX-License-Identifier: Apache-2.0
// Spools and activity buffers from anywhere: the reader skips what is damaged, and a trace of the
// rest can be made.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "capture/abi/decode.h"
#include "capture/model/definition_reader.h"
#include "capture/model/records_since.h"
#include "capture/spool/reader.h"
#include "capture/writers/trace.h"
#include "capture/writers/xspace.h"

namespace {

using namespace tfprof::capture;

// Records with a valid checksum get past the reader; the fuzzer could not guess one.
std::vector<uint8_t> BlockOf(const uint8_t* data, size_t size) {
  BlockHead head{.bytes = static_cast<uint32_t>(size / 8 * 8), .thread = 5};
  head.checksum = BlockChecksum(head, data);
  std::vector<uint8_t> block(sizeof head + head.bytes);
  std::memcpy(block.data(), &head, sizeof head);
  std::memcpy(block.data() + sizeof head, data, head.bytes);
  return block;
}

// `is_part`: of the second half of the time.
void MakeTrace(const std::vector<uint8_t>& spool, bool is_part) {
  const int file = memfd_create("spool", MFD_CLOEXEC);
  if (write(file, spool.data(), spool.size()) < 0) return;
  SpoolReader reader;
  reader.Open("/proc/self/fd/" + std::to_string(file));
  Definitions definitions;
  DefinitionReader read(&definitions);
  Block block;
  while (reader.Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) { read.Take(block.thread, head); });
  }
  const uint64_t half = (definitions.last_time - definitions.first_time) / 2;
  read.Finish(is_part ? definitions.first_time + half : 0);
  XSpace space("/tmp", is_part ? definitions.kept_from : definitions.first_time);
  TensorflowExport files(definitions, "/tmp", 3);
  Trace trace(definitions, &space, &files);
  const auto take = [&](uint32_t thread, const RecordHead& head) { trace.Take(thread, head); };
  RecordsSince since(definitions, {}, take);
  reader.Rewind();
  while (reader.Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) {
      is_part ? since.Take(block.thread, head) : take(block.thread, head);
    });
  }
  if (is_part) since.Finish();
  trace.Finish();
  const int out = open("/dev/null", O_WRONLY);
  space.Write(out);
  close(out);
  close(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> spool = BlockOf(data, size);
  spool.insert(spool.end(), data, data + size);
  for (const bool is_part : {false, true}) {
    MakeTrace({data, data + size}, is_part);
    MakeTrace(spool, is_part);
  }
  Activity activity;
  DecodeActivity(data, size, &activity);
  return 0;
}
