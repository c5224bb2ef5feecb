// SPDX-License-Identifier: Apache-2.0
#include "views/tfdata/advice.h"

#include <fmt/format.h>

namespace tfprof {
namespace {

// The user functions that an iterator may spend time in.
enum class Calls : uint8_t { none, those_of_others, its_own, its_own_at_once };

struct Advice {
  std::string_view iterators[12];  // last component of the name; unused ones are empty
  std::string_view text;
  Calls calls = Calls::none;
};

constexpr Advice kAdvice[] = {
    {{"TFRecord", "TextLine", "FixedLengthRecord", "FixedLengthRecordV2", "ArrayRecord", "RecordIO",
      "SSTable", "LMDB", "Csv", "SqlDataset", "CapacitorProto", "Snapshot"},
     "It reads one file at a time and the pipeline waits for storage: read several at once, "
     "interleave(..., num_parallel_calls=tf.data.AUTOTUNE) over the list of files, and keep the "
     "data near the machine; cache() after it where all of it fits into memory."},
    {{"Generator", "FromGenerator", "PyFunc"},
     "Its elements are made by Python, one after the other under the interpreter's lock: let the "
     "generator yield batches, or make the elements with tf.data's own readers and functions."},
    {{"TensorSlice", "FromTensor", "FromTensors", "Range", "SparseTensorSlice"},
     "Its elements are made in memory one by one, so the cost is that of a call per element: "
     "slice what is batched already, or put batch() before what follows."},
    {{"DataService", "DataServiceV2"},
     "It waits for the workers of the tf.data service: profile those, they have the same tables, "
     "or give the service more of them."},
    {{"Reverb", "ReverbDataset", "ReverbTrajectoryDataset", "TimestepDataset", "Courier"},
     "It waits for a server on another machine: profile that server, and ask for several elements "
     "at once."},
    {{"Map"},
     "It calls its function for one element after the other: set num_parallel_calls="
     "tf.data.AUTOTUNE. If the function does not depend on chance and its results fit into "
     "memory, put cache() behind it; if it works on many elements as well as on one, batch() "
     "before it.",
     Calls::its_own},
    {{"Interleave", "FlatMap"},
     "It reads its inputs one after the other: use interleave with num_parallel_calls="
     "tf.data.AUTOTUNE, which reads several at once.",
     Calls::its_own},
    {{"ParallelMap", "ParallelMapV2", "MapAndBatch", "ParallelInterleave", "ParallelInterleaveV4",
      "ParseExample", "ParallelBatch", "LegacyParallelInterleave"},
     "It works on several elements at once already and is still late: its function costs more "
     "than the host has cores for. Make the function cheaper (batch() before it, less decoding), "
     "raise a fixed num_parallel_calls, or move work to tf.data service.",
     Calls::its_own_at_once},
    {{"Filter", "Batch", "BatchV2", "PaddedBatch", "PaddedBatchV2", "Unbatch", "Window",
      "GroupByWindow", "Scan", "DenseToSparseBatch", "Rebatch"},
     "It works in sequence and has no parallel form (batch has: num_parallel_calls): run several "
     "copies of the pipeline over shards of the input, shard() and interleave(), or put cache() "
     "behind it where its elements fit into memory.",
     Calls::its_own},
    {{"Shuffle", "ShuffleV3", "ShuffleAndRepeat"},
     "It fills its buffer before it gives the first element: if only early calls are slow, that "
     "is all; else a smaller buffer_size, or shuffling file names instead of elements, costs "
     "less."},
    {{"Prefetch"},
     "Its buffer is empty when it is asked, so what comes before it is slower than the program "
     "takes elements: the table `iterators` shows which of its inputs has the largest self time. "
     "A larger buffer only helps where the times vary.",
     Calls::those_of_others},
    {{"Cache", "CacheV2", "MemoryCache", "FileCache"},
     "It is filled for the first time, or reads from a file: only the first epoch should be slow. "
     "Else keep it in memory, cache() without a file name."},
};

constexpr Advice kOfOthers = {
    {},
    "Look at the table `iterators`: what has the largest self time there is where time goes. "
    "prefetch(tf.data.AUTOTUNE) at the end of the pipeline lets it work while the program "
    "computes.",
    Calls::those_of_others};

// TensorFlow fuses a map() and a following batch() into one iterator, which is parallel by name.
constexpr std::string_view kOneAtATime =
    "It works on one element at a time: num_parallel_calls is 1, also where a map() without it was "
    "joined with the batch() behind it. Set num_parallel_calls=tf.data.AUTOTUNE; if the function "
    "works on many elements as well as on one, batch() before it.";

constexpr std::string_view kPython =
    "What Python computes runs one at a time under the interpreter's lock: make the elements with "
    "TensorFlow's operations or tf.data's own readers, many of them in one call of the function "
    "(batch() before it), or in several processes (tf.data service, or shard() and one program "
    "each).";

constexpr std::string_view kHelpsWaiting =
    "num_parallel_calls helps only as far as the function waits without the interpreter's lock "
    "(files, network, sleep).";

const Advice& Find(std::string_view iterator) {
  for (const Advice& advice : kAdvice) {
    for (const std::string_view known : advice.iterators) {
      if (!known.empty() && known == iterator) return advice;
    }
  }
  return kOfOthers;
}

// Returns what num_parallel_calls can do for runs of Python, given these facts.
std::string OfParallelCalls(const Advice& advice, const IteratorFacts& facts) {
  if (!facts.NeverOverlap()) {
    return fmt::format("Waiting for the interpreter's lock is part of a run. {}", kHelpsWaiting);
  }
  if (facts.parallelism > 1) {
    return fmt::format(
        "It may work on {} elements at once and they never overlap: raising "
        "num_parallel_calls does not help.",
        facts.parallelism);
  }
  const bool by_name = advice.calls == Calls::its_own_at_once;
  if (by_name && facts.parallelism == kNoInt) {
    return fmt::format(
        "They never overlap: if num_parallel_calls is more than 1, raising it does "
        "not help. Else {}",
        kHelpsWaiting);
  }
  return fmt::format("It works on one element at a time{}. {}",
                     facts.parallelism == 1 ? " (parallelism 1)" : "", kHelpsWaiting);
}

}  // namespace

std::string AdviceFor(std::string_view iterator, const IteratorFacts& facts) {
  const Advice& advice = Find(iterator);
  const bool is_python = facts.IsPython();
  if (is_python && advice.calls == Calls::those_of_others) {
    return fmt::format("{} {}", advice.text, kPython);
  }
  if (is_python && advice.calls != Calls::none) {
    return fmt::format("{} {}", OfParallelCalls(advice, facts), kPython);
  }
  const bool one = advice.calls == Calls::its_own_at_once && facts.parallelism == 1;
  return std::string(one ? kOneAtATime : advice.text);
}

}  // namespace tfprof
