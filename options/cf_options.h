// A column family's options as the running engine reads them.
//
// ImmutableCFOptions has what cannot change while the family is open, and
// MutableCFOptions what SetOptions() replaces. Neither has a field of the
// other: both are made of the rows (options/column_family_rows.def).
//
// Threads    Immutable after construction.
// Ownership  The plain pointers borrow from the shared_ptrs beside them.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "rocksdb/options.h"
#include "rocksdb/status.h"
#include "util/key/internal_key.h"

namespace ROCKSDB_NAMESPACE {

struct ImmutableCFOptions {
  // `options` are sanitised (options/sanitize.h).
  explicit ImmutableCFOptions(const ColumnFamilyOptions& options);

#define FIXED(member, ...) decltype(ColumnFamilyOptions::member) member;
#define DYNAMIC(member, ...)
#include "options/column_family_rows.def"

  // The size of each key's timestamp if the family's files leave it out; 0:
  // keys have none, or files hold it.
  size_t left_out_timestamp_bytes() const {
    return persist_user_defined_timestamps ? 0
                                           : user_comparator->timestamp_size();
  }

  const Comparator* user_comparator;
  InternalKeyComparator internal_comparator;
};

struct MutableCFOptions {
  MutableCFOptions() : MutableCFOptions(ColumnFamilyOptions()) {}
  // `options` are sanitised (options/sanitize.h).
  explicit MutableCFOptions(const ColumnFamilyOptions& options);

#define FIXED(member, ...)
#define DYNAMIC(member, ...) decltype(ColumnFamilyOptions::member) member;
#include "options/column_family_rows.def"

  // Size at which a compaction into `level` ends an output file; no limit for
  // level 0 except in level style.
  uint64_t MaxFileSizeForLevel(int level, CompactionStyle style) const;
  // The factor of max_bytes_for_level_multiplier_additional; 1 beyond its end.
  int MaxBytesMultiplierAdditional(int level) const;
  // max_compaction_bytes, or its default of 25 target file sizes.
  uint64_t MaxCompactionBytes() const;
  // The codec of `level` in a tree whose base level is `base_level`.
  CompressionType CompressionForLevel(int level, int base_level,
                                      bool is_bottommost) const;
  // What files of the last of `level_count` levels must have; kUnknown: any.
  Temperature RequiredTemperature(int level, int level_count) const;
  // What new files of `level` get.
  Temperature WriteTemperature(int level, int level_count) const;
  // The settings that go with that codec.
  const CompressionOptions& CompressionOptionsForLevel(
      bool is_bottommost) const;
};

// All options, as they are now.
ColumnFamilyOptions BuildColumnFamilyOptions(const ImmutableCFOptions& fixed,
                                             const MutableCFOptions& now);

// `current` with the named options set, and the names of those whose value
// has changed. InvalidArgument, with nothing changed, for a name that is
// unknown or fixed, or a value that is wrong.
Status ChangeColumnFamilyOptions(
    const ColumnFamilyOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    ColumnFamilyOptions* result, std::vector<std::string>* changed_names);

}  // namespace ROCKSDB_NAMESPACE
