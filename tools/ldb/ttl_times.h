// What the --ttl options of scan and dump mean: which write times are shown.
//
// Threads  Confined to one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

// "Thu Nov 26 13:47:26 2026", in the local zone.
std::string TimeText(int64_t seconds);

struct TtlTimes {
  // What the options are without being given: since values have times, and
  // for as long as 31 bits count seconds.
  int begin = 1368146402;
  int end = 2147483647;
  int bucket = 0;  // 0 or less: none

  bool IsShown(int64_t seconds) const {
    return seconds >= begin && seconds < end;
  }
};

// How many keys were written in each stretch of `times.bucket` seconds.
class TimeBuckets {
 public:
  explicit TimeBuckets(const TtlTimes& times) : times_(times) {}

  bool AreSeveral() const { return times_.bucket > 0 && Count() > 1; }
  void Add(int64_t seconds) {
    ++counts_[(seconds - times_.begin) / times_.bucket];
  }
  void PrintCounts() const;
  void PrintJson() const;

 private:
  struct Bucket {
    int64_t begin = 0;
    int64_t end = 0;
    uint64_t count = 0;
  };
  Bucket At(int64_t index) const;
  int64_t Count() const {
    const int64_t span = int64_t{times_.end} - times_.begin;
    return (span + times_.bucket - 1) / times_.bucket;
  }

  const TtlTimes times_;
  std::map<int64_t, uint64_t> counts_;
};

}  // namespace ROCKSDB_NAMESPACE
