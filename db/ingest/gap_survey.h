// Whether tables hold keys of files that are to come, where the ranges of both
// overlap: a file that falls into a gap between two keys hides nothing there.
//
// A table is looked into once, however many versions list it.
//
// Threads  One at a time. Look() does I/O: without the DB mutex.
// Errors   A table that cannot be read counts as one that holds keys.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "db/ingest/placement.h"
#include "db/tables/table_cache.h"
#include "db/version/version_storage.h"

namespace ROCKSDB_NAMESPACE {

class GapSurvey {
 public:
  // `tables` outlives it; null: nothing is looked into. `fill_cache`: blocks
  // that it reads stay in the cache.
  GapSurvey(const TableCache* tables, bool fill_cache)
      : tables_(tables), fill_cache_(fill_cache) {}

  // Looks into what of a version may hold keys of these files. They must be
  // the same, in the same order, at each call.
  void Look(const VersionStorage& storage, const MutableCFOptions& options,
            const std::vector<KeySpan>& files);
  // Looks anew: the files are others.
  void Forget() { holds_keys_.clear(); }
  // Does a table of the level hold keys of files[index], which is `span`? One
  // that was not looked into does.
  bool HoldsKeys(const VersionStorage& storage, int level, size_t index,
                 const KeySpan& span) const;

 private:
  // By the number of the table and the index of the file.
  using Pair = std::pair<uint64_t, size_t>;

  struct Table {
    const InternalKeyComparator& order;
    const MutableCFOptions& options;
    const FileMeta& file;
    int level = 0;
  };
  Status LookInto(const Table& table, const KeySpan& span,
                  bool* holds_keys) const;

  const TableCache* const tables_;
  const bool fill_cache_;
  std::map<Pair, bool> holds_keys_;
};

}  // namespace ROCKSDB_NAMESPACE
