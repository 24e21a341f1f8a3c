// The ids of families of which only the names are left: for a repair without a
// manifest.
//
// Ids ascend in the order in which families were made, which is that of an
// OPTIONS file; tables tell the ids of some, logs hold ids without names.
//
// Threads  Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

struct KnownFamilies {
  // Ascending by id; the default family may be missing. What a file did not
  // tell of is not in it.
  std::vector<std::string> in_order;
  std::map<std::string, uint32_t> ids;  // those that are known
  std::set<uint32_t> logged;            // that the logs hold something of
};

// The ids of others in `in_order`, where they leave no choice: families that
// were dropped leave gaps, and then only ids that are logged are taken.
std::map<std::string, uint32_t> FindFamilyIds(const KnownFamilies& known);

}  // namespace ROCKSDB_NAMESPACE
