// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <chrono>
#include <string>

namespace tfprof {

// The recorder's program, which makes traces of the end of what is recorded in a folder whenever it
// is asked. It stays, so that it reads only what is new.
class Converter {
 public:
  // `last`: how much of the end; 0: all.
  Converter(std::string folder, std::chrono::milliseconds last)
      : folder_(std::move(folder)), last_(last) {}
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;
  ~Converter() { Stop(); }

  // False: it cannot write the traces; or the program was not found, or ended, and the next call
  // starts it anew; or Ctrl-C.
  bool Convert();

 private:
  bool Start();
  void Stop();
  // Empty: it ended.
  std::string Ask();

  std::string folder_;
  std::chrono::milliseconds last_;
  int socket_ = -1;  // its input and output
  pid_t child_ = -1;
};

}  // namespace tfprof
