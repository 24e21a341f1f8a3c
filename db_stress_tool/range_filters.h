// Filters of table files for scans of a range: each table says between which
// bytes its keys are, and iterators with both bounds leave out the tables that
// have nothing of theirs.
//
// The filters have names and versions, so that tables of several of them lie
// beside each other in a database that one process after the other works on.
//
// Threads  Prepare(): alone. For(): any.
// Errors   NotSupported: the engine has no such filters.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "db_stress_tool/flags.h"
#include "rocksdb/options.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE::stress {

class RangeFilters {
 public:
  RangeFilters();
  ~RangeFilters();

  // Gives the tables of `family` the filters that --sqfc_name and
  // --sqfc_version choose.
  Status Prepare(const Flags& flags, ColumnFamilyOptions* family);

  using TableFilter = std::function<bool(const TableProperties&)>;
  // Whether a table may have something in [lower, upper). Null: there are no
  // filters, or iterators are not to go by them.
  TableFilter For(const Slice& lower, const Slice& upper) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

// *filter, which stays for as long as the iterator does, decides which tables
// it reads.
Status SetTableFilter(const RangeFilters::TableFilter* filter,
                      ReadOptions* options);

}  // namespace ROCKSDB_NAMESPACE::stress
