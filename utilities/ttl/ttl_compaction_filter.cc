#include "utilities/ttl/ttl_compaction_filter.h"

#include "options/object_kinds.h"
#include "util/invariant.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kTtlOption[] = "ttl";
constexpr char kUserFilterOption[] = "user_filter";
constexpr char kUserFactoryOption[] = "user_filter_factory";

Status ParseTtl(const std::string& text, const TtlSetting& ttl) {
  int32_t value = 0;
  if (!ParseInt32(text, &value)) {
    return Status::InvalidArgument("not a number of seconds", text);
  }
  ttl->store(value);
  return Status::OK();
}

std::string TtlOptionText(const std::string& user, const TtlSetting& ttl) {
  return user + ";" + kTtlOption + "=" + std::to_string(ttl->load()) + ";";
}

}  // namespace

Status TtlCompactionFilter::ConfigureOption(const ConfigOptions& config,
                                            const std::string& name,
                                            const std::string& value) {
  if (name == kTtlOption) return ParseTtl(value, ttl_);
  if (name != kUserFilterOption) {
    return CompactionFilter::ConfigureOption(config, name, value);
  }
  return ParseRawObject(config, value, &user_);
}

Status TtlCompactionFilter::GetOptionString(const ConfigOptions& config,
                                            std::string* result) const {
  *result = TtlOptionText(
      std::string(kUserFilterOption) + "=" + PrintObject(config, user_), ttl_);
  return Status::OK();
}

bool TtlCompactionFilter::Filter(int level, const Slice& key,
                                 const Slice& existing_value,
                                 std::string* new_value,
                                 bool* value_changed) const {
  std::string skip_until;
  const Decision decision =
      FilterV2(level, key, kValue, existing_value, new_value, &skip_until);
  *value_changed = decision == Decision::kChangeValue;
  return decision == Decision::kRemove;
}

CompactionFilter::Decision TtlCompactionFilter::FilterV2(
    int level, const Slice& key, ValueType value_type,
    const Slice& existing_value, std::string* new_value,
    std::string* skip_until) const {
  std::vector<std::pair<std::string, std::string>> new_columns;
  return FilterV3(level, key, value_type, &existing_value, nullptr, new_value,
                  &new_columns, skip_until);
}

CompactionFilter::Decision TtlCompactionFilter::FilterV3(
    int level, const Slice& key, ValueType value_type,
    const Slice* existing_value, const WideColumns* existing_columns,
    std::string* new_value,
    std::vector<std::pair<std::string, std::string>>* new_columns,
    std::string* skip_until) const {
  // What has no time was not written here: it is none of ours to judge.
  if (existing_value == nullptr || !CheckTtlValue(*existing_value).ok() ||
      (value_type != kValue && value_type != kMergeOperand)) {
    return Decision::kKeep;
  }
  if (value_type == kValue &&
      IsTtlStale(*existing_value, ttl_->load(), clock_)) {
    return Decision::kRemove;
  }
  if (user_ == nullptr) return Decision::kKeep;
  const Slice shown = WithoutTtlTime(*existing_value);
  const Decision decision =
      user_->SupportsFilterV4()
          ? user_->FilterV4(level, key, value_type, &shown, existing_columns,
                            new_value, new_columns, skip_until, nullptr)
          : user_->FilterV3(level, key, value_type, &shown, existing_columns,
                            new_value, new_columns, skip_until);
  if (decision == Decision::kChangeValue) {
    AppendTtlTime(TtlTimeOf(*existing_value), new_value);
  }
  // Entities have no time.
  return decision == Decision::kChangeWideColumnEntity ? Decision::kIOError
                                                       : decision;
}

// The age is in the value, so most of them have to be fetched.
CompactionFilter::Decision TtlCompactionFilter::FilterBlobByKey(
    int level, const Slice& key, std::string* new_value,
    std::string* skip_until) const {
  if (user_ == nullptr) return Decision::kUndetermined;
  const Decision decision =
      user_->FilterBlobByKey(level, key, new_value, skip_until);
  switch (decision) {
    case Decision::kRemove:
    case Decision::kPurge:
    case Decision::kRemoveAndSkipUntil:
    case Decision::kIOError:
      return decision;
    default:
      return Decision::kUndetermined;
  }
}

Status TtlCompactionFilterFactory::ConfigureOption(const ConfigOptions& config,
                                                   const std::string& name,
                                                   const std::string& value) {
  if (name == kTtlOption) return ParseTtl(value, ttl_);
  if (name != kUserFactoryOption) {
    return CompactionFilterFactory::ConfigureOption(config, name, value);
  }
  return ParseSharedObject(config, value, &user_);
}

Status TtlCompactionFilterFactory::GetOptionString(const ConfigOptions& config,
                                                   std::string* result) const {
  *result = TtlOptionText(
      std::string(kUserFactoryOption) + "=" + PrintObject(config, user_.get()),
      ttl_);
  return Status::OK();
}

// Flushes see what has just been written.
bool TtlCompactionFilterFactory::ShouldFilterTableFileCreation(
    TableFileCreationReason reason) const {
  return CompactionFilterFactory::ShouldFilterTableFileCreation(reason) ||
         (user_ != nullptr && user_->ShouldFilterTableFileCreation(reason));
}

std::unique_ptr<CompactionFilter>
TtlCompactionFilterFactory::CreateCompactionFilter(
    const CompactionFilter::Context& context) {
  std::unique_ptr<CompactionFilter> user;
  if (user_ != nullptr &&
      user_->ShouldFilterTableFileCreation(context.reason)) {
    user = user_->CreateCompactionFilter(context);
  }
  // A job keeps to the time that it began with.
  return std::make_unique<TtlCompactionFilter>(
      NewTtlSetting(ttl_->load()), nullptr, std::move(user), clock_);
}

}  // namespace ROCKSDB_NAMESPACE
