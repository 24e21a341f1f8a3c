// What the families ask of a batch before its bytes reach a log: an update
// that a memtable or a table refuses must not be in one, since every replay of
// the log would meet it again.
//
// Thread-safe as long as `FamilyRulesOf` is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "rocksdb/status.h"
#include "rocksdb/write_batch.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

// Which updates a family takes.
struct FamilyRules {
  InternalKeyComparator order;
  std::string name;
  bool has_merge_operator = false;
  // The name of the tables that cannot store range tombstones, empty: they can.
  std::string tables_without_ranges;
  // Its data come as whole tables otherwise.
  bool takes_writes = true;
};

// nullopt: there is no such family. Whether that is an error, the insertion
// knows.
using FamilyRulesOf =
    std::function<std::optional<FamilyRules>(uint32_t column_family_id)>;

// InvalidArgument: a range that ends before it begins, a merge for a family
// without an operator, a key that is too short for its timestamp, any update of
// a family that takes none. NotSupported:
// a range for tables that store none. Each family is asked for once.
Status CheckEntries(const WriteBatch& batch, const FamilyRulesOf& rules_of);

}  // namespace ROCKSDB_NAMESPACE
