#include "rocksdb/persistent_cache.h"

#include "cache/block_file_cache.h"
#include "util/ignore_error.h"

namespace ROCKSDB_NAMESPACE {

Status NewPersistentCache(Env* const env, const std::string& path,
                          const uint64_t size,
                          const std::shared_ptr<Logger>& log,
                          const bool optimized_for_nvm,
                          std::shared_ptr<PersistentCache>* cache) {
  if (cache == nullptr || env == nullptr) {
    return Status::InvalidArgument("NewPersistentCache", "a null argument");
  }
  BlockFileCache::Options options;
  options.fs = env->GetFileSystem();
  options.directory = path + "/cache";
  options.capacity_bytes = size;
  options.logger = log;
  options.writes_directly = optimized_for_nvm;
  auto made = std::make_shared<BlockFileCache>(std::move(options));
  Status s = made->Open(path);
  if (s.ok()) *cache = std::move(made);
  return s;
}

}  // namespace ROCKSDB_NAMESPACE
