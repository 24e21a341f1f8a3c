#include "rocksdb/persistent_cache.h"

namespace ROCKSDB_NAMESPACE {

Status NewPersistentCache(Env* const /*env*/, const std::string& path,
                          const uint64_t /*size*/,
                          const std::shared_ptr<Logger>& /*log*/,
                          const bool /*optimized_for_nvm*/,
                          std::shared_ptr<PersistentCache>* /*cache*/) {
  return Status::NotSupported("NewPersistentCache", path);
}

}  // namespace ROCKSDB_NAMESPACE
