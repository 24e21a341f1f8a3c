// Filters of table files for scans of a range: who has them written and read.
//
// Format   The user property basalt.sqfc: varint32 1, length-prefixed name of
//          the configs, varint32 version, varint32 filter count, the filters.
#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/comparator.h"
#include "rocksdb/experimental.h"
#include "util/coding.h"
#include "util/invariant.h"
#include "utilities/query_filters/key_range_filter.h"

namespace ROCKSDB_NAMESPACE {
namespace experimental {

namespace {

constexpr const char* kFilterProperty = "basalt.sqfc";
constexpr uint32_t kFilterFormat = 1;
using FilteringVersion = SstQueryFilterConfigsManager::FilteringVersion;

// There are no others: the two calls below are all that make one.
const KeyRangeConfig& AsKeyRange(const SstQueryFilterConfig& config) {
  return static_cast<const KeyRangeConfig&>(config);
}

// What one file was written with.
struct FilterOrigin {
  std::string configs_name;
  FilteringVersion version = 0;
};

class QueryFilterCollector final : public TablePropertiesCollector {
 public:
  QueryFilterCollector(FilterOrigin origin,
                       const SstQueryFilterConfigs& configs)
      : origin_(std::move(origin)),
        configs_(configs),
        filters_(configs.filters.size()) {}

  const char* Name() const override { return "SstQueryFilterConfigs"; }
  Status AddUserKey(const Slice& key, const Slice& /*value*/,
                    EntryType /*type*/, SequenceNumber /*sequence*/,
                    uint64_t /*file_size*/) override {
    const CutKey cut = CutKey::Of(configs_.extractor.get(), key,
                                  KeySegmentsExtractor::kFullUserKey);
    for (size_t i = 0; i < filters_.size(); ++i) {
      filters_[i].Add(AsKeyRange(*configs_.filters[i]), cut);
    }
    return Status::OK();
  }
  Status Finish(UserCollectedProperties* properties) override {
    std::string text;
    PutVarint32(&text, kFilterFormat);
    PutLengthPrefixedSlice(&text, origin_.configs_name);
    PutVarint32(&text, origin_.version);
    PutVarint32(&text, static_cast<uint32_t>(filters_.size()));
    for (const KeyRangeFilter& filter : filters_) filter.EncodeTo(&text);
    properties->insert({kFilterProperty, text});
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }

 private:
  const FilterOrigin origin_;
  const SstQueryFilterConfigs configs_;
  std::vector<KeyRangeFilter> filters_;
};

class ManagerImpl final : public SstQueryFilterConfigsManager {
 public:
  Status Load(const Data& data);
  Status MakeSharedFactory(const std::string& configs_name,
                           FilteringVersion ver,
                           std::shared_ptr<Factory>* out) const override;

  Status CheckVersion(FilteringVersion version) const;
  // The newest up to the version; never null.
  const SstQueryFilterConfigs* Find(const FilterOrigin& origin) const;
  // False: a file with this property has nothing between the bounds.
  bool MayHold(const TableProperties& file, const Slice& lower,
               const Slice& upper) const;

 private:
  static Status CheckConfigs(const SstQueryFilterConfigs& configs);
  bool MayHoldBy(Slice stored, const Slice& lower, const Slice& upper,
                 KeyRangeConfig::Order order) const;

  FilteringVersion first_ = 0;
  FilteringVersion last_ = 0;
  bool is_empty_ = true;
  std::map<std::string, std::map<FilteringVersion, SstQueryFilterConfigs>>
      configs_;
};

class FactoryImpl final : public SstQueryFilterConfigsManager::Factory {
 public:
  FactoryImpl(std::shared_ptr<const ManagerImpl> manager, std::string name,
              FilteringVersion version)
      : manager_(std::move(manager)),
        name_(std::move(name)),
        version_(version) {}

  const char* Name() const override { return "SstQueryFilterConfigsManager"; }
  TablePropertiesCollector* CreateTablePropertiesCollector(
      Context /*context*/) override {
    const FilterOrigin origin = {name_, version_.load()};
    const SstQueryFilterConfigs& configs = *manager_->Find(origin);
    if (configs.filters.empty()) return nullptr;
    return std::make_unique<QueryFilterCollector>(origin, configs).release();
  }
  Status SetFilteringVersion(FilteringVersion ver) override {
    Status s = manager_->CheckVersion(ver);
    if (s.ok()) version_ = ver;
    return s;
  }
  FilteringVersion GetFilteringVersion() const override { return version_; }
  const std::string& GetConfigsName() const override { return name_; }
  const SstQueryFilterConfigs& GetConfigs() const override {
    return *manager_->Find({name_, version_.load()});
  }
  std::function<bool(const TableProperties&)> GetTableFilterForRangeQuery(
      Slice lower_bound_incl, Slice upper_bound_excl) const override {
    return [manager = manager_, lower = lower_bound_incl.ToString(),
            upper = upper_bound_excl.ToString()](const TableProperties& file) {
      return manager->MayHold(file, lower, upper);
    };
  }

 private:
  const std::shared_ptr<const ManagerImpl> manager_;
  const std::string name_;
  std::atomic<FilteringVersion> version_;
};

Status ManagerImpl::CheckConfigs(const SstQueryFilterConfigs& configs) {
  for (const auto& filter : configs.filters) {
    if (filter == nullptr) {
      return Status::InvalidArgument("SstQueryFilterConfigs", "a null filter");
    }
    Status s = AsKeyRange(*filter).Check(configs.extractor.get());
    if (!s.ok()) return s;
  }
  return Status::OK();
}

Status ManagerImpl::Load(const Data& data) {
  for (const auto& [version, named] : data) {
    if (!is_empty_ && version <= last_) {
      return Status::InvalidArgument("filtering versions do not ascend",
                                     std::to_string(version));
    }
    if (is_empty_) first_ = version;
    is_empty_ = false;
    last_ = version;
    for (const auto& [name, configs] : named) {
      Status s = CheckConfigs(configs);
      if (!s.ok()) return s;
      if (!configs_[name].emplace(version, configs).second) {
        return Status::InvalidArgument("filter configs twice in one version",
                                       name);
      }
    }
  }
  return Status::OK();
}

Status ManagerImpl::CheckVersion(FilteringVersion version) const {
  if (!is_empty_ && version >= first_ && version <= last_) return Status::OK();
  return Status::InvalidArgument("unknown filtering version",
                                 std::to_string(version));
}

const SstQueryFilterConfigs* ManagerImpl::Find(
    const FilterOrigin& origin) const {
  static const SstQueryFilterConfigs none;
  const auto named = configs_.find(origin.configs_name);
  if (named == configs_.end()) return &none;
  const auto behind = named->second.upper_bound(origin.version);
  return behind != named->second.begin() ? &std::prev(behind)->second : &none;
}

Status ManagerImpl::MakeSharedFactory(const std::string& configs_name,
                                      FilteringVersion ver,
                                      std::shared_ptr<Factory>* out) const {
  Status s = CheckVersion(ver);
  if (!s.ok()) return s;
  *out = std::make_shared<FactoryImpl>(
      std::static_pointer_cast<const ManagerImpl>(shared_from_this()),
      configs_name, ver);
  return s;
}

bool ManagerImpl::MayHold(const TableProperties& file, const Slice& lower,
                          const Slice& upper) const {
  using Order = KeyRangeConfig::Order;
  if (file.num_range_deletions > 0 || lower.empty() || upper.empty()) {
    return true;
  }
  const auto stored = file.user_collected_properties.find(kFilterProperty);
  if (stored == file.user_collected_properties.end()) return true;
  // Keys with timestamps have other comparators.
  if (file.comparator_name == BytewiseComparator()->Name()) {
    return MayHoldBy(stored->second, lower, upper, Order::kBytewise);
  }
  return file.comparator_name != ReverseBytewiseComparator()->Name() ||
         MayHoldBy(stored->second, lower, upper, Order::kReverseBytewise);
}

// What does not make sense here passes nothing over.
bool ManagerImpl::MayHoldBy(Slice stored, const Slice& lower,
                            const Slice& upper,
                            KeyRangeConfig::Order order) const {
  uint32_t format = 0, version = 0, count = 0;
  Slice name;
  if (!GetVarint32(&stored, &format) || format != kFilterFormat ||
      !GetLengthPrefixedSlice(&stored, &name) ||
      !GetVarint32(&stored, &version) || !GetVarint32(&stored, &count)) {
    return true;
  }
  const SstQueryFilterConfigs& configs = *Find({name.ToString(), version});
  if (configs.filters.size() != count) return true;
  const CutKey from = CutKey::Of(configs.extractor.get(), lower,
                                 KeySegmentsExtractor::kInclusiveLowerBound);
  const CutKey to = CutKey::Of(configs.extractor.get(), upper,
                               KeySegmentsExtractor::kExclusiveUpperBound);
  for (const auto& one : configs.filters) {
    const KeyRangeConfig& config = AsKeyRange(*one);
    KeyRangeFilter filter;
    if (!filter.DecodeFrom(&stored)) return true;
    if (config.order() == order && !filter.MayHold(config, from, to)) {
      return false;
    }
  }
  return true;
}

class CappedSegments final : public KeySegmentsExtractor {
 public:
  explicit CappedSegments(std::vector<size_t> widths)
      : widths_(std::move(widths)) {}
  const char* Name() const override { return "CappedKeySegmentsExtractor"; }
  std::string GetId() const override {
    std::string id = Name();
    for (const size_t width : widths_) id += ":" + std::to_string(width);
    return id;
  }
  void Extract(const Slice& key, KeyKind /*kind*/,
               Result* result) const override {
    size_t end = 0;
    for (const size_t width : widths_) {
      end += std::min(width, key.size() - end);
      result->segment_ends.push_back(static_cast<uint32_t>(end));
      if (end == key.size()) return;
    }
  }

 private:
  const std::vector<size_t> widths_;
};

}  // namespace

Status SstQueryFilterConfigsManager::MakeShared(
    const Data& data, std::shared_ptr<SstQueryFilterConfigsManager>* out) {
  auto manager = std::make_shared<ManagerImpl>();
  Status s = manager->Load(data);
  if (s.ok()) *out = std::move(manager);
  return s;
}

std::shared_ptr<SstQueryFilterConfig> MakeSharedBytewiseMinMaxSQFC(
    FilterInput select, KeySegmentsExtractor::KeyCategorySet categories) {
  return std::make_shared<KeyRangeConfig>(select, categories,
                                          KeyRangeConfig::Order::kBytewise);
}

std::shared_ptr<SstQueryFilterConfig> MakeSharedReverseBytewiseMinMaxSQFC(
    FilterInput select, KeySegmentsExtractor::KeyCategorySet categories) {
  return std::make_shared<KeyRangeConfig>(
      select, categories, KeyRangeConfig::Order::kReverseBytewise);
}

std::shared_ptr<const KeySegmentsExtractor>
MakeSharedCappedKeySegmentsExtractor(const std::vector<size_t>& byte_widths) {
  return std::make_shared<CappedSegments>(byte_widths);
}

Status UpdateManifestForFilesState(
    const DBOptions& /*db_opts*/, const std::string& /*db_name*/,
    const std::vector<ColumnFamilyDescriptor>& /*column_families*/,
    const UpdateManifestForFilesStateOptions& /*opts*/) {
  return Status::NotSupported("UpdateManifestForFilesState",
                              "a manifest is written by an open database");
}

}  // namespace experimental
}  // namespace ROCKSDB_NAMESPACE
