// The names of figures about the entries of block caches.
#include <string>

#include "cache/cache_entry_roles.h"
#include "rocksdb/cache.h"

namespace ROCKSDB_NAMESPACE {

const std::string& BlockCacheEntryStatsMapKeys::CacheId() {
  static const auto& name = *new std::string("id");
  return name;
}

const std::string& BlockCacheEntryStatsMapKeys::CacheCapacityBytes() {
  static const auto& name = *new std::string("capacity");
  return name;
}

const std::string&
BlockCacheEntryStatsMapKeys::LastCollectionDurationSeconds() {
  static const auto& name = *new std::string("secs_for_last_collection");
  return name;
}

const std::string& BlockCacheEntryStatsMapKeys::LastCollectionAgeSeconds() {
  static const auto& name = *new std::string("secs_since_last_collection");
  return name;
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
