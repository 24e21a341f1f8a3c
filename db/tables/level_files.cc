#include "db/tables/level_files.h"

#include <algorithm>
#include <bit>

#include "util/invariant.h"
#include "util/key/key_prefix.h"

namespace ROCKSDB_NAMESPACE {

namespace {

uint64_t PrefixOf(const Slice& user_key) {
  return KeyPrefix(user_key.data(), user_key.size());
}

}  // namespace

Status LevelFiles::Build(std::vector<FileRef> files,
                         const InternalKeyComparator& order,
                         bool check_consistency, LevelFiles* result) {
  INVARIANT(result != nullptr);
  if (check_consistency) {
    for (size_t i = 1; i < files.size(); ++i) {
      if (order.Compare(files[i - 1]->largest, files[i]->smallest) >= 0) {
        return Status::Corruption(
            "files of one level overlap",
            std::to_string(files[i - 1]->number) + " does not end before " +
                std::to_string(files[i]->number) + " begins");
      }
    }
  }
  if constexpr (kDeepChecks) {
    for (const FileRef& file : files) {
      INVARIANT(file != nullptr);
      INVARIANT(!file->smallest.empty() && !file->largest.empty());
    }
  }
  LevelFiles built;
  built.order_ = &order;
  built.files_ = std::move(files);
  if (order.is_bytewise()) {
    built.largest_prefixes_.reserve(built.files_.size());
    for (const FileRef& file : built.files_) {
      built.largest_prefixes_.push_back(PrefixOf(file->largest.user_key()));
    }
  }
  *result = std::move(built);
  return Status::OK();
}

size_t LevelFiles::FirstEndingAtOrAfter(const Slice& internal_key) const {
  assert(internal_key.size() >= kInternalKeyTrailerBytes);
  size_t low = 0;
  size_t high = files_.size();
  if (!largest_prefixes_.empty()) {
    // Narrow to the files whose prefix ties; the rest is decided by numbers.
    const uint64_t prefix = PrefixOf(ExtractUserKey(internal_key));
    const auto begin = largest_prefixes_.begin();
    CountComparisons(std::bit_width(largest_prefixes_.size()));
    low = std::lower_bound(begin, largest_prefixes_.end(), prefix) - begin;
    high =
        std::upper_bound(begin + low, largest_prefixes_.end(), prefix) - begin;
  }
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (order_->Compare(files_[middle]->largest.Encode(), internal_key) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  assert(low == files_.size() ||
         order_->Compare(files_[low]->largest.Encode(), internal_key) >= 0);
  return low;
}

}  // namespace ROCKSDB_NAMESPACE
