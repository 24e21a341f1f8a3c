// Drops values that are too old, and shows the others to the application's own
// filter, without their time.
//
// Threads  As the filters that they wrap.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rocksdb/compaction_filter.h"
#include "utilities/ttl/ttl_value.h"

namespace ROCKSDB_NAMESPACE {

class TtlCompactionFilter final : public CompactionFilter {
 public:
  static const char* kClassName() { return "TtlCompactionFilter"; }

  TtlCompactionFilter(TtlSetting ttl, const CompactionFilter* borrowed,
                      std::unique_ptr<CompactionFilter> owned,
                      SystemClock* clock)
      : ttl_(std::move(ttl)),
        owned_(std::move(owned)),
        user_(owned_ != nullptr ? owned_.get() : borrowed),
        clock_(clock) {}

  const char* Name() const override { return kClassName(); }
  const Customizable* Inner() const override { return user_; }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;

  bool Filter(int level, const Slice& key, const Slice& existing_value,
              std::string* new_value, bool* value_changed) const override;
  Decision FilterV2(int level, const Slice& key, ValueType value_type,
                    const Slice& existing_value, std::string* new_value,
                    std::string* skip_until) const override;
  Decision FilterV3(
      int level, const Slice& key, ValueType value_type,
      const Slice* existing_value, const WideColumns* existing_columns,
      std::string* new_value,
      std::vector<std::pair<std::string, std::string>>* new_columns,
      std::string* skip_until) const override;
  Decision FilterBlobByKey(int level, const Slice& key, std::string* new_value,
                           std::string* skip_until) const override;
  bool IgnoreSnapshots() const override {
    return user_ == nullptr || user_->IgnoreSnapshots();
  }

 private:
  const TtlSetting ttl_;
  std::unique_ptr<CompactionFilter> owned_;
  const CompactionFilter* user_;  // may be null
  SystemClock* const clock_;
};

class TtlCompactionFilterFactory final : public CompactionFilterFactory {
 public:
  static const char* kClassName() { return "TtlCompactionFilterFactory"; }

  TtlCompactionFilterFactory(TtlSetting ttl,
                             std::shared_ptr<CompactionFilterFactory> user,
                             SystemClock* clock)
      : ttl_(std::move(ttl)), user_(std::move(user)), clock_(clock) {}

  const char* Name() const override { return kClassName(); }
  const Customizable* Inner() const override { return user_.get(); }
  Status ConfigureOption(const ConfigOptions& config, const std::string& name,
                         const std::string& value) override;
  Status GetOptionString(const ConfigOptions& config,
                         std::string* result) const override;

  bool ShouldFilterTableFileCreation(
      TableFileCreationReason reason) const override;
  std::unique_ptr<CompactionFilter> CreateCompactionFilter(
      const CompactionFilter::Context& context) override;

 private:
  const TtlSetting ttl_;
  std::shared_ptr<CompactionFilterFactory> user_;  // may be null
  SystemClock* const clock_;
};

}  // namespace ROCKSDB_NAMESPACE
