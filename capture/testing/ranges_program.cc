// SPDX-License-Identifier: Apache-2.0
// Makes ranges of NVTX in the way that its first argument says, without a GPU. Prints what a
// program without a recorder would print.
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "capture/testing/nvtx_client.h"

namespace {

double NowNs() {
  timespec time = {};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

void Range(const char* name) {
  nvtxRangePushA(name);
  nvtxRangePop();
}

// Two steps of two nested ranges each, a mark, and a domain with a registered text, category and
// payload.
void Basics() {
  nvtxNameOsThreadA(static_cast<uint32_t>(syscall(SYS_gettid)), "trainer");
  nvtxDomainHandle_t domain = nvtxDomainCreateA("solver");
  nvtxDomainNameCategoryA(domain, 7, "linear");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.category = 7;
  event.payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT64;
  event.payload.ullValue = 42;
  event.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  event.message.registered =
      static_cast<decltype(event.message.registered)>(nvtxDomainRegisterStringA(domain, "solve"));
  for (int step = 0; step < 2; ++step) {
    nvtxRangePushA(("step " + std::to_string(step)).c_str());
    nvtxRangePushA("forward");
    nvtxDomainRangePushEx(domain, &event);
    nvtxDomainRangePop(domain);
    nvtxRangePop();
    nvtxRangePushW(L"backward \u03b1");
    nvtxRangePop();
    nvtxMarkA("halfway");
    const nvtxRangeId_t range = nvtxRangeStartA("overlapping");
    nvtxRangePop();
    nvtxRangeEnd(range);
  }
}

// Time of this thread's own: other programs on the machine do not count.
double CpuNs() {
  timespec time = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Prints the time of a push or pop.
void Bench(int count) {
  nvtxRangePushA("warm up");
  nvtxRangePop();
  const double start = CpuNs();
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA("forward");
    nvtxRangePop();
  }
  std::printf("%.1f ns per push or pop\n", (CpuNs() - start) / (2.0 * count));
}

void Work(int count) {
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA("outer");
    nvtxRangePushA("inner");
    nvtxRangePop();
    nvtxRangePop();
  }
}

void Threads(int threads, int count) {
  std::vector<std::thread> running;
  for (int i = 0; i < threads; ++i) running.emplace_back(Work, count);
  for (std::thread& thread : running) thread.join();
}

// Each child makes a range of its own.
void Forks(int children, void (*end)(int)) {
  Work(1);
#ifdef __SANITIZE_ADDRESS__
  // A thread that starts holds locks of the sanitizer's allocator, which a child would never get.
  usleep(200'000);
#endif
  for (int i = 0; i < children; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      nvtxRangePushA("child");
      nvtxRangePop();
      end(3);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3) std::printf("child: %d\n", status);
  }
}

// Ranges until it is killed; each prints its number after it is over.
void Forever() {
  for (int i = 0;; ++i) {
    Range("alive");
    std::printf("%d %.0f\n", i, NowNs());
    std::fflush(stdout);
    usleep(1000);
  }
}

// Steps inside of a range, each with one range and a mark, and a range between each two.
void Steps(int count) {
  nvtxRangePushA("epoch");
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA(("step " + std::to_string(i)).c_str());
    Range("inner");
    nvtxMarkA("halfway");
    nvtxRangePop();
    Range("between");
    if (i % 10'000 == 9'999) usleep(150'000);  // so that the recorder writes in between
  }
  nvtxRangePop();
}

// A range that others are not nested in: what begins inside ends behind it, and the reverse.
void Gates(int count) {
  nvtxDomainHandle_t domain = nvtxDomainCreateA("solver");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "solve";
  for (int i = 0; i < count; ++i) {
    nvtxRangePushA("before");
    const nvtxRangeId_t outside = nvtxRangeStartA("outside");
    nvtxRangePushA("gate");
    const nvtxRangeId_t inside = nvtxRangeStartA("inside");
    nvtxDomainRangePushEx(domain, &event);
    Range("within");
    nvtxRangePop();
    Range("behind");
    nvtxDomainRangePop(domain);
    nvtxRangeEnd(inside);
    nvtxRangeEnd(outside);
    nvtxRangePop();
  }
}

// Likewise, but the gate is a range that starts and ends.
void StartedGates(int count) {
  for (int i = 0; i < count; ++i) {
    const nvtxRangeId_t gate = nvtxRangeStartA("gate");
    Range("within");
    nvtxRangeEnd(gate);
    Range("behind");
  }
}

// From now on the kernel refuses new threads, as at a limit.
void RefuseThreads() {
  sock_filter refuse[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {.len = std::size(refuse), .filter = refuse};
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

// The child ends by _exit in the memory of its parent.
[[gnu::noinline]] void WaitForQuickChild() {
  const pid_t child = vfork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
}

// Ranges inside of each other, named by their depth; how deep changes at random.
void Nest(unsigned seed, int count) {
  const char* const names[] = {"d0", "d1", "d2", "d3", "d4", "d5"};
  size_t depth = 0;
  for (int i = 0; i < count; ++i) {
    seed = seed * 1664525 + 1013904223;
    if (i % 50 == 0) usleep(50);  // in whatever it is in
    if (depth < std::size(names) && (depth == 0 || seed >> 31 != 0)) {
      nvtxRangePushA(names[depth++]);
    } else {
      nvtxRangePop();
      --depth;
    }
  }
  for (; depth > 0; --depth) nvtxRangePop();
}

// Threads nest while another one is in and out of a gate.
void Nesting(int threads) {
  std::vector<std::thread> running;
  std::atomic<int> left{threads};
  for (int i = 0; i < threads; ++i) {
    running.emplace_back([i, &left] {
      for (int round = 0; round < 20; ++round) {
        Nest(static_cast<unsigned>(i * 100 + round), 5000);
      }
      --left;
    });
  }
  while (left > 0) {
    nvtxRangePushA("gate");
    usleep(300);
    nvtxRangePop();
    usleep(300);
  }
  for (std::thread& thread : running) thread.join();
}

int Run(std::string_view how, int number) {
  if (how == "basics") Basics();
  if (how == "bench") Bench(number);
  if (how == "work") Work(number);
  if (how == "threads") Threads(number, 2000);
  if (how == "forks") Forks(number, std::exit);
  if (how == "quick-forks") Forks(number, _exit);
  if (how == "forever") Forever();
  if (how == "steps") Steps(number);
  if (how == "gates") Gates(number);
  if (how == "nesting") Nesting(number);
  if (how == "started-gates") StartedGates(number);
  if (how == "exit") return number;
  if (how == "silent-exit") {
    Work(10);
    usleep(400'000);
    _exit(number);
  }
  if (how == "quick-exit") {
    Work(10);
    WaitForQuickChild();
    Work(10);
    std::puts("done");
    std::fflush(stdout);
    _exit(number);
  }
  if (how == "signal") {
    Work(10);
    std::raise(number);
  }
  if (how == "names") {
    for (int i = 0; i < number; ++i) {
      nvtxRangePushA(("name " + std::to_string(i)).c_str());
      nvtxRangePop();
    }
  }
  if (how == "no-threads") {
    RefuseThreads();
    Work(10);
  }
  if (how == "descriptors") {  // the recorder is loaded, and starts when there are none left
    dlopen(std::getenv("NVTX_INJECTION64_PATH"), RTLD_LAZY);
    while (dup(1) >= 0) {
    }
    Work(10);
  }
  if (how == "close") {  // all descriptors, and others get their numbers
    Work(1);
    for (int file = 3; file < 1024; ++file) close(file);
    for (int i = 0; i < 1000; ++i) dup(1);
    Work(10);
    usleep(400'000);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 64;
  const int status = Run(argv[1], argc > 2 ? std::atoi(argv[2]) : 0);
  if (std::strcmp(argv[1], "bench") != 0 && std::strcmp(argv[1], "forever") != 0) std::puts("done");
  return status;
}
