// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/flops/device_peaks.h"
#include "analysis/ops/op_times.h"
#include "core/base/arith.h"

// Work over time, for the tables of operations. The time includes the operations within, as the
// work does. Rates are over the time of the runs with known work, if that is most of the time.
// xprof's own rates, which scripts compare, are over all time and use all recorded work: their
// names begin with Told.

namespace tfprof {

struct Report;

constexpr double kGibi = 1024.0 * 1024 * 1024;

inline constexpr std::string_view kAsyncBound = "async";

// FLOPs per byte; if they are known for different runs, the quotient of their rates.
template <class Op>
double IntensityOf(const Op& op) {
  if (op.device_flops.ps == op.bytes.ps) return op.device_flops.amount / op.bytes.amount;
  return op.device_flops.PerSecond() / op.bytes.PerSecond();
}

template <class Op>
double RecordedPerSecond(const Op& op, const KnownWork& work) {
  return KnownWork{work.amount, op.total_ps}.PerSecond();
}

// True if no memory moves that many bytes in that time, so that bytes and time do not belong
// together. An instruction that starts an asynchronous copy has all its bytes and hardly any time.
bool IsBeyondMemory(const DevicePeaks& peaks, const KnownWork& bytes);

// True if an operation mostly stalls on async work.
inline bool IsStalled(const OpTime& op) { return op.is_async_done; }
inline bool IsStalled(const FrameworkOp& op) { return op.stalled_ps > op.total_ps / 2; }

// True if an operation mostly moves data over links, whose peak is not known.
inline bool IsOverLinks(const OpTime& op) { return op.over_links; }
inline bool IsOverLinks(const FrameworkOp& op) { return op.link_ps > op.total_ps / 2; }

// True if the runs with known work support a rate: they took at least 90 % of the time.
template <class Op>
bool IsConclusive(const Op& op, const KnownWork& work) {
  return static_cast<double>(work.ps) >= 0.9 * static_cast<double>(op.total_ps);
}

// FLOPs per second; NaN: unknown, or stalled.
template <class Op>
double FlopRate(const Op& op, const KnownWork& flops) {
  return IsStalled(op) || !IsConclusive(op, flops) ? kNoReal : flops.PerSecond();
}
template <class Op>
double ModelFlopRate(const Op& op) {
  return FlopRate(op, op.model_flops);
}

// Bytes per second; NaN: unknown, beyond memory bandwidth, or stalled.
template <class Op>
double MemoryRate(const DevicePeaks& peaks, const Op& op) {
  if (IsStalled(op) || IsBeyondMemory(peaks, op.bytes) || !IsConclusive(op, op.bytes))
    return kNoReal;
  return op.bytes.PerSecond();
}

template <class Op>
Bound RecordedBound(const DevicePeaks& peaks, const Op& op) {
  return BoundOf(peaks, RecordedPerSecond(op, op.device_flops), RecordedPerSecond(op, op.bytes));
}

// Elementwise work is compared with the vector units.
template <class Op>
DevicePeaks PeaksFor(const DevicePeaks& peaks, const Op& op) {
  DevicePeaks of_op = peaks;
  if (!op.may_use_matrix_units) of_op.flops_per_s = peaks.vector_flops_per_s;
  return of_op;
}

// Returns which is nearer to its peak, compute or memory, or kAsyncBound. Empty for operations that
// move data over links: neither peak is their limit.
template <class Op>
Bound BoundOf(const DevicePeaks& peaks, const Op& op) {
  if (IsStalled(op)) return {kAsyncBound};
  if (IsOverLinks(op)) return {};
  if (op.device_flops.some() && !IsConclusive(op, op.device_flops)) return {};
  return BoundOf(PeaksFor(peaks, op), op.device_flops.PerSecond(), MemoryRate(peaks, op));
}

// Adds notes why operations lack a rate, or have one for a part of their time only, if there are
// any.
template <class Op>
void NoteRates(const DevicePeaks& peaks, const std::vector<Op>& ops, Report* report);

// Adds notes on FLOP rates that cover a part of the time.
void NoteFlopRates(const std::vector<FrameworkOp>& ops, Report* report);

// Returns the peaks of the first device that ran anything: devices of one run are alike.
DevicePeaks PeaksOfAny(const Store& store, OpAccounting accounting,
                       const std::vector<const ProcessOps*>& devices);

}  // namespace tfprof
