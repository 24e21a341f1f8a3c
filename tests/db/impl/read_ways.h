// Tests of reads that are run in each way of reading.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <string>

namespace ROCKSDB_NAMESPACE {

struct ReadWay {
  bool is_direct = false;
  bool is_async = false;
};

inline auto EveryReadWay() {
  return ::testing::Values(ReadWay{}, ReadWay{.is_direct = true},
                           ReadWay{.is_async = true}, ReadWay{true, true});
}

inline std::string NameOf(const ::testing::TestParamInfo<ReadWay>& info) {
  return std::string(info.param.is_direct ? "Direct" : "Buffered") +
         (info.param.is_async ? "Async" : "");
}

// In order, as long as there are fewer than 100 000.
inline std::string ScannedKey(int i) {
  char text[16];
  snprintf(text, sizeof(text), "key%05d", i);
  return text;
}

}  // namespace ROCKSDB_NAMESPACE
