// SPDX-License-Identifier: Apache-2.0
// A flame graph as a picture for any viewer. In a browser it can be searched and zoomed
// (emitters/flame/picture.js).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>

#include "core/base/hash.h"
#include "core/text/append_format.h"
#include "core/text/units.h"
#include "emitters/emitter.h"
#include "emitters/flame/frames.h"
#include "emitters/flame_assets.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// Lengths in px of the unscaled picture.
constexpr double kWidth = 1200;
constexpr double kMargin = 12;
constexpr double kChart = kWidth - 2 * kMargin;
constexpr double kHead = 62;  // above the frames
constexpr double kFoot = 34;  // below them
constexpr double kRow = 19;
constexpr double kCell = 6.7;           // character width of the font
constexpr double kMinFrameWidth = 0.1;  // narrower frames are cut

// Returns "#rrggbb"; hue in degrees, the others 0 to 1.
std::string Rgb(double hue, double saturation, double lightness) {
  const double chroma = (1 - std::abs(2 * lightness - 1)) * saturation;
  const auto channel = [&](double n) {
    const double k = std::fmod(n + hue / 30, 12);
    const double part = std::max(-1.0, std::min({k - 3, 9 - k, 1.0}));
    return static_cast<int>(std::lround(255 * (lightness - chroma / 2 * part)));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(8), channel(4));
}

// Colors by kind: the largest kinds get the most distinct hues. Pale: for frames without a kind of
// their own.
struct Color {
  std::string full, pale;
};
using Colors = std::unordered_map<std::string, Color>;
Colors ChooseColors(const Report& report, const Flame& flame) {
  constexpr double kHues[] = {212, 28, 148, 268, 48, 338, 182, 92, 2, 236, 312, 68};
  std::unordered_map<std::string, int64_t> sums;
  for (const FlameFrame& frame : flame.frames) {
    int64_t& sum = sums[FrameKind(report, frame)];
    sum = SaturatingAdd(sum, frame.self);
  }
  std::vector<std::pair<int64_t, std::string>> order;
  for (const auto& [kind, sum] : sums) order.emplace_back(-sum, kind);
  std::sort(order.begin(), order.end());
  Colors colors;
  size_t next = 0;
  for (const auto& [sum, kind] : order) {
    if (kind.empty()) continue;
    const double hue =
        next < std::size(kHues) ? kHues[next++] : static_cast<double>(Hash(kind) % 360);
    colors[kind] = {Rgb(hue, 0.58, 0.8), Rgb(hue, 0.38, 0.89)};
  }
  colors[{}] = {"#dde1e7", "#dde1e7"};
  return colors;
}

double ShareOf(int64_t part, int64_t whole) {
  return whole > 0 ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string Tooltip(const Report& report, const Flame& flame, const FlameFrame& frame) {
  const int64_t whole = flame.frames[0].total;
  std::string text = FrameName(report, frame);
  text += fmt::format("\ntotal {} ({})", FlameAmount(flame, frame.total),
                      PercentText(ShareOf(frame.total, whole)));
  text += fmt::format("\nself {} ({})", FlameAmount(flame, frame.self),
                      PercentText(ShareOf(frame.self, whole)));
  if (flame.has_base) {
    text += "\nbase " + FlameAmount(flame, std::llround(frame.base_total));
    text += "\nchange " + ChangeText(flame, frame);
  }
  if (const int64_t runs = FrameRuns(report, frame); runs != kNoInt) {
    text += fmt::format("\nruns {}", runs);
  }
  const std::string kind = FrameKind(report, frame), device = FrameDevice(report, frame);
  if (!kind.empty() && kind != FrameName(report, frame)) text += "\n" + kind;
  if (!device.empty()) text += "\n" + device;
  return text;
}

// Red: more than in the base; blue: less; grey: the same.
std::string ChangeColor(const FlameFrame& frame) {
  const double change = ChangeOf(frame), size = std::abs(change);
  if (size < 0.01) return "#e6e8ec";
  return Rgb(change > 0 ? 4 : 212, 0.35 + 0.5 * size, 0.92 - 0.26 * size);
}

struct Box {
  const FlameFrame& frame;
  double begin;  // value of the measure to the left of it
  std::string fill;
};

void AddBox(const Report& report, const Flame& flame, const Box& box, std::string* out) {
  const FlameFrame& frame = box.frame;
  const double scale = kChart / static_cast<double>(std::max<int64_t>(flame.frames[0].total, 1));
  const double x = kMargin + box.begin * scale, width = static_cast<double>(frame.total) * scale;
  const double y = kHead + frame.depth * kRow;
  const std::string label = FrameLabel(report, frame);
  out->append("<g class=\"f\" data-l=\"");
  AppendMarkup(label, out);
  out->append("\"><title>");
  AppendMarkup(Tooltip(report, flame, frame), out);
  AppendFormat(out,
               "</title><rect x=\"{:.2f}\" y=\"{}\" width=\"{:.2f}\" height=\"{}\" fill=\"{}\"/>",
               x, y, width, kRow - 1, box.fill);
  const auto cells = static_cast<size_t>(std::max(0.0, (width - 8) / kCell));
  if (cells >= 3) {
    std::string cut;
    AppendCut(label, cells, true, &cut);
    AppendFormat(out, "<text x=\"{:.2f}\" y=\"{}\">", x + 4, y + 13);
    AppendMarkup(cut, out);
    out->append("</text>");
  }
  out->append("</g>\n");
}

void AddText(std::string_view attributes, std::string_view text, std::string* out) {
  out->append("<text ").append(attributes).append(">");
  AppendMarkup(text, out);
  out->append("</text>\n");
}

void AddHeader(const Report& report, const Flame& flame, const std::vector<std::string>& notes,
               double height, std::string* out) {
  AppendFormat(out,
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<!-- a flame graph by tfprof; open it in a browser to search and zoom -->\n"
               "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
               "height=\"{1}\" role=\"img\">\n<style>{2}</style>\n"
               "<rect class=\"page\" width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
               kWidth, height, kFlamePictureCss);
  std::string about = FlameAmount(flame, flame.frames[0].total) + " · " + FlameSources(report);
  for (const std::string& note : notes) about += " · " + note;
  std::string cut;
  AppendCut(about, 165, true, &cut);
  AddText(fmt::format("class=\"head\" x=\"{}\" y=\"24\"", kMargin), FlameTitle(report, flame), out);
  AddText(fmt::format("class=\"soft\" x=\"{}\" y=\"44\"", kMargin), cut, out);
  AddText(fmt::format("id=\"find\" class=\"button\" x=\"{}\" y=\"24\" role=\"button\" "
                      "tabindex=\"0\" visibility=\"hidden\"",
                      kWidth - kMargin),
          "Search", out);
  AddText(fmt::format("id=\"reset\" class=\"button\" x=\"{}\" y=\"24\" role=\"button\" "
                      "tabindex=\"0\" visibility=\"hidden\"",
                      kWidth - kMargin - 70),
          "Reset zoom", out);
}

}  // namespace

Result<void> EmitFlameSvg(const Report& report, const Query&, const Style&, Sink& sink,
                          Context& context) {
  TFPROF_ASSIGN(Flame flame, FlameOf(report, context));
  const double whole = static_cast<double>(flame.frames[0].total);
  const auto min = static_cast<int64_t>(std::ceil(whole / kChart * kMinFrameWidth));
  const size_t cut = CutSmall(min, &flame);
  uint32_t deepest = 0;
  for (const FlameFrame& frame : flame.frames) deepest = std::max(deepest, frame.depth);
  const double height = kHead + (deepest + 1) * kRow + kFoot;
  AddHeader(report, flame, FlameNotes(report, flame, cut, min), height, &sink.buffer);

  const Colors colors = ChooseColors(report, flame);
  const std::vector<std::string> dominant = DominantKinds(report, flame);
  sink.Append("<g id=\"frames\">\n");
  std::vector<double> next;  // by depth: where the next frame begins
  TFPROF_TRY(EachRow(flame.frames.size(), sink, context, [&](size_t i) {
    const FlameFrame& frame = flame.frames[i];
    next.resize(frame.depth + 1, 0);
    const double begin = next.back();
    if (flame.frames[0].total > 0) {
      const Color& color = colors.at(frame.depth == 0 ? std::string() : dominant[i]);
      std::string fill = FrameKind(report, frame).empty() ? color.pale : color.full;
      if (frame.small > 0) fill = "#c3c9d2";
      if (flame.has_base) fill = ChangeColor(frame);
      AddBox(report, flame, {frame, begin, fill}, &sink.buffer);
    }
    next.back() += static_cast<double>(frame.total);
    next.push_back(begin);  // begin of its first child
  }));
  sink.Append("</g>\n");
  AddText(fmt::format("id=\"detail\" x=\"{}\" y=\"{}\"", kMargin, height - 13),
          flame.frames[0].total > 0 ? "" : "Not recorded for this measure.", &sink.buffer);
  sink.Append("<script><![CDATA[\n");
  sink.Append(kFlamePictureJs);
  sink.Append("]]></script>\n</svg>\n");
  return {};
}

}  // namespace tfprof
