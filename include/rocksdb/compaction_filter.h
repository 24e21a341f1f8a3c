#pragma once

// A say for the application in what compactions and flushes keep.
//
// A filter sees entries that no snapshot needs, unless it ignores snapshots.
//
// Threads  A filter made by a factory is used by one thread at a time; one that
//          is set directly is used by many.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/status.h"
#include "rocksdb/table_properties.h"
#include "rocksdb/types.h"
#include "rocksdb/wide_columns.h"

namespace ROCKSDB_NAMESPACE {

// The columns of an entity of which some are in blob files, for FilterV4().
//
// Threads   As the call of FilterV4() that has it, and until that returns: so
//           long its slices are good.
class WideColumnBlobResolver {
 public:
  virtual ~WideColumnBlobResolver() = default;

  // The value of a column, by its place in `existing_columns`. One that is in a
  // blob file is read there, once. InvalidArgument: there is no such column.
  virtual Status ResolveColumn(size_t column_index, Slice* resolved_value) = 0;
  // The same for several, in their order; *resolved_values has as many. The
  // default asks for one after another, and ends with the first that fails.
  virtual Status ResolveColumns(const std::vector<size_t>& column_indices,
                                std::vector<Slice>* resolved_values);
  // Is its value in a blob file? False for one that is not there.
  virtual bool IsBlobColumn(size_t column_index) const = 0;
  virtual size_t NumColumns() const = 0;
};

class CompactionFilter : public Customizable {
 public:
  // What the filter is shown.
  enum ValueType {
    kValue,
    kMergeOperand,
    // The reference to a blob; only when FilterBlobByKey() was undetermined.
    kBlobIndex,
    kWideColumnEntity,
  };

  // The verdict on one entry.
  enum class Decision {
    kKeep,
    // Leave a tombstone in its place; a merge operand just goes.
    kRemove,
    // Take `*new_value`.
    kChangeValue,
    // Drop this key and all up to, not including, `*skip_until`, without
    // tombstones: older versions below may come back.
    kRemoveAndSkipUntil,
    // For stacked blob stores only.
    kChangeBlobIndex,
    // The filter could not read what it needs; the compaction fails.
    kIOError,
    // Like kRemove, but the tombstone is a SingleDelete.
    kPurge,
    // Take `*new_columns`.
    kChangeWideColumnEntity,
    // FilterBlobByKey() only: fetch the value and ask again.
    kUndetermined,
  };

  enum class BlobDecision { kKeep, kChangeValue, kCorruption, kIOError };

  // The job for which a filter is made.
  struct Context {
    // All files of the column family take part.
    bool is_full_compaction = false;
    // The application asked for it.
    bool is_manual_compaction = false;
    int input_start_level = kUnknownStartLevel;
    uint32_t column_family_id = 0;
    TableFileCreationReason reason = TableFileCreationReason::kMisc;
    // The properties of the files that are compacted, by path; empty for a
    // flush.
    TablePropertiesCollection input_table_properties;

    static constexpr int kUnknownStartLevel = -1;
  };

  ~CompactionFilter() override = default;

  static Status CreateFromString(const ConfigOptions& config_options,
                                 const std::string& name,
                                 const CompactionFilter** result);
  static const char* Type() { return "CompactionFilter"; }

  // The simplest form: true removes a plain value. With `*value_changed` set,
  // `*new_value` replaces it. `level` here and below is the level where the
  // inputs of the compaction begin, and 0 in a flush.
  virtual bool Filter(int /*level*/, const Slice& /*key*/,
                      const Slice& /*existing_value*/,
                      std::string* /*new_value*/,
                      bool* /*value_changed*/) const {
    return false;
  }
  // True removes a merge operand. As with the other forms below, operands that
  // a snapshot sees are not shown.
  virtual bool FilterMergeOperand(int /*level*/, const Slice& /*key*/,
                                  const Slice& /*operand*/) const {
    return false;
  }

  // The full form for values and operands; calls the two above by default.
  virtual Decision FilterV2(int level, const Slice& key, ValueType value_type,
                            const Slice& existing_value, std::string* new_value,
                            std::string* skip_until) const;

  // The form for entities too. `existing_value` is set for all other types,
  // `existing_columns` for entities. By default entities are kept and the rest
  // goes to FilterV2().
  virtual Decision FilterV3(
      int level, const Slice& key, ValueType value_type,
      const Slice* existing_value, const WideColumns* existing_columns,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until) const;

  // The form that reads blobs of entities only where it has to: asked instead
  // of FilterV3() if SupportsFilterV4(). A column of an entity that is in a
  // blob file has its stored reference for a value; `blob_resolver`, set for
  // entities alone, reads it. If it fails, answer kIOError. By default goes to
  // FilterV3().
  virtual Decision FilterV4(
      int level, const Slice& key, ValueType value_type,
      const Slice* existing_value, const WideColumns* existing_columns,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until, WideColumnBlobResolver* blob_resolver) const;
  virtual bool SupportsFilterV4() const { return false; }

  // For stacked blob stores only: the database does not ask.
  virtual BlobDecision PrepareBlobOutput(const Slice& /*key*/,
                                         const Slice& /*existing_value*/,
                                         std::string* /*new_value*/) const {
    return BlobDecision::kKeep;
  }

  // The verdict on a blob value from its key alone, which saves reading it.
  virtual Decision FilterBlobByKey(int /*level*/, const Slice& /*key*/,
                                   std::string* /*new_value*/,
                                   std::string* /*skip_until*/) const {
    return Decision::kUndetermined;
  }

  // Kept for older filters; ignoring snapshots is the only choice, and a
  // filter that says false makes the compaction fail with NotSupported.
  virtual bool IgnoreSnapshots() const { return true; }

  // True for the filter inside a stacked blob store.
  virtual bool IsStackedBlobDbInternalCompactionFilter() const { return false; }
};

// Makes one filter for each flush or compaction.
class CompactionFilterFactory : public Customizable {
 public:
  ~CompactionFilterFactory() override = default;

  static Status CreateFromString(
      const ConfigOptions& config_options, const std::string& name,
      std::shared_ptr<CompactionFilterFactory>* result);
  static const char* Type() { return "CompactionFilterFactory"; }

  // Whether jobs with this reason want a filter at all.
  virtual bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const {
    return reason == TableFileCreationReason::kCompaction;
  }

  virtual std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) = 0;
};

}  // namespace ROCKSDB_NAMESPACE
