// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/control/windows.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "capture/shim/recorder.h"
#include "capture/shim/spool_file.h"
#include "capture/shim/writer.h"
#include "capture/spool/control_file.h"
#include "capture/spool/format.h"
#include "capture/spool/step_names.h"

namespace tfprof::capture {

Gate g_gate;

namespace {

// Windows that the writer has not written yet, and those that IsInWindow knows.
constexpr uint32_t kRemembered = 1024;

enum class Forced : int { none, on, off };

struct Window {
  WindowRecord record;
  bool is_written = true;
};

// The lock guards plain memory only: nothing is called that could wait for anything else.
struct Control {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Forced forced = Forced::none;
  bool is_time = true;
  bool is_step = false;  // a step that is wanted is open, or the next one is wanted, too
  bool is_program_on = false;
  uint32_t open_steps = 0;  // that are wanted
  uint32_t open_ranges = 0;
  int64_t next_ordinal = 0;  // of steps without a number
  int64_t step = -1;         // the last one that began
  uint64_t started = 0;      // ns, monotonic
  bool has_paused = false;
  bool has_windows = false;     // else there is one, and nothing says so: all is recorded
  Window windows[kRemembered];  // by number
  uint32_t written = 0;         // all windows up to this one have ended and are written
  uint32_t command = 0;         // number of the last one that was obeyed
  bool has_order = false;       // a command whose time has not come
  ControlCommand order;
};
Control g_control;
StepPattern g_pattern;

// The command file that was read last; the writer's.
struct CommandFile {
  timespec time = {};
  ino_t inode = 0;
};
CommandFile g_command_file;

class Hold {
 public:
  Hold() { pthread_mutex_lock(&g_control.lock); }
  Hold(const Hold&) = delete;
  Hold& operator=(const Hold&) = delete;
  ~Hold() { pthread_mutex_unlock(&g_control.lock); }
};

bool HasCaptureRange() { return g_recorder.config.capture_range[0] != '\0'; }

bool IsWanted() {
  const Config& config = g_recorder.config;
  if (g_control.forced != Forced::none) return g_control.forced == Forced::on;
  if (!g_control.is_time) return false;
  if (config.has_steps && !g_control.is_step) return false;
  if (config.capture_range_cuda && !g_control.is_program_on) return false;
  return !HasCaptureRange() || g_control.open_ranges > 0;
}

Window& At(uint32_t number) { return g_control.windows[number % kRemembered]; }

void Open(WindowCause cause) {
  const uint32_t number = WindowOf(GateState()) + 1;
  if (number - g_control.written >= kRemembered) return;  // the writer cannot follow
  const uint64_t now = WallTime();
  Window& window = At(number);
  window.record = {.start = now, .cause = cause};
  window.record.head.id = number;
  if (cause == WindowCause::steps) window.record.step = g_control.step;
  window.is_written = !g_control.has_windows;
  g_gate.start.store(now, std::memory_order_relaxed);
  g_gate.state.store(number << 1 | 1, std::memory_order_release);
}

void Close() {
  const uint32_t number = WindowOf(GateState());
  g_gate.state.store(number << 1, std::memory_order_release);
  g_control.has_paused = g_control.has_windows = true;
  Window& window = At(number);
  window.record.end = WallTime();
  window.is_written = false;
}

// With the lock held, after something changed.
void Decide(WindowCause cause) {
  const bool is_wanted = IsWanted();
  if (is_wanted == IsOpen(GateState())) return;
  is_wanted ? Open(cause) : Close();
}

bool IsWantedStep(int64_t number) {
  const Config& config = g_recorder.config;
  return number >= config.first_step && number <= config.last_step &&
         (number - config.first_step) % config.every == 0;
}

bool IsTime(uint64_t since_start) {
  const Config& config = g_recorder.config;
  return since_start >= config.delay_ns &&
         (config.duration_ns == 0 || since_start - config.delay_ns < config.duration_ns);
}

// Returns false if there is no new command.
bool ReadCommand(ControlCommand* command) {
  char path[PATH_MAX + sizeof kControlFile + 1];
  std::snprintf(path, sizeof path, "%s/%s", g_recorder.config.folder, kControlFile);
  struct stat status = {};
  if (stat(path, &status) != 0) return false;
  const timespec& time = status.st_mtim;
  if (status.st_ino == g_command_file.inode && time.tv_sec == g_command_file.time.tv_sec &&
      time.tv_nsec == g_command_file.time.tv_nsec) {
    return false;
  }
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file < 0) return false;
  char text[64] = {};
  const ssize_t length = read(file, text, sizeof text - 1);
  close(file);
  if (length <= 0 || !ParseCommand(text, command)) return false;
  g_command_file = {time, status.st_ino};
  return true;
}

// With the lock held: returns true if the order is obeyed now.
bool Obey() {
  if (!g_control.has_order || g_control.order.time > WallTime()) return false;
  g_control.has_order = false;
  g_control.command = g_control.order.number;
  if (g_control.order.state == ControlState::start) g_control.forced = Forced::on;
  if (g_control.order.state == ControlState::stop) g_control.forced = Forced::off;
  return true;
}

}  // namespace

NameMeaning MeaningOf(std::string_view name) {
  const Config& config = g_recorder.config;
  NameMeaning meaning;
  if (config.has_steps) {
    const auto number = StepNumber(name);
    meaning.has_number = number.has_value();
    meaning.number = number.value_or(0);
    const bool is_step =
        g_pattern.is_set() ? g_pattern.Matches(SplitName(name).base) : number.has_value();
    if (is_step) meaning.roles |= kStepRole;
  }
  if (HasCaptureRange() && name == config.capture_range) meaning.roles |= kCaptureRole;
  return meaning;
}

void StartControl() {
  const Config& config = g_recorder.config;
  if (config.step_range[0] != '\0' && !g_pattern.is_set()) g_pattern.Compile(config.step_range);
  ControlCommand command;
  const bool has_command = ReadCommand(&command);
  const Hold hold;
  g_control.started = MonotonicTime();
  g_control.is_time = config.delay_ns == 0;
  if (config.starts_paused) g_control.forced = Forced::off;
  g_control.has_order = has_command;
  g_control.order = command;
  Obey();
  g_control.has_paused = !IsWanted();
  g_control.has_windows = g_control.has_paused || config.duration_ns != 0 || HasRing(config);
  Decide(config.duration_ns != 0 ? WindowCause::time : WindowCause::start);
}

void FinishControl() {
  constexpr uint64_t kLongestWait = 100'000'000;
  if (!LockInTime(&g_control.lock, kLongestWait)) return;
  if (IsOpen(GateState()) && g_control.has_windows) {
    Window& window = At(WindowOf(GateState()));
    window.record.end = WallTime();
    window.is_written = false;
  }
  pthread_mutex_unlock(&g_control.lock);
}

void ForgetControl() {
  new (&g_control) Control;
  g_command_file = {};
  g_gate.state.store(0);
}

int64_t BeginStep(const NameMeaning& meaning) {
  const Hold hold;
  const int64_t number = meaning.has_number ? meaning.number : g_control.next_ordinal;
  ++g_control.next_ordinal;
  g_control.step = number;
  if (IsWantedStep(number)) ++g_control.open_steps;
  g_control.is_step = g_control.open_steps > 0;
  Decide(WindowCause::steps);
  return number;
}

// What is between two wanted steps belongs to the window.
void EndStep(int64_t number) {
  const Hold hold;
  if (IsWantedStep(number) && g_control.open_steps > 0) --g_control.open_steps;
  g_control.is_step =
      g_control.open_steps > 0 || (IsWantedStep(number) && IsWantedStep(number + 1));
  Decide(WindowCause::steps);
}

void BeginCaptureRange() {
  const Hold hold;
  ++g_control.open_ranges;
  Decide(WindowCause::range);
}

void EndCaptureRange() {
  const Hold hold;
  if (g_control.open_ranges > 0) --g_control.open_ranges;
  Decide(WindowCause::range);
}

void SwitchByProgram(bool is_on) {
  const Hold hold;
  g_control.is_program_on = is_on;
  Decide(WindowCause::program);
}

Polled PollControl() {
  const Config& config = g_recorder.config;
  Polled polled{.next_ns = UINT64_MAX};
  ControlCommand command;
  const bool is_new = ReadCommand(&command);
  const Hold hold;
  if (is_new) {
    g_control.has_order = true;
    g_control.order = command;
  }
  polled.has_command = Obey();
  if (polled.has_command) Decide(WindowCause::control);
  if (g_control.has_order) {
    const uint64_t now = WallTime();
    polled.next_ns = g_control.order.time - std::min(now, g_control.order.time);
  }
  const uint64_t since_start = MonotonicTime() - g_control.started;
  const bool was_time = g_control.is_time;
  g_control.is_time = IsTime(since_start);
  if (g_control.is_time != was_time) Decide(WindowCause::time);
  for (const uint64_t due : {config.delay_ns, config.delay_ns + config.duration_ns}) {
    if (due > since_start) polled.next_ns = std::min(polled.next_ns, due - since_start);
  }
  return polled;
}

void WriteWindows(SpoolFile* spool) {
  const uint32_t latest = WindowOf(GateState());
  for (uint32_t number = std::max(g_control.written, 1U); number <= latest; ++number) {
    WindowRecord record;
    {
      const Hold hold;
      Window& window = At(number);
      if (window.is_written) continue;
      window.is_written = true;
      record = window.record;
      // The latest one is looked at again until it has ended.
      g_control.written = record.end != 0 ? number : number - 1;
    }
    spool->Add(0, record);
  }
}

bool BeginSegment() {
  const Hold hold;
  const uint32_t before = GateState();
  if (!IsOpen(before)) return false;
  Open(WindowCause::ring);
  if (GateState() == before) return false;
  Window& ended = At(WindowOf(before));
  ended.record.end = g_gate.start.load();
  ended.is_written = false;
  return true;
}

ControlStatus StatusOfControl() {
  const Hold hold;
  return {IsOpen(GateState()), WindowOf(GateState()), g_control.command};
}

bool HasPaused() {
  const Hold hold;
  return g_control.has_paused;
}

bool IsInWindow(uint64_t time) {
  const Hold hold;
  const uint32_t latest = WindowOf(GateState());
  for (uint32_t number = latest; number > 0 && latest - number < kRemembered; --number) {
    const WindowRecord& window = At(number).record;
    if (time >= window.start) return window.end == 0 || time < window.end;
  }
  return latest >= kRemembered;
}

}  // namespace tfprof::capture
