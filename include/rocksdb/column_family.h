#pragma once

// A column family as the calls of a DB name it, and what else is passed to
// them.
//
// Threads    A handle may be used from any thread.
// Lifetime   Handles are freed before their DB.

#include <cstdint>
#include <functional>
#include <string>

#include "rocksdb/comparator.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"

namespace ROCKSDB_NAMESPACE {

// The family that every database has.
extern const std::string kDefaultColumnFamilyName;
// The family that keeps the statistics of a database with
// DBOptions::persist_stats_to_disk.
extern const std::string kPersistentStatsColumnFamilyName;

// A family and the options to open it with.
struct ColumnFamilyDescriptor {
  std::string name;
  ColumnFamilyOptions options;

  ColumnFamilyDescriptor()
      : name(kDefaultColumnFamilyName), options(ColumnFamilyOptions()) {}
  ColumnFamilyDescriptor(const std::string& family_name,
                         const ColumnFamilyOptions& family_options)
      : name(family_name), options(family_options) {}
};

// Names one open column family in the calls of its DB. Freed with
// DB::DestroyColumnFamilyHandle() or delete, before the DB.
class ColumnFamilyHandle {
 public:
  virtual ~ColumnFamilyHandle() {}
  virtual const std::string& GetName() const = 0;
  virtual uint32_t GetID() const = 0;
  // The current options. NotFound if the family was dropped.
  virtual Status GetDescriptor(ColumnFamilyDescriptor* descriptor) = 0;
  virtual const Comparator* GetComparator() const = 0;

 private:
  friend class ColumnFamilyHandleInternal;
  // False: its family has disallow_memtable_writes.
  virtual bool TakesWrites() const { return true; }
};

// A range whose ends may be open (null).
struct RangePtr {
  const Slice* start;
  const Slice* limit;

  RangePtr() : start(nullptr), limit(nullptr) {}
  RangePtr(const Slice* from, const Slice* to) : start(from), limit(to) {}
};

// How DB::GetMergeOperands() answers.
struct GetMergeOperandsOptions {
  // Room for so many operands in the caller's array.
  int expected_max_number_of_operands = 0;
  // Called with each operand, newest first; false ends the search behind it.
  // Null: all operands are wanted.
  using ContinueCallback = std::function<bool(Slice)>;
  ContinueCallback continue_cb;
};

}  // namespace ROCKSDB_NAMESPACE
