#include "options/cf_options.h"

#include <algorithm>
#include <limits>

#include "options/change.h"
#include "options/column_family_rows.h"
#include "options/compaction_styles.h"

namespace ROCKSDB_NAMESPACE {

ImmutableCFOptions::ImmutableCFOptions(const ColumnFamilyOptions& options)
    :
#define FIXED(member, ...) member(options.member),
#define DYNAMIC(member, ...)
#include "options/column_family_rows.def"
      user_comparator(options.comparator),
      internal_comparator(options.comparator) {
}

MutableCFOptions::MutableCFOptions(const ColumnFamilyOptions& options) {
#define FIXED(member, ...)
#define DYNAMIC(member, ...) member = options.member;
#include "options/column_family_rows.def"
}

ColumnFamilyOptions BuildColumnFamilyOptions(const ImmutableCFOptions& fixed,
                                             const MutableCFOptions& now) {
  ColumnFamilyOptions all;
#define FIXED(member, ...) all.member = fixed.member;
#define DYNAMIC(member, ...) all.member = now.member;
#include "options/column_family_rows.def"
  return all;
}

uint64_t MutableCFOptions::MaxFileSizeForLevel(int level,
                                               CompactionStyle style) const {
  constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();
  if (level == 0 && !TraitsOf(style).sizes_levels) return kNoLimit;
  // A file of one key is the smallest that there is.
  uint64_t size = std::max<uint64_t>(target_file_size_base, 1);
  const auto factor =
      static_cast<uint64_t>(std::max(target_file_size_multiplier, 1));
  if (factor == 1) return size;
  for (int i = 1; i < level; ++i) {
    if (size > kNoLimit / factor) return kNoLimit;
    size *= factor;
  }
  return size;
}

int MutableCFOptions::MaxBytesMultiplierAdditional(int level) const {
  const auto index = static_cast<size_t>(level);
  if (level < 0 || index >= max_bytes_for_level_multiplier_additional.size()) {
    return 1;
  }
  return max_bytes_for_level_multiplier_additional[index];
}

uint64_t MutableCFOptions::MaxCompactionBytes() const {
  if (max_compaction_bytes != 0) return max_compaction_bytes;
  const uint64_t limit = std::numeric_limits<uint64_t>::max() / 25;
  return std::clamp<uint64_t>(target_file_size_base, 1, limit) * 25;
}

CompressionType MutableCFOptions::CompressionForLevel(
    int level, int base_level, bool is_bottommost) const {
  if (is_bottommost && bottommost_compression != kDisableCompressionOption) {
    return bottommost_compression;
  }
  if (compression_per_level.empty()) return compression;
  // Entry 0 is level 0, entry 1 the base level, whichever number that has.
  const int distance = level == 0 ? 0 : level - std::max(base_level, 1) + 1;
  const int last = static_cast<int>(compression_per_level.size()) - 1;
  const CompressionType type =
      compression_per_level[static_cast<size_t>(std::clamp(distance, 0, last))];
  return type == kDisableCompressionOption ? compression : type;
}

Temperature MutableCFOptions::RequiredTemperature(int level,
                                                  int level_count) const {
  const bool is_last = level > 0 && level == level_count - 1;
  return is_last ? last_level_temperature : Temperature::kUnknown;
}

Temperature MutableCFOptions::WriteTemperature(int level,
                                               int level_count) const {
  const Temperature required = RequiredTemperature(level, level_count);
  return required != Temperature::kUnknown ? required
                                           : default_write_temperature;
}

const CompressionOptions& MutableCFOptions::CompressionOptionsForLevel(
    bool is_bottommost) const {
  const bool own = is_bottommost &&
                   bottommost_compression != kDisableCompressionOption &&
                   bottommost_compression_opts.enabled;
  return own ? bottommost_compression_opts : compression_opts;
}

Status ChangeColumnFamilyOptions(
    const ColumnFamilyOptions& current,
    const std::unordered_map<std::string, std::string>& changes,
    ColumnFamilyOptions* result, std::vector<std::string>* changed_names) {
  return ChangeOptions(ColumnFamilyOptionStruct(), current, changes, result,
                       changed_names);
}

}  // namespace ROCKSDB_NAMESPACE
