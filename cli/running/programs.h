// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

// Other programs that we run: the recorder, the client of profiler servers, tools of others.

namespace tfprof {

// The exit status of a program that a signal ended is this plus the signal.
constexpr int kSignaled = 128;

// Returns the path of a program of ours: the one beside this program, else the one in
// ../libexec/tfprof, else its name, for PATH.
std::string OurProgram(std::string_view name);

// Returns true if a program, given by a path or by a name in PATH, can be run.
bool HasProgram(const std::string& program);

// Starts a program in a group of its own: Ctrl-C ends us, but leaves no half-written file.
// `streams`: its input and output; below 0: it has none. Returns the child; below 0: it cannot be
// run.
pid_t StartQuietly(std::vector<std::string> words, int streams);

// Waits for a child. Returns its exit status, or that of the signal that ended it.
int StatusOf(pid_t child);

// Runs a program likewise, without input and output. False: it cannot be run, or failed.
bool RunQuietly(std::vector<std::string> words);

// Runs a program that has our terminal and Ctrl-C, and waits for it. Returns its exit status, or
// that of the signal that ended it. If `output` is not null, its standard output is returned
// there, else it is ours. Error: unreadable, it cannot be run.
Result<int> RunInTerminal(std::vector<std::string> words, std::string* output);

}  // namespace tfprof
