// Properties that walk caches, open tables or ask the operating system, for a
// state of a family that is held meanwhile.
//
// Threads    Any, never under the DB mutex.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/slice.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;
struct ImmutableDBOptions;
struct Observed;
struct SuperVersion;

// In which of two forms a property is asked for: the other is null.
struct PropertyForm {
  std::string* text = nullptr;
  std::map<std::string, std::string>* map = nullptr;
};

class StateProperties {
 public:
  // False: it is none of them, or cannot be found out.
  bool Get(const Observed& observed, ColumnFamilyData* cfd,
           const Slice& property, const PropertyForm& form);

 private:
  bool Cached(const ImmutableDBOptions& db, const SuperVersion& state,
              uint64_t max_age_micros, const PropertyForm& form);
  static bool InPageCache(const SuperVersion& state, const PropertyForm& form);
  static bool OfTables(const SuperVersion& state, const Slice& property,
                       const PropertyForm& form);
};

}  // namespace ROCKSDB_NAMESPACE
