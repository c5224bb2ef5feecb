/* SPDX-License-Identifier: Apache-2.0 */
/* Stands for the driver's libnvidia-ml.so.1: two GPUs, of which the first has two processes, TFPROF_FAKE_PID and one
   that has ended. */
#include <stdlib.h>
#include <string.h>

static int gpus[2];

struct utilization { unsigned gpu, memory; };
struct memory { unsigned long long total, free, used; };
struct process { unsigned pid; unsigned long long used; unsigned gpu_instance, compute_instance; };

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }
int nvmlDeviceGetCount_v2(unsigned* count) { *count = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** device) { *device = &gpus[index]; return 0; }
int nvmlDeviceGetName(void* device, char* name, unsigned length) {
  (void)device;
  strncpy(name, "Fake GPU", length);
  return 0;
}
int nvmlDeviceGetUtilizationRates(void* device, struct utilization* rates) {
  if (device == &gpus[1]) return 3; /* not supported */
  rates->gpu = 75;
  return 0;
}
int nvmlDeviceGetMemoryInfo(void* device, struct memory* memory) {
  memory->total = 80ULL << 30;
  memory->used = device == &gpus[0] ? 3ULL << 30 : 0;
  return 0;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void* device, unsigned* count, struct process* processes) {
  const char* pid = getenv("TFPROF_FAKE_PID");
  *count = 0;
  if (device != &gpus[0]) return 0;
  processes[0].pid = pid == NULL ? 1 : (unsigned)atoi(pid);
  processes[0].used = 2ULL << 30;
  processes[1].pid = 4194304; /* more than the kernel gives */
  processes[1].used = ~0ULL;
  *count = 2;
  return 0;
}
