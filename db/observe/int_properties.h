// The properties that are numbers: one table of names, and of how each is
// found.
//
// Threads    The table is immutable. What a getter looks at decides under which
//            lock it is called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class Cache;
class ColumnFamilyData;
struct FamilyEntry;
struct Observed;
struct SuperVersion;

// One of the first four is there.
struct IntProperty {
  // A number of the whole database, whichever family is asked. (mutex)
  uint64_t (*of_database)(const Observed& observed) = nullptr;
  // A number of one family; none: it has no such number. (mutex)
  std::optional<uint64_t> (*of_family)(const Observed& observed,
                                       const FamilyEntry& family) = nullptr;
  // Takes too long for the mutex.
  uint64_t (*of_state)(const SuperVersion& state) = nullptr;
  // A number of the cache that a family uses, which others may share; null: it
  // has none. (mutex)
  const Cache* (*cache)(const ColumnFamilyData& cfd) = nullptr;
  size_t (*of_cache)(const Cache& cache) = nullptr;
};

const std::map<std::string, IntProperty>& IntProperties();
// Null: it is none of them.
const IntProperty* FindIntProperty(const std::string& name);

}  // namespace ROCKSDB_NAMESPACE
