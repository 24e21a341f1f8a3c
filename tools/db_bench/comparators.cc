#include "tools/db_bench/comparators.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "rocksdb/convenience.h"
#include "tools/db_bench/flags.h"

DEFINE_bool(use_uint64_comparator, false,
            "Keys are numbers as the machine has them in memory. Needs "
            "--key_size=8.");
DEFINE_int32(user_timestamp_size, 0,
             "Bytes of a timestamp behind each key: 0 or 8. Each write has the "
             "next one.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

class NumberComparator final : public Comparator {
 public:
  const char* Name() const override { return "rocksdb.Uint64Comparator"; }
  int Compare(const Slice& a, const Slice& b) const override {
    const uint64_t left = NumberOf(a);
    const uint64_t right = NumberOf(b);
    return left < right ? -1 : static_cast<int>(left > right);
  }
  void FindShortestSeparator(std::string* /*start*/,
                             const Slice& /*limit*/) const override {}
  void FindShortSuccessor(std::string* /*key*/) const override {}

 private:
  static uint64_t NumberOf(const Slice& key) {
    uint64_t number = 0;
    memcpy(&number, key.data(), std::min(key.size(), sizeof(number)));
    return number;
  }
};

}  // namespace

Status SetComparator(ColumnFamilyOptions* cf) {
  static const NumberComparator by_number;
  if (FLAGS_user_timestamp_size != 0 && FLAGS_user_timestamp_size != 8) {
    return Status::InvalidArgument("--user_timestamp_size", "must be 0 or 8");
  }
  if (FLAGS_use_uint64_comparator && FLAGS_user_timestamp_size != 0) {
    return Status::InvalidArgument("--use_uint64_comparator",
                                   "excludes --user_timestamp_size");
  }
  if (FLAGS_use_uint64_comparator) {
    if (FLAGS_key_size != 8) {
      return Status::InvalidArgument(
          "--use_uint64_comparator",
          "Using Uint64 comparator but key size is not 8.");
    }
    cf->comparator = &by_number;
  }
  if (FLAGS_user_timestamp_size != 0) {
    // By name, as not every engine has a call for it.
    return Comparator::CreateFromString(
        ConfigOptions(), "leveldb.BytewiseComparator.u64ts", &cf->comparator);
  }
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE::bench
