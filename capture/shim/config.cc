// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/config.h"

#include <cstdlib>
#include <cstring>

namespace tfprof::capture {
namespace {

// A flag, or an option with a value: "api,max-mem=64M".
struct Option {
  const char* name;
  void (*take)(const char* value, Config* config);
};

template <size_t N>
void Copy(const char* value, char (&to)[N]) {
  if (std::strlen(value) < N) std::strcpy(to, value);
}

constexpr Option kFlags[] = {
    {"api", [](const char*, Config* config) { config->api = true; }},
    {"sync", [](const char*, Config* config) { config->waits = true; }},
    {"quiet", [](const char*, Config* config) { config->quiet = true; }},
    {"paused", [](const char*, Config* config) { config->starts_paused = true; }},
    {"python-stacks", [](const char*, Config* config) { config->python_stacks = true; }},
    {"python-samples", [](const char*, Config* config) { config->python_samples = true; }},
    {"cuda-graph=node", [](const char*, Config* config) { config->graph_nodes = true; }},
};

constexpr Option kValues[] = {
    {"max-mem", [](const char* text, Config* config) { ParseSize(text, &config->most_memory); }},
    {"max-disk", [](const char* text, Config* config) { ParseSize(text, &config->most_disk); }},
    {"level", [](const char* text, Config* config) { ParseLevel(text, &config->level); }},
    {"delay", [](const char* text, Config* config) { ParseSeconds(text, &config->delay_ns); }},
    {"duration",
     [](const char* text, Config* config) { ParseSeconds(text, &config->duration_ns); }},
    {"steps",
     [](const char* text, Config* config) {
       config->has_steps |= ParseSteps(text, &config->first_step, &config->last_step);
     }},
    {"every", [](const char* text,
                 Config* config) { config->has_steps |= ParseEvery(text, &config->every); }},
    {"step-range", [](const char* text, Config* config) { Copy(text, config->step_range); }},
    {"capture-range", [](const char* text, Config* config) { ParseCaptureRange(text, config); }},
    {"ring", [](const char* text,
                Config* config) { ParseRing(text, &config->ring_ns, &config->ring_bytes); }},
    {"only-exe", [](const char* text, Config* config) { Copy(text, config->only_exe); }},
    {"only-rank", [](const char* text, Config* config) { Copy(text, config->only_rank); }},
};

void TakeOption(char* word, Config* config) {
  for (const Option& flag : kFlags) {
    if (std::strcmp(word, flag.name) == 0) flag.take(nullptr, config);
  }
  char* value = std::strchr(word, '=');
  if (value == nullptr) return;
  *value++ = '\0';
  DecodeValue(value);
  for (const Option& option : kValues) {
    if (std::strcmp(word, option.name) == 0) option.take(value, config);
  }
}

// A number without a sign; `*end` is behind it.
bool ReadNumber(const char* text, const char** end, uint64_t* number) {
  if (*text < '0' || *text > '9') return false;
  char* after = nullptr;
  *number = std::strtoull(text, &after, 10);
  *end = after;
  return true;
}

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace

bool ParseSize(const char* text, uint64_t* bytes) {
  char* end = nullptr;
  const unsigned long long number = std::strtoull(text, &end, 10);
  if (end == text || *text == '-') return false;
  int shift = 0;
  switch (*end) {
    case 'K': shift = 10; break;
    case 'M': shift = 20; break;
    case 'G': shift = 30; break;
    case 'T': shift = 40; break;
    case '\0': break;
    default: return false;
  }
  if (*end != '\0' && end[1] != '\0') return false;
  if (number > UINT64_MAX >> shift) return false;
  *bytes = uint64_t{number} << shift;
  return true;
}

bool ParseSeconds(const char* text, uint64_t* ns) {
  constexpr double kMost = 1e9;
  if (*text < '0' || *text > '9') return false;
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (*end == 's') ++end;
  if (*end != '\0' || !(seconds <= kMost)) return false;
  *ns = static_cast<uint64_t>(seconds * 1e9);
  return true;
}

bool ParseSteps(const char* text, int64_t* first, int64_t* last) {
  uint64_t from = 0;
  uint64_t to = INT64_MAX;
  const char* end = text;
  if (*text != ':' && !ReadNumber(text, &end, &from)) return false;
  if (*end == '\0') {
    to = from;
  } else if (*end != ':') {
    return false;
  } else if (end[1] != '\0') {
    if (!ReadNumber(end + 1, &end, &to) || *end != '\0') return false;
  }
  if (from > to || to > INT64_MAX) return false;
  *first = static_cast<int64_t>(from);
  *last = static_cast<int64_t>(to);
  return *text != ':' || text[1] != '\0';
}

bool ParseEvery(const char* text, int64_t* every) {
  uint64_t number = 0;
  const char* end = text;
  if (!ReadNumber(text, &end, &number) || *end != '\0' || number == 0 || number > INT64_MAX) {
    return false;
  }
  *every = static_cast<int64_t>(number);
  return true;
}

bool ParseLevel(const char* text, Level* level) {
  constexpr const char* kNames[] = {"none", "software", "hardware", "full"};
  for (int i = 0; i < 4; ++i) {
    if (std::strcmp(text, kNames[i]) == 0) return *level = static_cast<Level>(i), true;
  }
  return false;
}

bool ParseRing(const char* text, uint64_t* ns, uint64_t* bytes) {
  const size_t length = std::strlen(text);
  const bool is_time = length > 1 && text[length - 1] == 's';
  uint64_t number = 0;
  if (is_time ? !ParseSeconds(text, &number) : !ParseSize(text, &number)) return false;
  // A segment must be longer than a round of the writer, and hold one.
  if (number < (is_time ? uint64_t{1'000'000'000} : uint64_t{1} << 20)) return false;
  *(is_time ? ns : bytes) = number;
  return true;
}

bool ParseCaptureRange(const char* text, Config* config) {
  constexpr char kRange[] = "nvtx:";
  if (std::strcmp(text, "cuda") == 0) return config->capture_range_cuda = true;
  if (std::strncmp(text, kRange, sizeof kRange - 1) != 0) return false;
  const char* name = text + sizeof kRange - 1;
  Copy(name, config->capture_range);
  return *name != '\0' && std::strlen(name) < sizeof config->capture_range;
}

bool IsInList(const char* list, uint64_t number, bool* is_valid) {
  bool is_in = false;
  bool is_list = *list != '\0';
  while (is_list && *list != '\0') {
    uint64_t from = 0;
    is_list = ReadNumber(list, &list, &from);
    uint64_t to = from;
    if (is_list && *list == '-') is_list = ReadNumber(list + 1, &list, &to) && from <= to;
    is_in |= is_list && from <= number && number <= to;
    if (*list == ',' && list[1] != '\0') {
      ++list;
    } else if (*list != '\0') {
      is_list = false;
    }
  }
  if (is_valid != nullptr) *is_valid = is_list;
  return is_in;
}

void DecodeValue(char* value) {
  char* to = value;
  while (*value != '\0') {
    const int high = *value == '%' ? HexDigit(value[1]) : -1;
    const int low = high >= 0 ? HexDigit(value[2]) : -1;
    if (low >= 0) {
      *to++ = static_cast<char>(high << 4 | low);
      value += 3;
    } else {
      *to++ = *value++;
    }
  }
  *to = '\0';
}

Config ReadConfig() {
  Config config;
  const char* folder = std::getenv(kFolderVariable);
  const char* disable = std::getenv(kDisableVariable);
  const bool is_disabled = disable != nullptr && *disable != '\0' && std::strcmp(disable, "0") != 0;
  if (folder != nullptr && !is_disabled && std::strlen(folder) < sizeof config.folder) {
    std::strcpy(config.folder, folder);
  }
  const char* options = std::getenv(kOptionsVariable);
  while (options != nullptr && *options != '\0') {
    const size_t length = std::strcspn(options, ",");
    char word[3 * kLongestValue] = {};
    if (length < sizeof word) {
      std::memcpy(word, options, length);
      TakeOption(word, &config);
    }
    options += length + (options[length] == ',' ? 1 : 0);
  }
  return config;
}

}  // namespace tfprof::capture
