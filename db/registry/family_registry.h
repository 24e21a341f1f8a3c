// The families of an open database, by id, each with what is kept for it.
//
// Threads    Under the DB mutex: whoever has one guards it. Families come and
//            go only while their maker leads all writes.
// Ownership  A family that is removed stays whole for whoever holds it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "db/registry/family_entry.h"

namespace ROCKSDB_NAMESPACE {

class FamilyRegistry {
 public:
  using Map = std::map<uint32_t, FamilyRef>;

  // There is none of its id yet.
  void Add(FamilyRef family);
  void Remove(uint32_t id);
  // Afterwards there are none: the database is being closed.
  [[nodiscard]] Map TakeAll();

  // Null: there is none.
  FamilyRef Find(uint32_t id) const;
  bool Has(uint32_t id) const { return by_id_.contains(id); }
  size_t size() const { return by_id_.size(); }
  bool empty() const { return by_id_.empty(); }
  Map::const_iterator begin() const { return by_id_.begin(); }
  Map::const_iterator end() const { return by_id_.end(); }

  // At least one, as long as the database is open.
  std::vector<ColumnFamilyData*> All() const;
  // To be looked at without the mutex. Any may be dropped meanwhile.
  std::vector<ColumnFamilyRef> Hold() const;
  // The tables of the current versions, which stay on disk while they are held.
  std::vector<LiveTable> LiveTables() const;
  // The directories that they are in, which are not in `paths` yet.
  void AddPaths(std::vector<std::string>* paths) const;

 private:
  Map by_id_;
};

}  // namespace ROCKSDB_NAMESPACE
