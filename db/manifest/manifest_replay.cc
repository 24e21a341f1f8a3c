#include "db/manifest/manifest_replay.h"

#include <algorithm>

#include "db/manifest/manifest_tail.h"
#include "db/wal/log_reader.h"
#include "file/filename.h"
#include "file/sequential_file_reader.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

constexpr char kDefaultFamilyName[] = "default";

}  // namespace

Status ManifestReplay::Run(FileSystem* fs, const std::string& db_path) {
  INVARIANT(fs != nullptr);
  std::string path;
  uint64_t number = 0;
  Status s = ReadCurrentFile(fs, db_path, &path, &number);
  return s.ok() ? RunFile(fs, path, number) : s;
}

Status ManifestReplay::RunFile(FileSystem* fs, const std::string& path,
                               uint64_t number, uint64_t limit_bytes) {
  Begin(number);
  const Status s = ReadManifestEdits(
      fs, path, limit_bytes, &manifest_bytes_,
      [this](VersionEdit edit) { return Take(std::move(edit)); });
  if (s.IsCorruption()) return InManifest(s, path);
  return s.ok() ? End(path) : s;
}

Status ManifestReplay::InManifest(const Status& s, const std::string& path) {
  return Status::CopyAppendMessage(s, " in file ", path);
}

void ManifestReplay::Begin(uint64_t manifest_number) {
  INVARIANT(families_.empty());
  manifest_number_ = manifest_number;
  Family default_family;
  default_family.name = kDefaultFamilyName;
  default_family.builder = std::make_unique<VersionBuilder>(nullptr);
  families_.emplace(0, std::move(default_family));
}

Status ManifestReplay::End(const std::string& path) const {
  const Status s = CheckComplete();
  return s.ok() ? s : InManifest(s, path);
}

Status ReadManifestEdits(FileSystem* fs, const std::string& path,
                         uint64_t limit_bytes, uint64_t* end_bytes,
                         const std::function<Status(VersionEdit)>& take) {
  INVARIANT(fs != nullptr && take != nullptr && end_bytes != nullptr);
  std::unique_ptr<SequentialFileReader> file;
  Status s = SequentialFileReader::Create(
      fs, path, fs->OptimizeForManifestRead(FileOptions()), &file);
  if (s.IsNotFound() || s.IsPathNotFound()) {
    return Status::CopyAppendMessage(s, "; ", "CURRENT names it");
  }
  if (!s.ok()) return s;
  log::FirstDamage damage;
  log::Reader::Options reader_options;
  reader_options.name = path;
  log::Reader reader(std::move(file), &damage, reader_options);
  Slice record;
  std::string scratch;
  uint64_t end = 0;
  while (s.ok() && damage.status().ok() && end < limit_bytes &&
         reader.ReadRecord(&record, &scratch,
                           WALRecoveryMode::kTolerateCorruptedTailRecords)) {
    assert(reader.LastRecordEnd() > end);
    end = reader.LastRecordEnd();
    VersionEdit edit;
    s = edit.DecodeFrom(record);
    if (s.ok()) s = take(std::move(edit));
    if (s.IsCorruption()) {
      s = Status::Corruption(
          "record at offset " + std::to_string(reader.LastRecordOffset()),
          s.ToString());
    }
  }
  *end_bytes = end;
  if (!s.ok() || end >= limit_bytes) return s;
  bool is_torn = false;
  s = CheckManifestTail(fs, path, end, &is_torn);
  return is_torn || damage.status().ok() ? s : damage.status();
}

// Edits of an atomic group wait until its last one is there.
Status ManifestReplay::Take(VersionEdit edit) {
  ++record_count_;
  assert(group_.empty() || *group_.back().remaining_in_group > 0);
  if (!edit.remaining_in_group) {
    if (!group_.empty()) {
      return Status::Corruption("an edit stands inside an atomic group");
    }
    return Apply(edit);
  }
  const uint32_t remaining = *edit.remaining_in_group;
  if (!group_.empty() && *group_.back().remaining_in_group != remaining + 1) {
    return Status::Corruption("an atomic group is out of order");
  }
  group_.push_back(std::move(edit));
  INVARIANT(group_.back().remaining_in_group == remaining);
  if (remaining > 0) return Status::OK();
  for (const VersionEdit& member : group_) {
    if (Status s = Apply(member); !s.ok()) return s;
  }
  group_.clear();
  return Status::OK();
}

void ManifestReplay::NoteCounters(const VersionEdit& edit) {
  if (edit.db_id) db_id_ = *edit.db_id;
  if (edit.manifest_compacted_size) {
    compacted_bytes_ = *edit.manifest_compacted_size;
  }
  if (edit.next_file_number) {
    next_file_number_ =
        std::max(next_file_number_.value_or(0), *edit.next_file_number);
  }
  if (edit.last_sequence) {
    last_sequence_ = std::max(last_sequence_.value_or(0), *edit.last_sequence);
  }
  if (edit.min_log_number_to_keep) {
    min_log_to_keep_ = std::max(min_log_to_keep_, *edit.min_log_number_to_keep);
  }
  if (edit.max_column_family) {
    max_column_family_ = std::max(max_column_family_, *edit.max_column_family);
  }
}

Status ManifestReplay::Apply(const VersionEdit& edit) {
  NoteCounters(edit);
  if (edit.IsWalEdit()) return wals_.Apply(edit);
  if (edit.column_family_added) {
    if (Status s = AddFamily(edit); !s.ok()) return s;
  }
  return ApplyToFamily(edit);
}

Status ManifestReplay::AddFamily(const VersionEdit& edit) {
  Family family;
  family.name = *edit.column_family_added;
  family.builder = std::make_unique<VersionBuilder>(nullptr);
  const uint32_t id = edit.column_family;
  for (const auto& [other_id, other] : families_) {
    if (other_id == id || other.name == family.name) {
      return Status::Corruption("column family " + std::to_string(id) + " '" +
                                family.name + "' is added twice");
    }
  }
  INVARIANT(id != 0);
  families_.emplace(id, std::move(family));
  max_column_family_ = std::max(max_column_family_, id);
  return Status::OK();
}

Status ManifestReplay::ApplyToFamily(const VersionEdit& edit) {
  const uint32_t id = edit.column_family;
  const auto found = families_.find(id);
  if (found == families_.end()) {
    return Status::Corruption("an edit is for column family " +
                              std::to_string(id) + ", which does not exist");
  }
  if (edit.column_family_dropped) {
    if (id == 0) return Status::Corruption("the default family is dropped");
    families_.erase(found);
    return Status::OK();
  }
  Family& family = found->second;
  INVARIANT(family.builder != nullptr);
  if (edit.comparator_name) {
    family.comparator_name = *edit.comparator_name;
    family.persists_timestamps =
        edit.persist_user_defined_timestamps.value_or(true);
  }
  if (edit.log_number) {
    family.log_number = std::max(family.log_number, *edit.log_number);
    has_log_number_ = true;
  }
  if (edit.full_history_ts_low) {
    family.full_history_ts_low = *edit.full_history_ts_low;
  }
  for (const auto& [level, key] : edit.compaction_cursors) {
    family.cursors[level] = key;
  }
  return family.builder->Apply(edit);
}

Status ManifestReplay::CheckComplete() const {
  std::string missing;
  const auto add = [&missing](bool is_there, const char* name) {
    if (!is_there) missing += (missing.empty() ? "" : ", ") + std::string(name);
  };
  add(has_log_number_, "log_file_number");
  add(next_file_number_.has_value(), "next_file_number");
  add(last_sequence_.has_value(), "last_sequence");
  if (!missing.empty()) {
    return Status::Corruption("no " + missing + " entry in MANIFEST");
  }
  INVARIANT(families_.count(0) == 1);
  return Status::OK();
}

}  // namespace ROCKSDB_NAMESPACE
