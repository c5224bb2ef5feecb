// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "remote/http2/socket.h"

namespace tfprof::remote {

// Lets Ctrl-C and SIGTERM end sessions: what is returned becomes readable with the first one. The
// second one ends the program.
Interrupt CatchInterrupts();

bool IsInterrupted(Interrupt interrupt);

// Sleeps; false: interrupted.
bool Sleep(std::chrono::milliseconds time, Interrupt interrupt);

}  // namespace tfprof::remote
