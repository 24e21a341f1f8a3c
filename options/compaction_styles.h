// What the engine asks of a compaction style, one row a style
// (options/compaction_styles.def). Nobody asks which style it is.
//
// Threads  Constants.
#pragma once

#include <cstdint>

#include "rocksdb/advanced_options.h"

namespace ROCKSDB_NAMESPACE {

// Whether periodic_compaction_seconds is set where the engine chooses it.
enum class PeriodicDefault : uint8_t { kNever, kForFilters, kAlways };

struct CompactionStyleTraits {
  CompactionStyle style = kCompactionStyleNone;

  // Levels have target sizes, towards which files go down one by one. So it is
  // known how many bytes are still to be compacted, level 0 has files of a
  // bounded size, and an output may end where it suits the level below.
  bool sizes_levels = false;
  // Old data come to deeper levels than young ones.
  bool moves_down = false;
  // Merges whole sorted runs, as compaction_options_universal says. What begins
  // by itself waits while a user's request, which takes all runs, is kept from
  // running.
  bool merges_runs = false;
  // A user's request for a range of keys takes all files, not one level after
  // the other.
  bool takes_all_at_once = false;
  // The last level can be kept free for files that are ingested behind.
  bool can_ingest_behind = false;
  // Nothing is put into deeper levels. Nothing makes level 0 shorter for
  // writers to wait for.
  bool has_only_level0 = false;
  // Files go as wholes when the newest of their data are too old; tables need
  // not be rewritten for data to go.
  bool drops_old_files = false;
  int fewest_levels = 1;
  PeriodicDefault periodic = PeriodicDefault::kNever;
};

inline constexpr CompactionStyleTraits kCompactionStyles[] = {
#define COMPACTION_STYLE(id, Name, ...) {.style = id, __VA_ARGS__},
#include "options/compaction_styles.def"
};

// Null: there is no such style. Options that are not checked yet may have any
// number.
constexpr const CompactionStyleTraits* FindCompactionStyle(
    CompactionStyle style) {
  for (const CompactionStyleTraits& row : kCompactionStyles) {
    if (row.style == style) return &row;
  }
  return nullptr;
}

// A style that is not there does nothing.
constexpr const CompactionStyleTraits& TraitsOf(CompactionStyle style) {
  const CompactionStyleTraits* const row = FindCompactionStyle(style);
  return row != nullptr ? *row : *FindCompactionStyle(kCompactionStyleNone);
}

}  // namespace ROCKSDB_NAMESPACE
