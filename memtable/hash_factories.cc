// Factories of memtables with buckets by key prefix. They are names with
// parameters so far: DB::Open answers NotSupported for them.
#include <memory>

#include "rocksdb/memtablerep.h"

namespace ROCKSDB_NAMESPACE {

namespace {

class HashSkipListRepFactory final : public MemTableRepFactory {
 public:
  const char* Name() const override { return "HashSkipListRepFactory"; }
};

class HashLinkListRepFactory final : public MemTableRepFactory {
 public:
  const char* Name() const override { return "HashLinkListRepFactory"; }
};

}  // namespace

MemTableRepFactory* NewHashSkipListRepFactory(
    size_t /*bucket_count*/, int32_t /*skiplist_height*/,
    int32_t /*skiplist_branching_factor*/) {
  return std::make_unique<HashSkipListRepFactory>().release();
}

MemTableRepFactory* NewHashLinkListRepFactory(
    size_t /*bucket_count*/, size_t /*huge_page_tlb_size*/,
    int /*bucket_entries_logging_threshold*/,
    bool /*if_log_bucket_dist_when_flash*/,
    uint32_t /*threshold_use_skiplist*/) {
  return std::make_unique<HashLinkListRepFactory>().release();
}

}  // namespace ROCKSDB_NAMESPACE
