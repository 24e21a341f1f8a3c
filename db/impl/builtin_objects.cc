#include "db/impl/builtin_objects.h"

#include <memory>

#include "cache/cache_from_text.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/filter_policy.h"
#include "rocksdb/flush_block_policy.h"
#include "rocksdb/table.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

void EnsureBuiltinObjects() {
  static const bool done = [] {
    RegisterCacheFromText();
    const std::unique_ptr<TableFactory> table(NewBlockBasedTableFactory());
    const std::unique_ptr<TableFactory> plain(NewPlainTableFactory());
    const std::unique_ptr<TableFactory> cuckoo(NewCuckooTableFactory());
    const std::unique_ptr<const FilterPolicy> filter(NewBloomFilterPolicy(10));
    const FlushBlockBySizePolicyFactory flush_policy;
    INVARIANT(table != nullptr && plain != nullptr && cuckoo != nullptr);
    INVARIANT(filter != nullptr);
    INVARIANT(flush_policy.Name() != nullptr);
    INVARIANT(GetFileChecksumGenCrc32cFactory() != nullptr);
    return true;
  }();
  INVARIANT(done);
}

}  // namespace ROCKSDB_NAMESPACE
