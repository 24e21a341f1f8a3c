#include "db/manifest/replayed_family.h"

#include <string>

#include "rocksdb/db.h"
#include "util/invariant.h"
#include "util/key/timestamps.h"

namespace ROCKSDB_NAMESPACE {

namespace {

// Where a family has got or lost its timestamps since the manifest was written:
// none of its files has any.
void ChangeTimestamps(const ColumnFamilyData& cfd,
                      const std::vector<std::vector<FileRef>>& levels,
                      ReplayedFamily* family) {
  INVARIANT(family != nullptr);
  if (family->comparator_name.empty() ||
      family->comparator_name == cfd.user_comparator()->Name()) {
    return;
  }
  family->cursors.clear();
  if (cfd.order().timestamp_size() == 0) family->full_history_ts_low.clear();
  for (const auto& level : levels) {
    for (const FileRef& file : level) file->has_persisted_timestamps = false;
  }
}

}  // namespace

Status CheckComparator(const ReplayedFamily& family,
                       const ColumnFamilyOptions& options) {
  const Comparator* comparator = options.comparator;
  INVARIANT(comparator != nullptr);
  if (family.comparator_name.empty()) return Status::OK();
  const std::string order = comparator->Name();
  // Timestamps that no file has may come and go.
  if (!options.persist_user_defined_timestamps &&
      HasTimestampsBeside(order, family.comparator_name)) {
    return Status::OK();
  }
  if (!family.persists_timestamps &&
      HasTimestampsBeside(family.comparator_name, order)) {
    return Status::OK();
  }
  if (family.comparator_name == order) {
    if (comparator->timestamp_size() == 0 ||
        family.persists_timestamps == options.persist_user_defined_timestamps) {
      return Status::OK();
    }
    return Status::InvalidArgument(
        "persist_user_defined_timestamps of column family '" + family.name +
        "' must not change");
  }
  std::string why =
      "does not match existing comparator " + family.comparator_name;
  if (family.name != kDefaultColumnFamilyName) {
    why += ": column family '" + family.name + "'";
  }
  return Status::InvalidArgument(order, why);
}

Status FitTimestamps(const ColumnFamilyData& cfd,
                     const std::vector<std::vector<FileRef>>& levels,
                     ReplayedFamily* replayed) {
  ChangeTimestamps(cfd, levels, replayed);
  const std::string& full_history_ts_low = replayed->full_history_ts_low;
  const size_t size = cfd.order().timestamp_size();
  const bool leaves_out = cfd.ioptions().left_out_timestamp_bytes() != 0;
  const std::string family = "column family '" + cfd.name() + "'";
  if (!full_history_ts_low.empty() && full_history_ts_low.size() != size) {
    return Status::Corruption(
        family, "the manifest's full_history_ts_low has " +
                    std::to_string(full_history_ts_low.size()) +
                    " bytes, timestamps have " + std::to_string(size));
  }
  for (const auto& level : levels) {
    for (const FileRef& file : level) {
      const std::string table = "table " + std::to_string(file->number);
      if (size != 0 && file->has_persisted_timestamps == leaves_out) {
        return Status::Corruption(
            table + " of " + family,
            leaves_out ? "the manifest says that it holds timestamps"
                       : "the manifest says that it leaves out its timestamps");
      }
      file->RestoreTimestamps(size);
      if (file->smallest.user_key().size() < size ||
          file->largest.user_key().size() < size) {
        return Status::Corruption(
            table + " of " + family,
            "its bounds in the manifest have no timestamps");
      }
    }
  }
  return Status::OK();
}

bool IsAsWritten(const ColumnFamilyData& cfd,
                 const std::vector<std::vector<FileRef>>& levels,
                 const ReplayedFamily& replayed) {
  if (replayed.comparator_name != cfd.user_comparator()->Name() ||
      replayed.persists_timestamps !=
          cfd.ioptions().persist_user_defined_timestamps) {
    return false;
  }
  for (const auto& level : levels) {
    for (const FileRef& file : level) {
      if (file->epoch_number == kUnknownEpoch) return false;
    }
  }
  return true;
}

void MarkNumbersUsed(const std::vector<std::vector<FileRef>>& levels,
                     const BlobFileList& blobs, DatabaseCounters* numbers) {
  INVARIANT(numbers != nullptr);
  for (const auto& level : levels) {
    for (const FileRef& file : level) numbers->MarkFileNumberUsed(file->number);
  }
  for (const BlobFileState& blob : blobs) {
    numbers->MarkFileNumberUsed(blob.number());
  }
}

}  // namespace ROCKSDB_NAMESPACE
