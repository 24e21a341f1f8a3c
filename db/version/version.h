// One immutable state of a column family's files.
//
// Threads    Immutable but for VersionStorage's scores (DB mutex).
// Ownership  Shared by SuperVersions, iterators and running jobs; the files go
//            with the last of them.
#pragma once

#include <cstdint>
#include <memory>

#include "db/version/version_storage.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

class ColumnFamilyData;

class Version {
 public:
  Version(ColumnFamilyData* cfd, uint64_t number,
          const InternalKeyComparator* order, int level_count)
      : cfd_(cfd), number_(number), storage_(order, level_count) {
    INVARIANT(number != 0);
  }

  // The family outlives its versions.
  ColumnFamilyData* cfd() const { return cfd_; }
  uint64_t number() const { return number_; }
  const VersionStorage& storage() const { return storage_; }
  VersionStorage* mutable_storage() { return &storage_; }

 private:
  ColumnFamilyData* cfd_;
  uint64_t number_;
  VersionStorage storage_;
};

using VersionRef = std::shared_ptr<Version>;

}  // namespace ROCKSDB_NAMESPACE
