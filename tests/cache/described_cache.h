// What a cache says of itself, as text.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "rocksdb/advanced_cache.h"
#include "rocksdb/secondary_cache.h"

namespace ROCKSDB_NAMESPACE {

// "LRUCache of 1048576"; "none" for null.
inline std::string DescribedCache(const std::shared_ptr<Cache>& cache) {
  if (cache == nullptr) return "none";
  std::string text = std::string(cache->Name()) + " of " +
                     std::to_string(cache->GetCapacity());
  if (cache->HasStrictCapacityLimit()) text += ", strict";
  return text;
}

inline std::string DescribedCache(
    const std::shared_ptr<SecondaryCache>& cache) {
  if (cache == nullptr) return "none";
  size_t capacity = 0;
  EXPECT_TRUE(cache->GetCapacity(capacity).ok());
  return std::string(cache->Name()) + " of " + std::to_string(capacity);
}

}  // namespace ROCKSDB_NAMESPACE
