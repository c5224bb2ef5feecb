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
     "It reads one file at a time, and the pipeline waits for storage. Read several files at once: "
     "interleave(..., num_parallel_calls=tf.data.AUTOTUNE). Keep the data close to the host. Add "
     "cache() after it if everything fits into memory."},
    {{"Generator", "FromGenerator", "PyFunc"},
     "Python produces its elements one at a time under the GIL. Let the generator yield batches, "
     "or produce the elements with tf.data readers and functions."},
    {{"TensorSlice", "FromTensor", "FromTensors", "Range", "SparseTensorSlice"},
     "It produces elements one by one from memory, so each element costs a call. Slice batched "
     "data, or put batch() before the next stage."},
    {{"DataService", "DataServiceV2"},
     "It waits for workers of the tf.data service. Profile the workers, or add more."},
    {{"Reverb", "ReverbDataset", "ReverbTrajectoryDataset", "TimestepDataset", "Courier"},
     "It waits for a server on another host. Profile that server, and request several elements at "
     "once."},
    {{"Map"},
     "It calls its function for one element at a time. Set num_parallel_calls=tf.data.AUTOTUNE. If "
     "the function is deterministic and its results fit into memory, add cache() after it; if it "
     "can process batches, put batch() before it.",
     Calls::its_own},
    {{"Interleave", "FlatMap"},
     "It reads its inputs one after the other. Use interleave with "
     "num_parallel_calls=tf.data.AUTOTUNE, which reads several at once.",
     Calls::its_own},
    {{"ParallelMap", "ParallelMapV2", "MapAndBatch", "ParallelInterleave", "ParallelInterleaveV4",
      "ParseExample", "ParallelBatch", "LegacyParallelInterleave"},
     "It already processes several elements at once and is still late: its function needs more "
     "cores than the host has. Make the function cheaper (batch() before it, less decoding), raise "
     "a fixed num_parallel_calls, or move work to the tf.data service.",
     Calls::its_own_at_once},
    {{"Filter", "Batch", "BatchV2", "PaddedBatch", "PaddedBatchV2", "Unbatch", "Window",
      "GroupByWindow", "Scan", "DenseToSparseBatch", "Rebatch"},
     "It is sequential and has no parallel form (batch has num_parallel_calls). Run several copies "
     "of the pipeline over shards of the input with shard() and interleave(), or add cache() after "
     "it if its elements fit into memory.",
     Calls::its_own},
    {{"Shuffle", "ShuffleV3", "ShuffleAndRepeat"},
     "It fills its buffer before it returns the first element. If only early calls are slow, "
     "ignore this; otherwise use a smaller buffer_size, or shuffle file names instead of "
     "elements."},
    {{"Prefetch"},
     "Its buffer is empty when it is called, so its inputs are slower than the program. The table "
     "`iterators` shows which of them has the longest self time. A larger buffer only helps if "
     "times vary.",
     Calls::those_of_others},
    {{"Cache", "CacheV2", "MemoryCache", "FileCache"},
     "It is being filled, or reads from a file: only the first epoch should be slow. Otherwise "
     "keep it in memory: cache() without a file name."},
};

constexpr Advice kOfOthers = {{},
                              "The table `iterators` shows which iterator has the longest self "
                              "time. prefetch(tf.data.AUTOTUNE) at the end of the pipeline lets it "
                              "work while the program computes.",
                              Calls::those_of_others};

// TensorFlow fuses a map() and a following batch() into one iterator, which is parallel by name.
constexpr std::string_view kOneAtATime =
    "It processes one element at a time: num_parallel_calls is 1, also if a map() without it was "
    "fused with the following batch(). Set num_parallel_calls=tf.data.AUTOTUNE; if the function "
    "can process batches, put batch() before it.";

constexpr std::string_view kPython =
    "Python computes one thing at a time under the GIL. Produce the elements with TensorFlow "
    "operations or tf.data readers, process many per call (batch() before it), or use several "
    "processes (tf.data service, or shard() with one program each).";

constexpr std::string_view kHelpsWaiting =
    "num_parallel_calls only helps while the function waits without the GIL (files, network, "
    "sleep).";

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
    return fmt::format("A run includes waiting for the GIL. {}", kHelpsWaiting);
  }
  if (facts.parallelism > 1) {
    return fmt::format(
        "It may process {} elements at once, and they never overlap: raising num_parallel_calls "
        "does not help.",
        facts.parallelism);
  }
  const bool by_name = advice.calls == Calls::its_own_at_once;
  if (by_name && facts.parallelism == kNoInt) {
    return fmt::format(
        "They never overlap: if num_parallel_calls is more than 1, raising it does not help. "
        "Otherwise, {}",
        kHelpsWaiting);
  }
  return fmt::format("It processes one element at a time{}. {}",
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
