// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/options.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <system_error>

#include "capture/shim/config.h"
#include "capture/spool/step_names.h"

namespace tfprof::capture {
namespace {

// How the recorder calls them; a value follows where there is a check of it.
struct RecorderOption {
  std::string_view name;
  bool (*is_valid)(const std::string& value);  // null: it has no value
};
bool IsSize(const std::string& value) {
  uint64_t bytes = 0;
  return ParseSize(value.c_str(), &bytes);
}
bool IsGraphLevel(const std::string& value) { return value == "graph" || value == "node"; }
bool IsLevel(const std::string& value) {
  Level level = Level::none;
  return ParseLevel(value.c_str(), &level);
}
bool IsTime(const std::string& value) {
  uint64_t ns = 0;
  return ParseSeconds(value.c_str(), &ns);
}
bool IsSteps(const std::string& value) {
  int64_t first = 0;
  int64_t last = 0;
  return ParseSteps(value.c_str(), &first, &last);
}
bool IsEvery(const std::string& value) {
  int64_t every = 0;
  return ParseEvery(value.c_str(), &every);
}
bool IsPattern(const std::string& value) {
  StepPattern pattern;
  return !value.empty() && value.size() < kLongestValue && pattern.Compile(value.c_str());
}
bool IsCaptureRange(const std::string& value) {
  Config config;
  return ParseCaptureRange(value.c_str(), &config);
}
bool IsGlob(const std::string& value) { return !value.empty() && value.size() < kLongestValue; }
bool IsRing(const std::string& value) {
  uint64_t ns = 0;
  uint64_t bytes = 0;
  return ParseRing(value.c_str(), &ns, &bytes);
}
bool IsRanks(const std::string& value) {
  bool is_valid = false;
  IsInList(value.c_str(), 0, &is_valid);
  return is_valid && value.size() < kLongestValue;
}

constexpr RecorderOption kRecorderOptions[] = {
    {"max-mem", IsSize},        {"max-disk", IsSize},        {"cuda-graph", IsGraphLevel},
    {"api", nullptr},           {"sync", nullptr},           {"level", IsLevel},
    {"delay", IsTime},          {"duration", IsTime},        {"steps", IsSteps},
    {"every", IsEvery},         {"step-range", IsPattern},   {"capture-range", IsCaptureRange},
    {"only-exe", IsGlob},       {"only-rank", IsRanks},      {"paused", nullptr},
    {"python-stacks", nullptr}, {"python-samples", nullptr}, {"ring", IsRing},
};

// Commas separate options, and `env` prints quotes around them (shim/config.h).
std::string Encoded(const std::string& value) {
  constexpr std::string_view kEscaped = "%,'\n";
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : value) {
    if (kEscaped.find(c) == kEscaped.npos) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[static_cast<unsigned char>(c) >> 4];
      encoded += kDigits[c & 15];
    }
  }
  return encoded;
}

void AddRecorderOption(std::string_view word, CaptureOptions* options) {
  if (!options->recorder_options.empty()) options->recorder_options += ',';
  options->recorder_options += word;
}

// Options are "--name value", "--name=value" or "-o value".
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}

  bool AtOption() const {
    return at_ < words_.size() && words_[at_].size() > 1 && words_[at_][0] == '-';
  }
  // The name without dashes; a value behind '=' is kept.
  std::string TakeName() {
    std::string word = words_[at_++];
    word.erase(0, word.starts_with("--") ? 2 : 1);
    const size_t equals = word.find('=');
    has_value_ = equals != word.npos;
    if (has_value_) value_ = word.substr(equals + 1);
    return word.substr(0, equals);
  }
  bool TakeValue(std::string* value) {
    if (!has_value_ && at_ == words_.size()) return false;
    *value = has_value_ ? value_ : words_[at_++];
    has_value_ = false;
    return true;
  }
  bool has_value() const { return has_value_; }
  std::vector<std::string> Rest() const {
    return {words_.begin() + static_cast<long>(at_), words_.end()};
  }

 private:
  const std::vector<std::string>& words_;
  size_t at_ = 0;
  bool has_value_ = false;
  std::string value_;
};

bool ParseCount(const std::string& text, uint32_t* count) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), *count);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Names are separated by commas.
bool ParseNames(std::string_view text, std::vector<std::string>* names) {
  while (!text.empty()) {
    const std::string_view name = text.substr(0, text.find(','));
    names->emplace_back(name);
    text.remove_prefix(std::min(name.size() + 1, text.size()));
  }
  return !names->empty();
}

bool TakeRecorderOption(const RecorderOption& option, Words* words, CaptureOptions* options,
                        std::string* error) {
  std::string word(option.name);
  if (option.is_valid != nullptr) {
    std::string value;
    if (!words->TakeValue(&value) || !option.is_valid(value)) {
      *error = "invalid value '" + value + "' of --" + word;
      return false;
    }
    word += "=" + Encoded(value);
  }
  AddRecorderOption(word, options);
  return true;
}

bool TakeOption(const std::string& name, Words* words, CaptureOptions* options,
                std::string* error) {
  if (name == "o" || name == "output") {
    if (words->TakeValue(&options->folder) && !options->folder.empty()) return true;
    *error = "-o needs a folder";
    return false;
  }
  if (name == "keep") return options->convert.keep = true;
  if (name == "follow") return options->convert.follow = options->convert.keep = true;
  if (name == "last") {
    options->convert.keep = true;  // a trace of a part is not all that was recorded
    std::string value;
    const bool is_valid = words->TakeValue(&value) &&
                          ParseSeconds(value.c_str(), &options->convert.last_ns) &&
                          options->convert.last_ns > 0;
    if (!is_valid) *error = "invalid value '" + value + "' of --last";
    return is_valid;
  }
  if (name == "export-steps" || name == "nvtx-domains") {
    std::string value;
    const bool is_count = name == "export-steps";
    const bool is_valid =
        words->TakeValue(&value) && (is_count ? ParseCount(value, &options->convert.export_steps)
                                              : ParseNames(value, &options->convert.scope_domains));
    if (!is_valid) *error = "invalid value '" + value + "' of --" + name;
    return is_valid;
  }
  if (name == "preload-exit") return options->preload_exit = true;
  if (name == "torch-nvtx") return options->torch_nvtx = true;
  if (name == "overwrite") return options->overwrite = true;
  if (name == "quiet") {
    AddRecorderOption("quiet", options);
    return options->quiet = true;
  }
  for (const RecorderOption& option : kRecorderOptions) {
    if (option.name == name) return TakeRecorderOption(option, words, options, error);
  }
  *error = "no option '" + name + "'; tfprof-capture --help lists them";
  return false;
}

}  // namespace

bool ParseCapture(const std::vector<std::string>& all, CaptureOptions* options,
                  std::string* error) {
  Words words(all);
  while (words.AtOption()) {
    const std::string name = words.TakeName();
    if (name.empty()) break;  // "--"
    if (!TakeOption(name, &words, options, error)) return false;
    if (words.has_value()) {
      *error = "--" + name + " takes no value";
      return false;
    }
  }
  options->command = words.Rest();
  return true;
}

bool ParseConvert(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error) {
  // The folder may come first or last.
  const bool is_first = !words.empty() && !words[0].starts_with('-');
  std::vector<std::string> others(words.begin() + (is_first ? 1 : 0), words.end());
  if (!ParseCapture(others, options, error)) return false;
  const bool has_folder = is_first ? options->command.empty() : options->command.size() == 1;
  if (!options->recorder_options.empty() || !options->folder.empty() || options->overwrite ||
      options->preload_exit || options->torch_nvtx) {
    *error =
        "the options of convert are --keep, --last, --follow, --export-steps and --nvtx-domains";
  } else if (!has_folder) {
    *error = "convert takes one folder, that of a capture";
  } else {
    options->folder = is_first ? words[0] : options->command[0];
  }
  return error->empty();
}

bool ParseControl(const std::vector<std::string>& words, CaptureOptions* options,
                  std::string* error) {
  constexpr std::string_view kActions[] = {"start", "stop", "snapshot", "status"};
  if (words.size() < 2 ||
      std::find(std::begin(kActions), std::end(kActions), words[1]) == std::end(kActions)) {
    *error = "ctl takes a folder, and start, stop, snapshot or status";
    return false;
  }
  std::vector<std::string> others = {words[0]};
  others.insert(others.end(), words.begin() + 2, words.end());
  if (words.size() > 2 && words[1] != "snapshot") {
    *error = "ctl " + words[1] + " takes no options";
    return false;
  }
  options->action = words[1];
  if (ParseConvert(others, options, error) && options->convert.follow) {
    *error = "--follow is an option of convert";
  }
  return error->empty();
}

}  // namespace tfprof::capture
