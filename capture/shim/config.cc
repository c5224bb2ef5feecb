// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/config.h"

#include <cstdlib>
#include <cstring>

namespace tfprof::capture {
namespace {

// Options are words separated by commas: "api,max-mem=64M".
void TakeOption(const char* word, Config* config) {
  const auto value_of = [word](const char* name) {
    const size_t length = std::strlen(name);
    return std::strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1
                                                                        : nullptr;
  };
  if (std::strcmp(word, "api") == 0) config->api = true;
  if (std::strcmp(word, "sync") == 0) config->waits = true;
  if (std::strcmp(word, "quiet") == 0) config->quiet = true;
  if (std::strcmp(word, "cuda-graph=node") == 0) config->graph_nodes = true;
  if (const char* size = value_of("max-mem")) ParseSize(size, &config->most_memory);
  if (const char* size = value_of("max-disk")) ParseSize(size, &config->most_disk);
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
    char word[64] = {};
    if (length < sizeof word) {
      std::memcpy(word, options, length);
      TakeOption(word, &config);
    }
    options += length + (options[length] == ',' ? 1 : 0);
  }
  return config;
}

}  // namespace tfprof::capture
