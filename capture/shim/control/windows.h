// SPDX-License-Identifier: Apache-2.0
// When records are taken. Time is divided into windows and pauses; what begins and ends windows are
// the options of the launcher and the commands of `tfprof-capture ctl`.
//
// In a pause nothing of CUPTI is disabled, because that can hang: threads append no records, and
// the writer skips the device work of the pause. A thread still knows which ranges it is in
// (shim/nvtx/ranges.h): it writes them when it records something in a new window.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "capture/shim/config.h"

namespace tfprof::capture {

class SpoolFile;
struct NameEntry;

// The number of the latest window, and whether it is open.
struct Gate {
  std::atomic<uint32_t> state{0};  // number << 1 | is open
  std::atomic<uint64_t> start{0};  // ns, of the latest window
};
extern Gate g_gate;
inline uint32_t GateState() { return g_gate.state.load(std::memory_order_acquire); }
constexpr bool IsOpen(uint32_t gate_state) { return (gate_state & 1) != 0; }
constexpr uint32_t WindowOf(uint32_t gate_state) { return gate_state >> 1; }

// What a name means for windows; it is found out once per name.
enum NameRole : uint8_t { kNoRole = 0, kStepRole = 1, kCaptureRole = 2 };
struct NameMeaning {
  uint8_t roles = kNoRole;
  bool has_number = false;
  int64_t number = 0;  // of the step
};
NameMeaning MeaningOf(std::string_view name);

// ---- the recorder's start and end
// Begins the first window unless a condition does not hold yet.
void StartControl();
// Ends the last window.
void FinishControl();
void ForgetControl();

// ---- what threads of the program tell
// A range that is a step, outside of other steps of its thread. Returns its number.
int64_t BeginStep(const NameMeaning& meaning);
void EndStep(int64_t number);
// A range of the name that --capture-range gives.
void BeginCaptureRange();
void EndCaptureRange();
// cudaProfilerStart and Stop.
void SwitchByProgram(bool is_on);

// ---- what the writer asks
// Looks at the time and at the commands of `ctl`, once in a round.
struct Polled {
  uint64_t next_ns = 0;  // when to look again at the latest; UINT64_MAX: at the next round
  bool has_command = false;
};
Polled PollControl();
void WriteWindows(SpoolFile* spool);
// Begins a new window where the present one ends; returns false in a pause.
bool BeginSegment();

struct ControlStatus {
  bool is_open = false;
  uint32_t windows = 0;
  uint32_t command = 0;
};
ControlStatus StatusOfControl();

// Whether any time up to now was not recorded.
bool HasPaused();
// Whether an instant is in a window, as far as the last ones are remembered; else true.
bool IsInWindow(uint64_t time);

}  // namespace tfprof::capture
