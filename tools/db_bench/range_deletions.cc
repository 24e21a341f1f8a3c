#include "tools/db_bench/range_deletions.h"

#include <algorithm>

#include "tools/db_bench/flags.h"

DEFINE_int64(writes_before_delete_range, 0,
             "Entries that a fill writes before it deletes ranges.");
DEFINE_int64(writes_per_range_tombstone, 0,
             "Entries that a fill writes for each range that it deletes. "
             "0: it deletes none.");
DEFINE_int64(range_tombstone_width, 100, "Keys in each of these ranges.");
DEFINE_int64(max_num_range_tombstones, 0,
             "Most ranges that a thread deletes. 0: none.");
DEFINE_bool(expand_range_tombstones, false,
            "Delete the keys of each range one by one instead.");

namespace ROCKSDB_NAMESPACE::bench {

namespace {

uint64_t FirstDeletion() {
  if (FLAGS_writes_per_range_tombstone <= 0 ||
      FLAGS_max_num_range_tombstones <= 0) {
    return UINT64_MAX;
  }
  return static_cast<uint64_t>(
      std::max<int64_t>(FLAGS_writes_before_delete_range, 0) +
      FLAGS_writes_per_range_tombstone);
}

}  // namespace

RangeDeletions::RangeDeletions(Worker& worker)
    : worker_(worker),
      begin_(worker.MakeKeyBuffer()),
      end_(worker.MakeKeyBuffer()),
      next_(FirstDeletion()) {}

Status RangeDeletions::DeleteDue() {
  while (written_ >= next_) {
    if (Status s = DeleteOne(); !s.ok()) return s;
    next_ += static_cast<uint64_t>(FLAGS_writes_per_range_tombstone);
    ++deleted_;
    if (deleted_ >= static_cast<uint64_t>(FLAGS_max_num_range_tombstones)) {
      next_ = UINT64_MAX;
    }
  }
  return Status::OK();
}

Status RangeDeletions::DeleteOne() {
  const uint64_t count = worker_.KeyCount();
  const uint64_t width = std::clamp<uint64_t>(
      static_cast<uint64_t>(std::max<int64_t>(FLAGS_range_tombstone_width, 1)),
      1, count - 1 == 0 ? 1 : count - 1);
  const uint64_t first = worker_.random.Below(count - width + 1);
  const Target target = worker_.At(first);
  if (FLAGS_expand_range_tombstones) {
    for (uint64_t i = 0; i < width; ++i) {
      Status s = worker_.Delete(target, begin_.Make(first + i));
      if (!s.ok()) return s;
    }
    return Status::OK();
  }
  // Behind the last key of the range, which may be the last of all.
  const Slice begin = begin_.Make(first);
  const std::string end = end_.Make(first + width - 1).ToString() + '\0';
  WriteBatch batch = worker_.MakeBatch();
  Status s = batch.DeleteRange(target.family, begin, end);
  if (s.ok()) s = worker_.Write(target.db, worker_.write_options, &batch);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE::bench
