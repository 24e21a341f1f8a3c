#include "db_stress_tool/range_filters.h"

#if __has_include("rocksdb/lazy_wide_columns.h")
#include "rocksdb/experimental.h"
#define DB_STRESS_HAS_RANGE_FILTERS 1
#endif

namespace ROCKSDB_NAMESPACE::stress {

#ifdef DB_STRESS_HAS_RANGE_FILTERS

namespace {

using experimental::MakeSharedBytewiseMinMaxSQFC;
using experimental::MakeSharedCappedKeySegmentsExtractor;
using experimental::SelectKeySegment;
using experimental::SelectKeySegmentRange;
using experimental::SelectWholeKey;
using experimental::SstQueryFilterConfigs;
using Manager = experimental::SstQueryFilterConfigsManager;

// All that any run has ever written. Keys begin with a number of eight bytes,
// of which the first ones are zeros and some have more behind them.
Manager::Data AllFilters() {
  SstQueryFilterConfigs whole_keys;
  whole_keys.filters = {MakeSharedBytewiseMinMaxSQFC(SelectWholeKey{})};
  SstQueryFilterConfigs segments;
  segments.extractor = MakeSharedCappedKeySegmentsExtractor({5, 2, 1, 8});
  segments.filters = {MakeSharedBytewiseMinMaxSQFC(SelectKeySegmentRange(0, 1)),
                      MakeSharedBytewiseMinMaxSQFC(SelectKeySegment(2))};
  SstQueryFilterConfigs more_segments;
  more_segments.extractor = MakeSharedCappedKeySegmentsExtractor({6, 1, 1});
  more_segments.filters = {
      MakeSharedBytewiseMinMaxSQFC(SelectKeySegment(1)),
      MakeSharedBytewiseMinMaxSQFC(SelectKeySegmentRange(0, 2))};
  return {{1, {{"foo", whole_keys}, {"bar", segments}}},
          {2, {{"foo", more_segments}}}};
}

}  // namespace

struct RangeFilters::Parts {
  std::shared_ptr<Manager> manager;
  std::shared_ptr<Manager::Factory> factory;
  bool filters_reads = false;
};

Status RangeFilters::Prepare(const Flags& flags, ColumnFamilyOptions* family) {
  *parts_ = Parts();
  if (flags.sqfc_version == 0) return Status::OK();
  parts_->filters_reads = flags.use_sqfc_for_range_queries;
  Status s = Manager::MakeShared(AllFilters(), &parts_->manager);
  if (!s.ok()) return s;
  s = parts_->manager->MakeSharedFactory(
      flags.sqfc_name,
      static_cast<Manager::FilteringVersion>(flags.sqfc_version),
      &parts_->factory);
  if (!s.ok()) return s;
  family->table_properties_collector_factories.push_back(parts_->factory);
  return s;
}

RangeFilters::TableFilter RangeFilters::For(const Slice& lower,
                                            const Slice& upper) const {
  if (!parts_->filters_reads) return nullptr;
  return parts_->factory->GetTableFilterForRangeQuery(lower, upper);
}

Status SetTableFilter(const RangeFilters::TableFilter* filter,
                      ReadOptions* options) {
  options->table_filter = filter;
  return Status::OK();
}

#else

struct RangeFilters::Parts {};

Status RangeFilters::Prepare(const Flags& flags, ColumnFamilyOptions*) {
  return flags.sqfc_version == 0 ? Status::OK()
                                 : Status::NotSupported("--sqfc_version");
}

RangeFilters::TableFilter RangeFilters::For(const Slice&, const Slice&) const {
  return nullptr;
}

Status SetTableFilter(const RangeFilters::TableFilter*, ReadOptions*) {
  return Status::NotSupported("ReadOptions::table_filter");
}

#endif

RangeFilters::RangeFilters() : parts_(std::make_unique<Parts>()) {}

RangeFilters::~RangeFilters() = default;

}  // namespace ROCKSDB_NAMESPACE::stress
