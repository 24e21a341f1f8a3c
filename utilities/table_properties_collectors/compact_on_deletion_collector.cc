#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <string>
#include <vector>

#include "options/builtin_objects.h"
#include "rocksdb/utilities/table_properties_collectors.h"
#include "util/string_util.h"

namespace ROCKSDB_NAMESPACE {

struct CompactOnDeletionCollectorFactory::Numbers {
  std::atomic<size_t> window{0};
  std::atomic<size_t> trigger{0};
  std::atomic<double> ratio{0};
  std::atomic<uint64_t> min_file_bytes{0};
};

namespace {

// The window moves on by a part of its size: a count for each part is all that
// has to be remembered.
class Collector final : public TablePropertiesCollector {
 public:
  struct Limits {
    size_t window;
    size_t trigger;
    double ratio;
    uint64_t min_file_bytes;
  };
  explicit Collector(const Limits& limits)
      : limits_(limits),
        part_size_((limits.window + kParts - 1) / kParts),
        parts_(std::clamp<size_t>(limits.window, 1, kParts), 0) {}

  const char* Name() const override {
    return CompactOnDeletionCollectorFactory::kClassName();
  }

  Status AddUserKey(const Slice& /*key*/, const Slice& /*value*/,
                    EntryType type, SequenceNumber /*sequence*/,
                    uint64_t file_size) override {
    file_bytes_ = file_size;
    const bool is_deletion = type == kEntryDelete ||
                             type == kEntrySingleDelete ||
                             type == kEntryDeleteWithTimestamp;
    ++entries_;
    if (is_deletion) ++deletions_;
    if (limits_.window > 0 && limits_.trigger > 0) MoveWindow(is_deletion);
    return Status::OK();
  }

  Status Finish(UserCollectedProperties* /*properties*/) override {
    const bool by_ratio = limits_.ratio > 0 && limits_.ratio <= 1 &&
                          entries_ > 0 &&
                          static_cast<double>(deletions_) >=
                              limits_.ratio * static_cast<double>(entries_);
    needs_compaction_ =
        file_bytes_ >= limits_.min_file_bytes && (is_dense_ || by_ratio);
    return Status::OK();
  }
  UserCollectedProperties GetReadableProperties() const override { return {}; }
  bool NeedCompact() const override { return needs_compaction_; }

 private:
  static constexpr size_t kParts = 128;

  void MoveWindow(bool is_deletion) {
    if (in_part_ == part_size_) {
      in_part_ = 0;
      part_ = (part_ + 1) % parts_.size();
      in_window_ -= parts_[part_];
      parts_[part_] = 0;
    }
    ++in_part_;
    if (is_deletion) {
      ++parts_[part_];
      ++in_window_;
    }
    assert(in_window_ <= deletions_);
    is_dense_ = is_dense_ || in_window_ >= limits_.trigger;
  }

  const Limits limits_;
  const size_t part_size_;
  std::vector<size_t> parts_;  // deletions in each part of the window
  size_t part_ = 0;
  size_t in_part_ = 0;    // entries
  size_t in_window_ = 0;  // deletions
  uint64_t entries_ = 0;
  uint64_t deletions_ = 0;
  uint64_t file_bytes_ = 0;
  bool is_dense_ = false;
  bool needs_compaction_ = false;
};

void RegisterCompactOnDeletion() {
  BuiltinLibrary()->AddFactory<TablePropertiesCollectorFactory>(
      CompactOnDeletionCollectorFactory::kClassName(),
      [](const std::string&,
         std::unique_ptr<TablePropertiesCollectorFactory>* guard,
         std::string*) {
        *guard = std::make_unique<CompactOnDeletionCollectorFactory>(0, 0, 0.0);
        return guard->get();
      });
}
ROCKSDB_REGISTER_OBJECTS(RegisterCompactOnDeletion);

}  // namespace

Status CompactOnDeletionCollectorFactory::ConfigureOption(
    const ConfigOptions& config_options, const std::string& name,
    const std::string& value) {
  size_t size = 0;
  uint64_t bytes = 0;
  double ratio = 0;
  if (name == "window_size" && ParseSizeT(value, &size)) {
    SetWindowSize(size);
  } else if (name == "deletion_trigger" && ParseSizeT(value, &size)) {
    SetDeletionTrigger(size);
  } else if (name == "deletion_ratio" && ParseDouble(value, &ratio)) {
    SetDeletionRatio(ratio);
  } else if (name == "min_file_size" && ParseUint64(value, &bytes)) {
    SetMinFileSize(bytes);
  } else if (name == "window_size" || name == "deletion_trigger" ||
             name == "deletion_ratio" || name == "min_file_size") {
    return Status::InvalidArgument(name + " is not a number", value);
  } else {
    return TablePropertiesCollectorFactory::ConfigureOption(config_options,
                                                            name, value);
  }
  return Status::OK();
}

Status CompactOnDeletionCollectorFactory::GetOptionString(
    const ConfigOptions& /*config_options*/, std::string* result) const {
  *result = "window_size=" + std::to_string(GetWindowSize()) +
            ";deletion_trigger=" + std::to_string(GetDeletionTrigger()) +
            ";deletion_ratio=" + std::to_string(GetDeletionRatio()) +
            ";min_file_size=" + std::to_string(GetMinFileSize()) + ";";
  return Status::OK();
}

CompactOnDeletionCollectorFactory::CompactOnDeletionCollectorFactory(
    size_t sliding_window_size, size_t deletion_trigger, double deletion_ratio,
    uint64_t min_file_size)
    : numbers_(std::make_unique<Numbers>()) {
  SetWindowSize(sliding_window_size);
  SetDeletionTrigger(deletion_trigger);
  SetDeletionRatio(deletion_ratio);
  SetMinFileSize(min_file_size);
}

CompactOnDeletionCollectorFactory::~CompactOnDeletionCollectorFactory() =
    default;

TablePropertiesCollector*
CompactOnDeletionCollectorFactory::CreateTablePropertiesCollector(
    TablePropertiesCollectorFactory::Context /*context*/) {
  return std::make_unique<Collector>(
             Collector::Limits{GetWindowSize(), GetDeletionTrigger(),
                               GetDeletionRatio(), GetMinFileSize()})
      .release();
}

std::string CompactOnDeletionCollectorFactory::ToString() const {
  std::array<char, 32> ratio{};
  std::snprintf(ratio.data(), ratio.size(), "%g", GetDeletionRatio());
  return std::string(kClassName()) +
         " (Sliding window size = " + std::to_string(GetWindowSize()) +
         " Deletion trigger = " + std::to_string(GetDeletionTrigger()) +
         " Deletion ratio = " + ratio.data() + ")";
}

void CompactOnDeletionCollectorFactory::SetWindowSize(size_t window) {
  numbers_->window.store(window);
}
size_t CompactOnDeletionCollectorFactory::GetWindowSize() const {
  return numbers_->window.load();
}
void CompactOnDeletionCollectorFactory::SetDeletionTrigger(size_t trigger) {
  numbers_->trigger.store(trigger);
}
size_t CompactOnDeletionCollectorFactory::GetDeletionTrigger() const {
  return numbers_->trigger.load();
}
void CompactOnDeletionCollectorFactory::SetDeletionRatio(double ratio) {
  numbers_->ratio.store(ratio);
}
double CompactOnDeletionCollectorFactory::GetDeletionRatio() const {
  return numbers_->ratio.load();
}
void CompactOnDeletionCollectorFactory::SetMinFileSize(uint64_t bytes) {
  numbers_->min_file_bytes.store(bytes);
}
uint64_t CompactOnDeletionCollectorFactory::GetMinFileSize() const {
  return numbers_->min_file_bytes.load();
}

std::shared_ptr<CompactOnDeletionCollectorFactory>
NewCompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                     size_t deletion_trigger,
                                     double deletion_ratio,
                                     uint64_t min_file_size) {
  return std::make_shared<CompactOnDeletionCollectorFactory>(
      sliding_window_size, deletion_trigger, deletion_ratio, min_file_size);
}

}  // namespace ROCKSDB_NAMESPACE
