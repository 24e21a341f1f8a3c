#include "cache/cache_entry_roles.h"

#include <array>
#include <string>

#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

struct RoleNames {
  std::string plain;
  std::string hyphenated;
};

const RoleNames& NamesOf(CacheEntryRole role) {
  static const std::array<RoleNames, kNumCacheEntryRoles> kNames{{
      {"DataBlock", "data-block"},
      {"FilterBlock", "filter-block"},
      {"FilterMetaBlock", "filter-meta-block"},
      {"DeprecatedFilterBlock", "deprecated-filter-block"},
      {"IndexBlock", "index-block"},
      {"OtherBlock", "other-block"},
      {"WriteBuffer", "write-buffer"},
      {"CompressionDictionaryBuildingBuffer",
       "compression-dictionary-building-buffer"},
      {"FilterConstruction", "filter-construction"},
      {"BlockBasedTableReader", "block-based-table-reader"},
      {"FileMetadata", "file-metadata"},
      {"BlobValue", "blob-value"},
      {"BlobCache", "blob-cache"},
      {"Misc", "misc"},
  }};
  const size_t index = static_cast<size_t>(role);
  INVARIANT(index < kNames.size());
  return kNames[index];
}

}  // namespace

const std::string& GetCacheEntryRoleName(CacheEntryRole role) {
  return NamesOf(role).plain;
}

const std::string& HyphenatedRoleName(CacheEntryRole role) {
  return NamesOf(role).hyphenated;
}

}  // namespace ROCKSDB_NAMESPACE
