// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/links.h"

#include <catch2/catch.hpp>

#include "views/columns/rates.h"

namespace tfprof::links_test {

TEST_CASE("operations that move data over links are detected by category, name or memory space") {
  CHECK(MovesOverLinks("all-reduce", "fusion.3", ""));
  CHECK(MovesOverLinks("", "all-reduce-start.2", ""));
  CHECK(MovesOverLinks("", "%reduce-scatter.1", ""));
  CHECK(MovesOverLinks("infeed", "infeed.7", ""));
  CHECK(MovesOverLinks("", "copy-start.1", "(f32[4]{0}, f32[4]{0:S(5)}) copy-start(f32[4]{0} %x)"));
  CHECK_FALSE(MovesOverLinks("", "copy-start.1", "(f32[4]{0}, f32[4]{0:S(2)}) copy-start(%x)"));
  CHECK_FALSE(MovesOverLinks("loop fusion", "fusion.3", "f32[4]{0:S(5)} fusion(%x)"));
  CHECK_FALSE(MovesOverLinks("", "reduce.1", ""));
  CHECK_FALSE(MovesOverLinks("", "sender", ""));
  CHECK_FALSE(MovesOverLinks("", "", ""));
}

TEST_CASE("links lead to other devices or to the host") {
  CHECK(LinkOf("%reduce-scatter.1") == Link::devices);
  CHECK(LinkOf("send-done.3") == Link::devices);
  CHECK(LinkOf("host send") == Link::to_host);
  CHECK(LinkOf("infeed-done.1") == Link::from_host);
  CHECK(LinkOf("NCCLAllGather") == Link::devices);
  CHECK(LinkOf("sendmsg") == Link::none);
}

TEST_CASE("no device peak bounds operations that move data over links") {
  DevicePeaks peaks;
  peaks.flops_per_s = 1e12;
  peaks.memory_bytes_per_s = 1e11;
  OpTime op;
  op.total_ps = op.self_ps = 1'000'000'000;  // 1 ms
  op.bytes.Add(5e7, op.total_ps);
  CHECK(BoundOf(peaks, op).by == kMemory);
  op.over_links = true;
  CHECK(BoundOf(peaks, op).by.empty());
  CHECK(RecordedBound(peaks, op).by == kMemory);  // as xprof has it
  FrameworkOp mostly;
  mostly.total_ps = 10;
  mostly.link_ps = 5;
  CHECK_FALSE(IsOverLinks(mostly));
  mostly.link_ps = 6;
  CHECK(IsOverLinks(mostly));
}

}  // namespace tfprof::links_test
