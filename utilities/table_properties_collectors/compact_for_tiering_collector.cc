#include <array>
#include <atomic>
#include <cstdio>
#include <string>

#include "options/builtin_objects.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "util/coding.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Counts the entries of a file that are old enough for the last level.
class TieringCollector final : public TablePropertiesCollector {
 public:
  TieringCollector(SequenceNumber threshold, double ratio)
      : threshold_(threshold), ratio_(ratio) {}

  const char* Name() const override {
    return CompactForTieringCollectorFactory::kClassName();
  }

  Status AddUserKey(const Slice& /*key*/, const Slice& value, EntryType type,
                    SequenceNumber sequence, uint64_t /*file_size*/) override {
    ++entries_;
    // Where it may be placed by is behind its value.
    if (type == kEntryTimedPut && value.size() >= sizeof(uint64_t)) {
      sequence = DecodeFixed64(value.data() + value.size() - sizeof(uint64_t));
    }
    if (sequence < threshold_) ++old_entries_;
    return Status::OK();
  }

  Status Finish(UserCollectedProperties* properties) override {
    needs_compaction_ =
        old_entries_ > 0 && static_cast<double>(old_entries_) >=
                                ratio_ * static_cast<double>(entries_);
    if (old_entries_ > 0) {
      properties->insert({kOldEntries, std::to_string(old_entries_)});
    }
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override {
    return {{kOldEntries, std::to_string(old_entries_)}};
  }
  bool NeedCompact() const override { return needs_compaction_; }

 private:
  static constexpr const char* kOldEntries =
      "rocksdb.eligible.last.level.entries";

  const SequenceNumber threshold_;
  const double ratio_;
  uint64_t entries_ = 0;
  uint64_t old_entries_ = 0;
  bool needs_compaction_ = false;
};

void RegisterCompactForTiering() {
  BuiltinLibrary()->AddFactory<TablePropertiesCollectorFactory>(
      CompactForTieringCollectorFactory::kClassName(),
      [](const std::string&,
         std::unique_ptr<TablePropertiesCollectorFactory>* guard,
         std::string*) {
        *guard = std::make_unique<CompactForTieringCollectorFactory>(0.0);
        return guard->get();
      });
}
ROCKSDB_REGISTER_OBJECTS(RegisterCompactForTiering);

Status WriteTimesAreNotKept() {
  return Status::NotSupported(
      "GetDataCollectionUnixWriteTimeInfo",
      "no file says when all of its entries were written");
}

constexpr const char* kRatioOption = "compaction_trigger_ratio";

}  // namespace

CompactForTieringCollectorFactory::CompactForTieringCollectorFactory(
    double compaction_trigger_ratio)
    : compaction_trigger_ratio_(compaction_trigger_ratio) {}

CompactForTieringCollectorFactory::~CompactForTieringCollectorFactory() =
    default;

TablePropertiesCollector*
CompactForTieringCollectorFactory::CreateTablePropertiesCollector(
    TablePropertiesCollectorFactory::Context context) {
  const double ratio = GetCompactionTriggerRatio();
  const SequenceNumber threshold =
      context.last_level_inclusive_max_seqno_threshold;
  const bool is_last_level =
      context.level_at_creation != Context::kUnknownLevelAtCreation &&
      context.level_at_creation == context.num_levels - 1;
  if (!(ratio > 0) || is_last_level ||
      threshold == Context().last_level_inclusive_max_seqno_threshold) {
    return nullptr;
  }
  return std::make_unique<TieringCollector>(threshold, ratio).release();
}

std::string CompactForTieringCollectorFactory::ToString() const {
  std::array<char, 32> ratio{};
  std::snprintf(ratio.data(), ratio.size(), "%g", GetCompactionTriggerRatio());
  return std::string(kClassName()) +
         " (Compaction trigger ratio = " + ratio.data() + ")";
}

void CompactForTieringCollectorFactory::SetCompactionTriggerRatio(
    double new_ratio) {
  compaction_trigger_ratio_.store(new_ratio);
}
double CompactForTieringCollectorFactory::GetCompactionTriggerRatio() const {
  return compaction_trigger_ratio_.load();
}

Status CompactForTieringCollectorFactory::ConfigureOption(
    const ConfigOptions& config_options, const std::string& name,
    const std::string& value) {
  if (name != kRatioOption) {
    return TablePropertiesCollectorFactory::ConfigureOption(config_options,
                                                            name, value);
  }
  double ratio = 0;
  if (!ParseDouble(value, &ratio)) {
    return Status::InvalidArgument(name + " is not a number", value);
  }
  SetCompactionTriggerRatio(ratio);
  return Status::OK();
}

Status CompactForTieringCollectorFactory::GetOptionString(
    const ConfigOptions& /*config_options*/, std::string* result) const {
  *result = std::string(kRatioOption) + "=" +
            std::to_string(GetCompactionTriggerRatio()) + ";";
  return Status::OK();
}

std::shared_ptr<CompactForTieringCollectorFactory>
NewCompactForTieringCollectorFactory(double compaction_trigger_ratio) {
  return std::make_shared<CompactForTieringCollectorFactory>(
      compaction_trigger_ratio);
}

double DataCollectionUnixWriteTimeInfo::TrackedDataRatio() const {
  const uint64_t tracked =
      num_entries_infinitely_old + num_entries_write_time_aggregated;
  const uint64_t all = tracked + num_entries_write_time_untracked;
  return all == 0 ? 0 : static_cast<double>(tracked) / static_cast<double>(all);
}

Status GetDataCollectionUnixWriteTimeInfoForFile(
    const std::shared_ptr<const TableProperties>& /*table_properties*/,
    std::unique_ptr<DataCollectionUnixWriteTimeInfo>* /*file_info*/) {
  return WriteTimesAreNotKept();
}

Status GetDataCollectionUnixWriteTimeInfoForLevels(
    const std::vector<std::unique_ptr<TablePropertiesCollection>>&
    /*levels_table_properties*/,
    std::vector<std::unique_ptr<DataCollectionUnixWriteTimeInfo>>*
    /*levels_info*/) {
  return WriteTimesAreNotKept();
}

}  // namespace ROCKSDB_NAMESPACE
