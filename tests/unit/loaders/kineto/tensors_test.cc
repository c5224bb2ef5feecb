// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/tensors.h"

#include <catch2/catch.hpp>

#include "core/store/details.h"
#include "loaders/open.h"
#include "tests/support/opening.h"
#include "tests/support/source_of.h"

namespace tfprof::tensors_test {

TEST_CASE("elements of lists of shapes") {
  using kineto::ElementsOf;
  CHECK(ElementsOf("[[2, 3], [4]]") == 10);
  CHECK(ElementsOf("[[[2, 3], [5]], []]") == 11);
  CHECK(ElementsOf("[[0, 3], []]") == 0);
  CHECK(ElementsOf("") == 0);
}

TEST_CASE("types have the names of PyTorch and of C++") {
  CHECK(kineto::ScalarTypeOf("BFloat16")->bytes == 2);
  CHECK(kineto::ScalarTypeOf("long int")->number == 9);
  CHECK(kineto::ScalarTypeOf("TensorList") == nullptr);
  CHECK(kineto::FirstText(R"(["float", "Scalar"])") == "float");
  CHECK(kineto::FirstText("[]") == "");
}

TEST_CASE("collectives record what they move: NCCL by its arguments, gloo by its inputs") {
  const TestFolder folder;
  const std::string path = folder / "a.json";
  WriteFile(path, R"([
    {"ph":"X","cat":"kernel","name":"ncclDevKernel_AllGather_RING_LL","pid":0,"tid":7,"ts":1,"dur":5,
     "args":{"device":0,"stream":7,"Collective name":"_allgather_base","In msg nelems":100,
             "Out msg nelems":400,"dtype":"BFloat16","Group size":4,"Process Group Name":"2"}},
    {"ph":"X","cat":"user_annotation","name":"gloo:all_reduce","pid":9,"tid":1,"ts":1,"dur":5,
     "args":{"Input Dims":[[10, 3]],"Input type":["float"]}},
    {"ph":"X","cat":"user_annotation","name":"gloo:all_gather","pid":9,"tid":1,"ts":8,"dur":5,
     "args":{"Input Dims":[[10, 3]],"Input type":["float"]}}])");
  Context context;
  const StorePtr store = Load({{path}}, context).value();
  constexpr DetailKey kKeys[] = {AttributeKey::collective_bytes, AttributeKey::element_type,
                                 AttributeKey::group_size, AttributeKey::process_group};
  for (uint32_t i = 0; i < store->processes.size(); ++i) {
    const auto columns = ReadColumns(*store, ProcessId(i), kKeys, context).value();
    const uint32_t row = store->LanesOf(store->processes[i])[0].rows.first;
    const bool is_device = store->processes[i].kind == ProcessKind::device;
    CHECK(columns[0].Integer(row) == (is_device ? 800 : 120));  // 400 * 2 B, 30 * 4 B
    CHECK(columns[1].Integer(row) == (is_device ? 14 : 1));
    if (is_device) {
      CHECK(columns[2].Integer(row) == 4);
      CHECK(columns[3].Text(row) == "2");
    } else {
      CHECK_FALSE(columns[0].Has(row + 1));  // what an all_gather gives depends on the group
    }
  }
}

}  // namespace tfprof::tensors_test
