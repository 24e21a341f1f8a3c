// Calls that may change from release to release.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "rocksdb/data_structure.h"
#include "rocksdb/db.h"
#include "rocksdb/file_checksum.h"
#include "rocksdb/file_system.h"
#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/slice.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {
namespace experimental {

// DB::SuggestCompactRange() and DB::PromoteL0(), for a family or the default
// one. InvalidArgument if `db` is null.
Status SuggestCompactRange(DB* db, ColumnFamilyHandle* column_family,
                           const Slice* begin, const Slice* end);
Status SuggestCompactRange(DB* db, const Slice* begin, const Slice* end);
Status PromoteL0(DB* db, ColumnFamilyHandle* column_family,
                 int target_level = 1);

// Checksums of the table and blob files that the manifest which CURRENT names
// lists, into `checksum_list`, in place of what was there; the database may be
// open or not, and no file is read but that. What a file that was made without
// a checksum has is that of no function, kUnknownFileChecksumFuncName.
// InvalidArgument: null. NotFound, Corruption: there is no manifest, or it
// makes no sense; then the list is empty.
Status GetFileChecksumsFromCurrentManifest(FileSystem* fs,
                                           const std::string& dbname,
                                           FileChecksumList* checksum_list);

struct UpdateManifestForFilesStateOptions {
  // Writes where the file system says that files are.
  bool update_temperatures = true;
};
// NotSupported: a manifest is written by an open database alone.
Status UpdateManifestForFilesState(
    const DBOptions& db_opts, const std::string& db_name,
    const std::vector<ColumnFamilyDescriptor>& column_families,
    const UpdateManifestForFilesStateOptions& opts = {});

// --- Filters of table files for scans of a range ----------------------------
//
// Table files say between what their keys are, by some part of the key, and
// ReadOptions::table_filter passes those over that have nothing of a range. For
// the two orders by bytes, without timestamps; in other families no file is
// passed over, nor is one with range deletions.
//
//   SstQueryFilterConfigsManager::MakeShared(data, &manager);
//   manager->MakeSharedFactory("name", version, &factory);
//   options.table_properties_collector_factories.push_back(factory);
//   auto filter = factory->GetTableFilterForRangeQuery(lower, upper);
//   read.table_filter = &filter;

// Cuts keys into segments, one behind another from the first byte on. What an
// implementation must keep: keys that begin with the same bytes, up to the end
// of a segment of one of them that is not its last, have the same segments up
// to there; and of keys in order, with equal segments so far, the next ones
// are in order too.
//
// Threads  Any, at once.
class KeySegmentsExtractor {
 public:
  // Kinds of keys that are cut in different ways, numbered in the order in
  // which their keys come. Those from kMinErrorCategory on say that a key could
  // not be cut: no file with such a key is passed over.
  enum KeyCategory : uint_fast8_t {
    kDefaultCategory = 0,
    kMinCategory = kDefaultCategory,
    kReservedLowCategory = 62,
    kReservedHighCategory = 63,
    kMaxUsableCategory = kReservedHighCategory,
    kErrorCategoryFilterScope = static_cast<uint_fast8_t>(-3),
    kMinErrorCategory = kErrorCategoryFilterScope,
    kErrorCategoryFileScope = static_cast<uint_fast8_t>(-2),
    kErrorCategoryDbScope = static_cast<uint_fast8_t>(-1),
  };
  using KeyCategorySet = SmallEnumSet<KeyCategory, kMaxUsableCategory>;

  // What is cut: a whole key, or a bound of a range.
  enum KeyKind { kFullUserKey, kInclusiveLowerBound, kExclusiveUpperBound };

  struct Result {
    // Where segments end, ascending; the first begins at 0, the others at the
    // end of the one before.
    std::vector<uint32_t> segment_ends;
    KeyCategory category = kDefaultCategory;

    void Reset() {
      segment_ends.clear();
      category = kDefaultCategory;
    }
  };

  virtual ~KeySegmentsExtractor() = default;

  virtual const char* Name() const = 0;
  // The name with what it was made from.
  virtual std::string GetId() const { return Name(); }
  // *result has been Reset().
  virtual void Extract(const Slice& key_or_bound, KeyKind kind,
                       Result* result) const = 0;
};

// Segments of these numbers of bytes; the last ones of a short key are shorter,
// or are not there.
std::shared_ptr<const KeySegmentsExtractor>
MakeSharedCappedKeySegmentsExtractor(const std::vector<size_t>& byte_widths);

// --- What of a key a filter is about.

// One segment, counted from 0; empty where a key has too few.
struct SelectKeySegment {
  explicit SelectKeySegment(uint16_t _segment_index)
      : segment_index(_segment_index) {}
  uint16_t segment_index;
};
// Segments in a row, both ends included.
struct SelectKeySegmentRange {
  SelectKeySegmentRange(uint8_t _from_segment_index, uint8_t _to_segment_index)
      : from_segment_index(_from_segment_index),
        to_segment_index(_to_segment_index) {}
  uint8_t from_segment_index;
  uint8_t to_segment_index;
};
struct SelectWholeKey {};
// MakeShared() answers NotSupported for these three.
struct SelectLegacyKeyPrefix {};
struct SelectUserTimestamp {};
struct SelectColumnName {};

using FilterInput =
    std::variant<SelectWholeKey, SelectKeySegment, SelectKeySegmentRange,
                 SelectLegacyKeyPrefix, SelectUserTimestamp, SelectColumnName>;

// One filter; made by the two calls below.
class SstQueryFilterConfig {
 public:
  virtual ~SstQueryFilterConfig() = default;
};

// The smallest and the largest of what `select` takes of the keys whose
// categories are among `categories`. A file with other keys is not passed over.
// The first is for families in BytewiseComparator()'s order, the other for
// ReverseBytewiseComparator()'s.
std::shared_ptr<SstQueryFilterConfig> MakeSharedBytewiseMinMaxSQFC(
    FilterInput select, KeySegmentsExtractor::KeyCategorySet categories =
                            KeySegmentsExtractor::KeyCategorySet::All());
std::shared_ptr<SstQueryFilterConfig> MakeSharedReverseBytewiseMinMaxSQFC(
    FilterInput select, KeySegmentsExtractor::KeyCategorySet categories =
                            KeySegmentsExtractor::KeyCategorySet::All());

// The filters of a file, and what cuts its keys; null: nothing does, and whole
// keys alone can be selected.
struct SstQueryFilterConfigs {
  std::vector<std::shared_ptr<SstQueryFilterConfig>> filters;
  std::shared_ptr<const KeySegmentsExtractor> extractor;

  // There are none, perhaps because none has the name.
  bool IsEmptyNotFound() const {
    return filters.empty() && extractor == nullptr;
  }
};

// All sets of filters that an application has ever written, by name and
// version, so that the files of each can still be told apart.
//
// Threads  Any, at once.
class SstQueryFilterConfigsManager
    : public std::enable_shared_from_this<SstQueryFilterConfigsManager> {
 public:
  using FilteringVersion = uint32_t;
  using NamedConfigs = std::pair<std::string, SstQueryFilterConfigs>;
  // For each version what is new in it; other names keep what they have.
  using Data =
      std::vector<std::pair<FilteringVersion, std::vector<NamedConfigs>>>;

  // InvalidArgument: versions that do not ascend, a name twice in one, a null
  // filter, segments without an extractor. NotSupported: what cannot be
  // selected.
  static Status MakeShared(const Data& data,
                           std::shared_ptr<SstQueryFilterConfigsManager>* out);
  virtual ~SstQueryFilterConfigsManager() = default;

  // Has filters written, for table_properties_collector_factories, and read.
  class Factory : public TablePropertiesCollectorFactory {
   public:
    // Files from now on. InvalidArgument: not between the first and the last
    // version of the data.
    virtual Status SetFilteringVersion(FilteringVersion ver) = 0;
    virtual FilteringVersion GetFilteringVersion() const = 0;
    virtual const std::string& GetConfigsName() const = 0;
    // Those of its name and version.
    virtual const SstQueryFilterConfigs& GetConfigs() const = 0;
    // For ReadOptions::table_filter: false for files that have nothing in
    // [lower, upper), in the family's order. An empty bound is none. Copies
    // what it needs; outlives this.
    virtual std::function<bool(const TableProperties&)>
    GetTableFilterForRangeQuery(Slice lower_bound_incl,
                                Slice upper_bound_excl) const = 0;
  };
  // Errors as SetFilteringVersion(). A name that is not there has no filters.
  virtual Status MakeSharedFactory(const std::string& configs_name,
                                   FilteringVersion ver,
                                   std::shared_ptr<Factory>* out) const = 0;
};

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE
