// The names of enumeration values in option text and OPTIONS files.
//
// Threads  Constants.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rocksdb/checksum_type.h"
#include "rocksdb/options.h"
#include "rocksdb/table.h"

namespace ROCKSDB_NAMESPACE {

template <class E>
struct EnumName {
  std::string_view name;
  E value;
};

// One specialisation for each enumeration that options use.
template <class E>
std::span<const EnumName<E>> EnumNames() = delete;

#define DECLARE_ENUM_NAMES(E) \
  template <>                 \
  std::span<const EnumName<E>> EnumNames<E>()

DECLARE_ENUM_NAMES(BlockBasedTableOptions::BlockSearchType);
DECLARE_ENUM_NAMES(BlockBasedTableOptions::DataBlockIndexType);
DECLARE_ENUM_NAMES(BlockBasedTableOptions::IndexShorteningMode);
DECLARE_ENUM_NAMES(BlockBasedTableOptions::IndexType);
DECLARE_ENUM_NAMES(BlockBasedTableOptions::PrepopulateBlockCache);
DECLARE_ENUM_NAMES(CacheTier);
DECLARE_ENUM_NAMES(ChecksumType);
DECLARE_ENUM_NAMES(CompactionPri);
DECLARE_ENUM_NAMES(CompactionStopStyle);
DECLARE_ENUM_NAMES(CompactionStyle);
DECLARE_ENUM_NAMES(CompressionType);
DECLARE_ENUM_NAMES(EncodingType);
DECLARE_ENUM_NAMES(FileAccess);
DECLARE_ENUM_NAMES(InfoLogLevel);
DECLARE_ENUM_NAMES(PinningTier);
DECLARE_ENUM_NAMES(PrepopulateBlobCache);
DECLARE_ENUM_NAMES(Temperature);
DECLARE_ENUM_NAMES(WALRecoveryMode);

#undef DECLARE_ENUM_NAMES

// False if there is no such name.
template <class E>
bool EnumFromName(std::string_view name, E* value) {
  for (const EnumName<E>& entry : EnumNames<E>()) {
    if (entry.name != name) continue;
    *value = entry.value;
    return true;
  }
  return false;
}

// Empty for a value without a name.
template <class E>
std::string_view NameOfEnum(E value) {
  for (const EnumName<E>& entry : EnumNames<E>()) {
    if (entry.value == value) return entry.name;
  }
  return {};
}

}  // namespace ROCKSDB_NAMESPACE
