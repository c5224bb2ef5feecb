// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <string_view>
#include <vector>

#include "analysis/flops/device_peaks.h"
#include "analysis/ops/op_times.h"
#include "core/base/arith.h"

// Work over time, for the tables of operations, with the time of the operations within, whose work
// it includes. Rates are over the time of the runs whose work is known; those that xprof has, which
// scripts compare, over all time and of whatever is told: their names begin with Told.

namespace tfprof {

struct Report;

constexpr double kGibi = 1024.0 * 1024 * 1024;

inline constexpr std::string_view kWaiting = "waiting";

// Flops per byte; where they are known of different runs, by their rates.
template <class Op>
double IntensityOf(const Op& op) {
  if (op.device_flops.ps == op.bytes.ps) return op.device_flops.amount / op.bytes.amount;
  return op.device_flops.PerSecond() / op.bytes.PerSecond();
}

template <class Op>
double ToldPerSecond(const Op& op, const KnownWork& work) {
  return KnownWork{work.amount, op.total_ps}.PerSecond();
}

// Whether no memory moves so much in so little time: then they do not belong together. An
// instruction that starts an asynchronous copy has all its bytes and hardly any time.
bool IsBeyondMemory(const DevicePeaks& peaks, const KnownWork& bytes);

// Whether that is all an operation mostly does.
inline bool Waits(const OpTime& op) { return op.waits; }
inline bool Waits(const FrameworkOp& op) { return op.waiting_ps > op.total_ps / 2; }

// Whether it mostly moves data over links, whose peak is not known.
inline bool IsOverLinks(const OpTime& op) { return op.over_links; }
inline bool IsOverLinks(const FrameworkOp& op) { return op.link_ps > op.total_ps / 2; }

// Whether the runs whose work is known tell a rate: that they did nothing does not, where others
// may have done all.
template <class Op>
bool IsTelling(const Op& op, const KnownWork& work) {
  return work.amount > 0 || work.ps >= op.total_ps;
}

// Flops of the model per second; NaN: not known, or waiting.
template <class Op>
double FlopRate(const Op& op) {
  if (Waits(op) || !IsTelling(op, op.model_flops)) return kNoReal;
  return op.model_flops.PerSecond();
}

// Bytes per second; NaN: not known, beyond memory, or of what was awaited.
template <class Op>
double MemoryRate(const DevicePeaks& peaks, const Op& op) {
  if (Waits(op) || IsBeyondMemory(peaks, op.bytes) || !IsTelling(op, op.bytes)) return kNoReal;
  return op.bytes.PerSecond();
}

template <class Op>
Bound ToldBound(const DevicePeaks& peaks, const Op& op) {
  return BoundOf(peaks, ToldPerSecond(op, op.device_flops), ToldPerSecond(op, op.bytes));
}

// What is nearer to its peak, computing or memory; or kWaiting. Nothing of what moves data over
// links: neither peak is its limit.
template <class Op>
Bound BoundOf(const DevicePeaks& peaks, const Op& op) {
  if (Waits(op)) return {kWaiting};
  if (IsOverLinks(op)) return {};
  if (op.device_flops.some() && !IsTelling(op, op.device_flops)) return {};
  return BoundOf(peaks, op.device_flops.PerSecond(), MemoryRate(peaks, op));
}

// Says why operations have no rate or one of a part of their time, where there are any.
void NoteRates(const DevicePeaks& peaks, const std::vector<OpTime>& ops, Report* report);
void NoteRates(const DevicePeaks& peaks, const std::vector<FrameworkOp>& ops, Report* report);

// The same of flop rates alone, where they are of a part of the time.
void NoteFlopRates(const std::vector<FrameworkOp>& ops, Report* report);

// Of the first device that ran anything: those of one run are alike.
DevicePeaks PeaksOfAny(const Store& store, const std::vector<const ProcessOps*>& devices);

}  // namespace tfprof
