// Which database, and which family of it, an operation goes to.
//
// There may be several databases (--num_multi_db), each with the same families
// (--num_column_families). The database is drawn at random; the family follows
// from the key's number, so that a reader finds what a writer put there. With
// hot families, only the newest are drawn, and more are made as fills go on.
//
// Threads    Pick() from any thread, also while MakeFamilies() runs.
// Ownership  Owns the handles, and lets go of them in Clear(); borrows the
//            databases.

#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "rocksdb/db.h"
#include "rocksdb/options.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/status.h"
#include "tools/db_bench/random.h"

namespace ROCKSDB_NAMESPACE::bench {

struct Target {
  DB* db = nullptr;
  ColumnFamilyHandle* family = nullptr;
};

// Empty if the flags of families and databases fit each other.
std::string CheckTargetFlags();

// The name of the i-th family.
std::string FamilyName(size_t index);
// How many there are to be, and how many of them when a database is opened.
size_t FamilyCount();
size_t FamiliesAtFirst();

class Targets {
 public:
  Targets();
  ~Targets() { Clear(); }
  Targets(const Targets&) = delete;
  Targets& operator=(const Targets&) = delete;

  // `handles` are those of FamiliesAtFirst() families; empty: the default one.
  void Add(DB* db, const std::vector<ColumnFamilyHandle*>& handles);
  void Clear();

  size_t database_count() const { return databases_.size(); }
  // All families that exist now, of all databases.
  std::vector<Target> All() const;

  Target Pick(uint64_t number, Random* random) const {
    return is_single_ ? single_ : PickOne(number, random);
  }
  // Where the key of `number` goes in that database.
  Target PickIn(size_t database, uint64_t number) const;

  // Makes the families of that stage of a fill, unless another thread has.
  Status MakeFamilies(size_t stage, const ColumnFamilyOptions& options);

 private:
  struct OneDatabase {
    DB* db = nullptr;
    // Has its final size from the beginning; null where none is made yet.
    std::vector<ColumnFamilyHandle*> families;
    bool owns_handles = false;
  };

  Target PickOne(uint64_t number, Random* random) const;
  size_t FamilyOf(uint64_t number) const;

  const size_t hot_;
  // The cumulative percentages of the hot families; empty: their shares are
  // equal.
  std::vector<uint32_t> shares_;
  std::vector<OneDatabase> databases_;
  // How many families exist. release: pairs with acquire in FamilyOf(), so that
  // whoever sees the number sees the handles.
  std::atomic<size_t> made_{1};
  std::mutex making_;  // One thread at a time makes families.
  bool is_single_ = false;
  Target single_;
};

}  // namespace ROCKSDB_NAMESPACE::bench
