// The names of figures about the entries of block caches.
#include <string>

#include "cache/cache_entry_roles.h"
#include "rocksdb/cache.h"
#include "util/no_destructor.h"

namespace ROCKSDB_NAMESPACE {

const std::string& BlockCacheEntryStatsMapKeys::CacheId() {
  static NoDestructor<std::string> name("id");
  return *name;
}

const std::string& BlockCacheEntryStatsMapKeys::CacheCapacityBytes() {
  static NoDestructor<std::string> name("capacity");
  return *name;
}

const std::string&
BlockCacheEntryStatsMapKeys::LastCollectionDurationSeconds() {
  static NoDestructor<std::string> name("secs_for_last_collection");
  return *name;
}

const std::string& BlockCacheEntryStatsMapKeys::LastCollectionAgeSeconds() {
  static NoDestructor<std::string> name("secs_since_last_collection");
  return *name;
}

std::string BlockCacheEntryStatsMapKeys::EntryCount(CacheEntryRole role) {
  return "count." + HyphenatedRoleName(role);
}

std::string BlockCacheEntryStatsMapKeys::UsedBytes(CacheEntryRole role) {
  return "bytes." + HyphenatedRoleName(role);
}

std::string BlockCacheEntryStatsMapKeys::UsedPercent(CacheEntryRole role) {
  return "percent." + HyphenatedRoleName(role);
}

}  // namespace ROCKSDB_NAMESPACE
